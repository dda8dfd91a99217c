package dev.weir;

import dev.weir.decide.Decision;
import dev.weir.decide.Forgetting;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.LastingRules;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.Settings;
import dev.weir.settings.table.SettingsException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Weir inside a Java application: the rules, counters and answers of the service, with no call to a service and no port. All who count in
 * the same Redis share their limits, the service among them (docs/library.md).
 *
 * <p>Safe for use by any thread. Nothing but {@link Builder#start} and {@link #close} blocks.
 */
public final class RateLimiter implements AutoCloseable {
    private final Engine engine;

    private RateLimiter(Engine engine) {
        this.engine = engine;
    }

    /** Returns what makes one. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Decides whether a request may pass, and counts it.
     *
     * <p>An answer that comes from Redis completes on a thread that reads what Redis says. Stages that depend on it must not block there: those
     * that do belong on a thread of their own ({@code thenApplyAsync}), or the caller waits for the answer itself.
     *
     * @return the verdict under way, within {@code STORE_TIMEOUT}; or {@link dev.weir.request.InvalidRequestException} for a request
     *     beyond a bound, {@link dev.weir.decide.NoRulesException} while there are no rules, {@link dev.weir.decide.UndecidedException}
     *     where the store does not answer and the rules say nothing for that, {@link dev.weir.decide.OverloadedException} where it has
     *     too much to do. Who completes it, or cancels it, does not want it any more: what was not sent to the store yet is not counted
     */
    public CompletableFuture<Verdict> check(Request request) {
        Decision decision = engine.decider().decide(request);
        CompletableFuture<Verdict> verdict = decision.verdict().toCompletableFuture();
        if (verdict.isDone() && !verdict.isCompletedExceptionally()) {
            return verdict;
        }
        var answer = new CompletableFuture<Verdict>();
        var _ = verdict.handle((decided, failure) ->
                failure == null ? answer.complete(decided) : answer.completeExceptionally(causeOf(failure)));
        var _ = answer.handle((_, _) -> {
            if (!verdict.isDone()) {
                decision.abandon();
            }
            return decision;
        });
        return answer;
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /**
     * Forgets the counters of a request, and the locks on them: who hits them next is the first.
     *
     * @return of how many something was known; or the failures of {@link #check}
     */
    public CompletableFuture<Integer> forget(Request request) {
        List<CompletableFuture<Boolean>> counters;
        try {
            counters = engine.decider().forget(request).stream()
                    .map(Forgetting::wasThere)
                    .toList();
        } catch (RuntimeException mistake) {
            return CompletableFuture.failedFuture(mistake);
        }
        return CompletableFuture.allOf(counters.toArray(CompletableFuture[]::new))
                .thenApply(_ ->
                        (int) counters.stream().filter(CompletableFuture::join).count());
    }

    /** Returns a stage that completes when the store has answered for the first time, and a check can be decided. */
    public CompletableFuture<Void> ready() {
        return engine.firstReached().toCompletableFuture().copy();
    }

    /** Returns whether the store answers; true of counters in memory. */
    public boolean isReachable() {
        return engine.store().isReachable();
    }

    /** Returns what is counted (docs/metrics.md) in the text format of Prometheus. May take a while where there are many rules. */
    public String metrics() {
        return engine.pages().prometheus();
    }

    /** Ends what it began. Checks that are under way may fail; there must be none after it. */
    @Override
    public void close() {
        engine.close();
    }

    /** What a {@link RateLimiter} is made of. Not for several threads. */
    public static final class Builder {
        private final Map<String, String> settings = new HashMap<>();
        private List<String> rules = List.of();

        private Builder() {
            set(
                    "USE_STATSD",
                    "false"); // the service tells statsd unless it is told not to; nobody expects that of a library
        }

        /** Takes these rules, each text as a rule file has it (docs/rules.md), and those of no file. */
        public Builder rules(String... texts) {
            rules = List.of(texts);
            return this;
        }

        /**
         * Takes the rules of all files in this folder, and of those below. A changed file is in force within a second; one with a mistake is
         * told to the log, and the rules before stay in force.
         */
        public Builder rulesIn(Path folder) {
            rules = List.of();
            return set("RUNTIME_ROOT", folder.toString())
                    .set("RUNTIME_SUBDIRECTORY", "")
                    .set("RUNTIME_APPDIRECTORY", ".")
                    .set("RUNTIME_WATCH_ROOT", "false");
        }

        /**
         * Sets what the service reads from a variable of its environment (docs/configuration.md). What concerns ports and the process
         * changes nothing.
         *
         * @throws IllegalArgumentException if there is no such variable
         */
        public Builder set(String name, String value) {
            if (!Settings.isKnown(name)) {
                throw new IllegalArgumentException(
                        name + " is no variable of Weir: docs/configuration.md has them all");
            }
            settings.put(name, value);
            return this;
        }

        /** Sets all of these, as {@link System#getenv()} has them; what is no variable of Weir changes nothing. */
        public Builder setAll(Map<String, String> values) {
            settings.putAll(values);
            return this;
        }

        /**
         * Starts it. The rules are loaded then; Redis may come later, and until then the answer is what the rules say for that
         * ({@code on_store_failure}).
         *
         * @throws StartException if a setting is wrong, or rules that were given as text
         */
        public RateLimiter start() throws StartException {
            Settings read = read();
            var engine = new Engine(
                    read,
                    (shelf, listener) -> rules.isEmpty()
                            ? Wiring.rules(read, shelf, listener)
                            : Wiring.Rules.of(new LastingRules(given(read), "the application", listener)),
                    () -> {});
            engine.start();
            engine.push();
            return new RateLimiter(engine);
        }

        private Settings read() throws StartException {
            var all = new HashMap<>(settings);
            all.put("TRACING_ENABLED", "false"); // traces follow calls from one service to another
            try {
                return Settings.read(all);
            } catch (SettingsException e) {
                throw new StartException(String.join("\n", e.mistakes()));
            }
        }

        private RuleSet given(Settings read) throws StartException {
            var files = new ArrayList<SourceFile>();
            for (String text : rules) {
                String name = rules.size() == 1 ? "rules" : "rules " + (files.size() + 1);
                files.add(SourceFile.of(name, text.getBytes(StandardCharsets.UTF_8)));
            }
            try {
                return YamlRules.read(files, Wiring.reading(read));
            } catch (RulesException e) {
                throw new StartException(e.getMessage());
            }
        }
    }
}
