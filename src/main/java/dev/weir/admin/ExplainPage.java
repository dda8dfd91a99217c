package dev.weir.admin;

import dev.weir.decide.Counters;
import dev.weir.decide.NoRulesException;
import dev.weir.decide.OverloadedException;
import dev.weir.decide.UndecidedException;
import dev.weir.decide.key.KeyReader;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.rules.RuleSet;
import dev.weir.rules.Tree;
import dev.weir.rules.explain.Explanation;
import dev.weir.rules.explain.ExplanationText;
import dev.weir.store.Reading;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /explain}: the way of a request's descriptors through the rules in force, and what their counters say. It takes what {@code
 * /json} takes, and counts nothing.
 *
 * <p>200 if all is known; 503 if the store does not say what is in a counter, and else what {@link JsonPage} answers.
 */
final class ExplainPage implements Page {
    private static final Logger LOG = LoggerFactory.getLogger(ExplainPage.class);
    private static final long MICROS_PER_SECOND = 1_000_000;

    /** What somebody has typed. */
    private static final int MOST_BYTES = 16 << 10;

    private static final int MOST_DESCRIPTORS = 8;

    private final Inside inside;
    private final LongSupplier nanos;

    ExplainPage(Inside inside) {
        this(inside, System::nanoTime);
    }

    ExplainPage(Inside inside, LongSupplier nanos) {
        this.inside = inside;
        this.nanos = nanos;
    }

    /** One more than a body may have tells that it has too many. */
    @Override
    public int mostBytes() {
        return bound() + 1;
    }

    private int bound() {
        return Math.min(inside.maxMessageBytes(), MOST_BYTES);
    }

    @Override
    public Reply answer(Question question) {
        if (!question.method().equals("POST")) {
            return Reply.text(405, "post what is to be explained, as to /json\n")
                    .with("Allow", "POST");
        }
        if (question.body().length > bound()) {
            return Reply.text(413, "a body may have " + bound() + " bytes\n");
        }
        try {
            return explain(inside.reader().apply(question.body()));
        } catch (InvalidRequestException mistake) {
            return Reply.text(400, mistake.getMessage() + "\n");
        } catch (NoRulesException outage) {
            return Reply.text(503, outage.getMessage() + "\n");
        }
    }

    private Reply explain(Request request) {
        if (request.descriptors().size() > MOST_DESCRIPTORS) {
            throw new InvalidRequestException("at most " + MOST_DESCRIPTORS + " descriptors are explained at a time");
        }
        RuleSet rules;
        Counters<Reading> asked;
        do { // of the same rules
            rules = inside.inForce().get();
            asked = inside.looker().apply(request);
        } while (rules != inside.inForce().get());
        Tree tree = Objects.requireNonNull(rules).domain(request.domain()); // without any there was no look
        if (tree == null) {
            return Reply.text(200, ExplanationText.withoutRules(rules, request.domain()));
        }
        var page = new StringBuilder();
        var turn = new Turn(nanos);
        for (int i = 0; i < request.descriptors().size(); i++) {
            Descriptor descriptor = request.descriptors().get(i);
            var explanation = Explanation.of(tree, descriptor, turn::goesOn);
            if (Thread.currentThread().isInterrupted()) {
                return AdminServer.NOBODY_WAITS;
            }
            page.append(ExplanationText.of(tree, explanation, (_, _) -> List.of()))
                    .append(inPlace(descriptor, explanation.rule(), asked.held().get(i)))
                    .append('\n');
        }
        boolean isAllKnown = true;
        for (Counters.Counter<Reading> counter : asked.counters()) {
            page.append(CounterWords.of(KeyReader.read(counter.key()), counter.limit()))
                    .append(": ");
            try {
                page.append(words(counter.limit(), said(counter.said())));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return AdminServer.NOBODY_WAITS;
            } catch (ExecutionException e) {
                isAllKnown = false;
                page.append(why(e.getCause()));
            }
            page.append('\n');
        }
        return Reply.text(
                isAllKnown ? 200 : 503, page.append("Nothing was counted.\n").toString());
    }

    /** Returns what is counted in place of what was explained: that is true of the descriptor alone. */
    private static String inPlace(Descriptor descriptor, @Nullable Rule rule, List<NamedLimit> held) {
        if (descriptor.override() != null) {
            return rule == null
                    ? "But a limit was sent along, and holds.\n"
                    : "But a limit was sent along, and holds in place of the rule's.\n";
        }
        if (rule == null || held.size() == rule.limits().size()) {
            return "";
        }
        return held.isEmpty()
                ? "But the rule of another descriptor replaces it: the descriptor passes, uncounted.\n"
                : "But the rule of another descriptor replaces some of these limits: their counters are not told below.\n";
    }

    private Reading said(CompletableFuture<Reading> reading) throws InterruptedException, ExecutionException {
        return reading.orTimeout(inside.patience().toMillis(), TimeUnit.MILLISECONDS)
                .get();
    }

    /** A look is refused where even no hit at all would be: by a lock, or by more hits than the limit. */
    private static String words(Limit limit, Reading look) {
        if (limit.quota().hits() == 0) {
            return "refuses everything";
        }
        if (!look.isAdmitted()) {
            return "over its limit or locked, for " + seconds(look.retryMicros()) + " at least";
        }
        long used = limit.capacity() - look.remaining();
        return used == 0
                ? "none of " + limit.capacity() + " hits is used"
                : used + " of " + limit.capacity() + " hits used, " + look.remaining() + " left; as if untouched in "
                        + seconds(look.resetMicros());
    }

    private static String seconds(long micros) {
        return Math.ceilDiv(micros, MICROS_PER_SECOND) + " s";
    }

    private static String why(@Nullable Throwable failure) {
        return switch (failure) {
            case UndecidedException outage -> String.valueOf(outage.getMessage());
            case OverloadedException overloaded -> String.valueOf(overloaded.getMessage());
            case TimeoutException _ -> "the store did not answer";
            case null, default -> {
                LOG.error("a counter could not be read", failure);
                yield "the service made a mistake, and its log says more";
            }
        };
    }

    /**
     * The time in which the rules are compared for one page. Now and then others have theirs, as probes: where there is one processor,
     * all pages have one thread.
     */
    private static final class Turn {
        private static final long MOST_NANOS = 1_000_000_000;
        private static final long STRETCH_NANOS = 10_000_000;

        /** A shorter pause may be over before the thread is free. */
        private static final long PAUSE_NANOS = 1_000_000;

        private final LongSupplier nanos;
        private long stretchBegan;
        private long used;

        Turn(LongSupplier nanos) {
            this.nanos = nanos;
            this.stretchBegan = nanos.getAsLong();
        }

        /** Returns whether there is time for another rule, and somebody who waits for it. */
        boolean goesOn() {
            long stretch = nanos.getAsLong() - stretchBegan;
            if (stretch >= STRETCH_NANOS) {
                used += stretch;
                LockSupport.parkNanos(PAUSE_NANOS);
                stretchBegan = nanos.getAsLong();
            }
            return used < MOST_NANOS && !Thread.currentThread().isInterrupted();
        }
    }
}
