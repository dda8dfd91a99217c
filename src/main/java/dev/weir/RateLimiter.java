package dev.weir;

import dev.weir.decide.Counters;
import dev.weir.decide.Decision;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Weir inside a Java application: the rules, counters and answers of the service, with no call to a service and no port. All who count in
 * the same Redis share their limits, the service among them (docs/library.md).
 *
 * <p>Safe for use by any thread. Nothing but {@link Builder#start}, {@link #close} and {@link #metrics} blocks.
 */
public final class RateLimiter implements AutoCloseable {
    private static final Duration THREADS_END_WITHIN = Duration.ofSeconds(3);

    private final Engine engine;
    private final CompletableFuture<Void> ready;
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private RateLimiter(Engine engine) {
        this.engine = engine;
        CompletableFuture<Void> reached = engine.firstReached().toCompletableFuture();
        // Who waits for it may block, and the thread that brings it has others to serve.
        this.ready = reached.isDone()
                ? reached
                : reached.thenRunAsync(
                        () -> {},
                        waiting ->
                                Thread.ofPlatform().daemon().name("weir-ready").start(waiting));
    }

    /** Returns what makes one. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Decides whether a request may pass, and counts it.
     *
     * <p>A verdict from Redis completes on a thread that reads Redis's answers; where {@code STORE_TIMEOUT} passes first, it completes on the
     * one thread that watches timeouts. Stages that depend on it must not block either: those that do belong on a thread of their own
     * ({@code thenApplyAsync}), or the caller waits for the answer itself.
     *
     * @return the verdict under way, within {@code STORE_TIMEOUT} and a few milliseconds; or {@link
     *     dev.weir.request.InvalidRequestException} for a request beyond a bound, {@link dev.weir.decide.NoRulesException} while there are
     *     no rules, {@link dev.weir.decide.UndecidedException} where the store does not answer and the rules say nothing for that, {@link
     *     dev.weir.decide.OverloadedException} where it has too much to do. Who completes it, or cancels it, does not want it any more:
     *     what was not sent to the store yet is not counted
     */
    public CompletableFuture<Verdict> check(Request request) {
        Objects.requireNonNull(request, "request"); // counted it would be a defect of ours
        if (isClosed.get()) {
            return CompletableFuture.failedFuture(closed());
        }
        Decision decision = engine.decider().decide(request);
        CompletableFuture<Verdict> verdict = decision.verdict().toCompletableFuture();
        if (verdict.isDone() && !verdict.isCompletedExceptionally()) {
            return verdict;
        }
        CompletableFuture<Verdict> answer = unwrapped(verdict);
        var _ = answer.handle((_, _) -> {
            if (!verdict.isDone()) {
                decision.abandon();
            }
            return decision;
        });
        return answer;
    }

    /**
     * Forgets the counters of a request, and the locks on them: who hits them next is the first.
     *
     * @return of how many something was known; or the failures of {@link #check}, where Redis does not answer after a quarter of a second,
     *     or {@code STORE_TIMEOUT} if that is longer
     */
    public CompletableFuture<Integer> forget(Request request) {
        Objects.requireNonNull(request, "request");
        if (isClosed.get()) {
            return CompletableFuture.failedFuture(closed());
        }
        List<CompletableFuture<Boolean>> counters;
        try {
            counters = engine.decider().forget(request).counters().stream()
                    .map(Counters.Counter::said)
                    .toList();
        } catch (RuntimeException mistake) {
            return CompletableFuture.failedFuture(mistake);
        }
        return unwrapped(CompletableFuture.allOf(counters.toArray(CompletableFuture[]::new))
                .thenApply(_ ->
                        (int) counters.stream().filter(CompletableFuture::join).count()));
    }

    /** Returns a stage of its own, which fails with what went wrong and not with what carried it here. */
    private static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> carried) {
        var told = new CompletableFuture<T>();
        var _ = carried.handle((result, failure) ->
                failure == null ? told.complete(result) : told.completeExceptionally(Decision.causeOf(failure)));
        return told;
    }

    /**
     * Returns a stage that completes when the store has answered for the first time, and rules that are kept in it, if that is wanted, are
     * in force; those of a folder or a control plane may come later. Stages that depend on it may block. It fails when this is closed
     * before.
     */
    public CompletableFuture<Void> ready() {
        return unwrapped(ready);
    }

    /** Returns whether the store answers; true of counters in memory, and not after the end. */
    public boolean isReachable() {
        return !isClosed.get() && engine.store().isReachable();
    }

    /** Returns what is counted (docs/metrics.md) in the text format of Prometheus. May take a while where there are many rules. */
    public String metrics() {
        return engine.pages().prometheus();
    }

    /**
     * Ends what it began. Checks that are under way may fail, and those after it do, with an {@link IllegalStateException}. A second time does
     * nothing. Blocks for some seconds at most, while a connection to Redis is being made, or what was counted is told for the last time. Then
     * its threads have ended, so that the class loader may be closed; but not where a stage of a verdict holds one up, or calls this on it.
     */
    @Override
    public void close() {
        if (isClosed.compareAndSet(false, true)) {
            try {
                engine.close();
                engine.loops().awaitEnd(THREADS_END_WITHIN);
            } finally {
                ready.completeExceptionally(closed());
            }
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this RateLimiter is closed");
    }

    /** What a {@link RateLimiter} is made of. Not for several threads. */
    public static final class Builder {
        private final Map<String, String> settings = new HashMap<>();
        private List<String> rules = List.of();
        private @Nullable Path folder;

        private Builder() {
            // The service tells statsd unless it is told not to; nobody expects that of a library.
            set("USE_STATSD", "false");
        }

        /**
         * Takes these rules, each text as a rule file has it (docs/rules.md), and those of no file.
         *
         * @throws IllegalArgumentException if there is no text
         */
        public Builder rules(String... texts) {
            if (texts.length == 0) {
                throw new IllegalArgumentException("there is no text with rules");
            }
            rules = List.of(texts);
            folder = null;
            return this;
        }

        /**
         * Takes the rules of all files in this folder, and of those below. A changed file is in force within a second; one with a mistake is
         * told to the log, and the rules before stay in force.
         */
        public Builder rulesIn(Path directory) {
            folder = Objects.requireNonNull(directory, "directory");
            rules = List.of();
            return this;
        }

        /**
         * Sets what the service reads from a variable of its environment (docs/configuration.md). What concerns ports, the log and the process
         * changes nothing.
         *
         * @throws IllegalArgumentException if there is no such variable
         */
        public Builder set(String name, String value) {
            if (!Settings.isKnown(name)) {
                throw new IllegalArgumentException(
                        name + " is no variable of Weir: docs/configuration.md has them all");
            }
            settings.put(name, Objects.requireNonNull(value, name));
            return this;
        }

        /** Sets all of these, as {@link System#getenv()} has them; what is no variable of Weir changes nothing. */
        public Builder setAll(Map<String, String> values) {
            values.forEach((name, value) -> settings.put(name, Objects.requireNonNull(value, name)));
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
            checkSource(read);
            RuleSet given = rules.isEmpty() ? null : given(read); // before anything is begun that a mistake would leave
            var engine = new Engine(
                    read,
                    (shelf, listener) -> given == null
                            ? Wiring.rules(read, shelf, listener)
                            : Wiring.Rules.of(new LastingRules(given, "the application", listener)),
                    () -> {});
            try {
                engine.start();
                engine.push();
            } catch (RuntimeException | LinkageError defect) { // a library may be missing that only some need
                try (engine) {
                    throw defect;
                }
            }
            return new RateLimiter(engine);
        }

        private Settings read() throws StartException {
            var all = new HashMap<>(settings);
            if (folder != null) {
                all.put("RUNTIME_ROOT", folder.toString());
                all.putAll(
                        Map.of("RUNTIME_SUBDIRECTORY", "", "RUNTIME_APPDIRECTORY", ".", "RUNTIME_WATCH_ROOT", "false"));
            }
            try {
                return Settings.readWithin(all);
            } catch (SettingsException e) {
                throw new StartException(String.join("\n", e.mistakes()));
            }
        }

        /** Refuses a second source of rules, which would be passed over in silence. */
        private void checkSource(Settings read) throws StartException {
            boolean hasText = !rules.isEmpty();
            if ((hasText || folder != null) && read.xds().isUsed()) {
                throw new StartException(
                        "the application has rules of its own, and CONFIG_TYPE has them come from a control plane: leave one of them out");
            }
            if (hasText && read.ruleFiles().areAlsoInStore()) {
                throw new StartException(
                        "RULES_IN_STORE lays rules over those of files, and the application has them as text: put these into a folder");
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
