package dev.weir.decide;

import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.RuleSet;
import dev.weir.store.OwnShare;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Store;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides requests: by the rules in force, on counters in the store. Never blocks. */
public final class Decider {
    private final Supplier<@Nullable RuleSet> inForce;
    private final Store store;
    private final Bounds bounds;
    private final Answering answering;
    private final Judge judge;
    private final FailurePolicies policies;
    private final DecisionListener listener;
    private final HitListener hits;
    private volatile @Nullable Books latest;

    /**
     * Creates the decider.
     *
     * @param inForce gives the rules that hold at this moment, or null while there are none
     * @param store keeps the counters
     * @param ownShare this replica's own counters, for rules that want them when the store fails; null if there are none
     * @param bounds of every request
     * @param answering what holds for every answer
     * @param listener is told how each request ended, and what became of its hits
     */
    public Decider(
            Supplier<@Nullable RuleSet> inForce,
            Store store,
            @Nullable OwnShare ownShare,
            Bounds bounds,
            Answering answering,
            DecisionListener listener) {
        this.inForce = inForce;
        this.store = store;
        this.bounds = bounds;
        this.answering = answering;
        this.judge = new Judge(answering);
        this.listener = listener;
        this.hits = listener.hits();
        this.policies = new FailurePolicies(answering, judge, ownShare, hits);
    }

    /** Returns the bounds of every request. */
    public Bounds bounds() {
        return bounds;
    }

    /** Returns who is told how requests end. Whoever ends one before it can be decided tells of it, too. */
    public DecisionListener listener() {
        return listener;
    }

    /**
     * Decides one request.
     *
     * @return the verdict under way; or an {@link InvalidRequestException}, a {@link NoRulesException}, an
     *     {@link UndecidedException}, or an {@link OverloadedException}; anything else is a defect
     */
    public Decision decide(Request request) {
        return decide(request, true);
    }

    /**
     * Forgets the counters of a request, and the locks on them: who hits them next is the first. Nobody is told of it.
     *
     * @return what is under way
     * @throws InvalidRequestException if it is beyond a bound
     * @throws NoRulesException if there are no rules yet
     */
    public Counters<Boolean> forget(Request request) {
        return Counters.of(matched(request), check -> Counters.forgotten(store, check));
    }

    /**
     * Reads the counters of a request, and counts nothing. Nobody is told of it.
     *
     * @return what is under way: what a request of 0 hits would be told of each
     * @throws InvalidRequestException if it is beyond a bound
     * @throws NoRulesException if there are no rules yet
     */
    public Counters<Reading> look(Request request) {
        return Counters.of(matched(request), check -> Counters.seen(store, check));
    }

    private Matched matched(Request request) {
        bounds.check(request);
        RuleSet rules = inForce.get();
        if (rules == null) {
            throw new NoRulesException();
        }
        return Matched.in(rules, request, answering);
    }

    /**
     * Returns whether some requests are answered when they cannot be decided, by what their rules say: these are worth reading
     * also where more come than can be answered.
     */
    public boolean hasFailurePolicies() {
        RuleSet rules = inForce.get();
        return policies.answers(answering.onStoreFailure())
                || (rules != null && policies.answersSome(rules.failurePolicies()));
    }

    /**
     * Answers one request without asking the store, as more come than can be answered in time: by what its rules say then.
     *
     * @return the verdict, or one of the failures of {@link #decide}; not under way in any case
     */
    public Decision decideWithoutStore(Request request) {
        return decide(request, false);
    }

    private Decision decide(Request request, boolean asksStore) {
        try {
            bounds.check(request);
            RuleSet rules = inForce.get();
            if (rules == null) {
                listener.withoutRules();
                return Decision.failed(new NoRulesException());
            }
            Books books = books(rules);
            Matched matched = Matched.in(rules, request, answering);
            books.unmatched(matched);
            Plan plan = matched.plan();
            if (plan == null) {
                Verdict verdict = judge.judge(matched, List.of());
                listener.decided(request, verdict);
                return Decision.of(verdict);
            }
            return asksStore ? asked(books, matched, plan) : unasked(books, matched, plan);
        } catch (InvalidRequestException mistake) {
            listener.refused(mistake);
            return Decision.failed(mistake);
        } catch (RuntimeException defect) {
            listener.failed();
            return Decision.failed(defect);
        }
    }

    private Decision asked(Books books, Matched matched, Plan plan) {
        Answers inPart = plan.checks().size() == 1 ? null : policies.inPart(matched, plan, store);
        if (inPart != null) {
            return askedInPart(books, inPart);
        }
        var readings = store.decide(plan).toCompletableFuture();
        return new Decision(
                readings,
                readings.handle((read, failure) -> failure == null
                        ? judged(books, matched, read)
                        : failed(books, policies.asked(matched, plan), Decision.causeOf(failure))));
    }

    /** While a part of the store decides nothing, what the others keep is decided as ever. */
    private Decision askedInPart(Books books, Answers answers) {
        StoreException silence = Objects.requireNonNull(answers.silence());
        store.knock(answers.unasked());
        answers.askOwnCounters();
        Plan asked = answers.asked();
        CompletableFuture<List<Reading>> readings = asked == null
                ? CompletableFuture.completedFuture(List.of())
                : store.decide(asked).toCompletableFuture();
        return new Decision(readings, readings.handle((read, failure) -> {
            if (failure != null) {
                return failed(books, answers, Decision.causeOf(failure));
            }
            answers.hear(read);
            return answered(books, answers, silence);
        }));
    }

    private Decision unasked(Books books, Matched matched, Plan plan) {
        Verdict verdict = policies.verdict(policies.unasked(matched, plan), books);
        if (verdict == null) {
            listener.turnedAway();
            return Decision.failed(new OverloadedException());
        }
        tellDecided(matched, verdict);
        return Decision.of(verdict);
    }

    private Verdict judged(Books books, Matched matched, List<Reading> read) {
        try {
            books.decided(matched, read);
            Verdict verdict = judge.judge(matched, read);
            tellDecided(matched, verdict);
            return verdict;
        } catch (RuntimeException defect) {
            listener.failed();
            throw defect;
        }
    }

    /** The store has not decided all that it was asked for. */
    private Verdict failed(Books books, Answers answers, Throwable cause) {
        answers.hearSome(cause instanceof StoreException broken ? broken.readings() : List.of());
        return answered(books, answers, cause);
    }

    /** The store was not asked for all, or has not decided all. */
    private Verdict answered(Books books, Answers answers, Throwable cause) {
        Matched matched = answers.matched();
        Verdict verdict = isOfStore(cause) ? byPolicies(books, answers) : null;
        if (verdict == null) {
            books.undecided(matched); // hits are those that were asked for, also of a store too busy to count them
            throw Decision.carried(told(cause));
        }
        if (cause instanceof StoreException broken) {
            listener.decidedWithoutStore(broken);
        }
        tellDecided(matched, verdict);
        return verdict;
    }

    private @Nullable Verdict byPolicies(Books books, Answers answers) {
        try {
            return policies.verdict(answers, books);
        } catch (RuntimeException defect) {
            listener.failed();
            throw defect;
        }
    }

    private static boolean isOfStore(Throwable cause) {
        return cause instanceof StoreException || cause instanceof StoreBusyException;
    }

    /** Returns the books of these rules: they are new when the rules are. */
    private Books books(RuleSet rules) {
        Books books = latest;
        if (books == null || books.rules() != rules) {
            books = new Books(rules, hits, books);
            latest = books;
        }
        return books;
    }

    private void tellDecided(Matched matched, Verdict verdict) {
        if (answering.shadowMode() && Judge.isOver(matched, verdict.statuses())) {
            hits.passedInShadow();
        }
        listener.decided(matched.request(), verdict);
    }

    private RuntimeException told(Throwable cause) {
        if (cause instanceof StoreException broken) {
            var undecided = new UndecidedException(String.valueOf(broken.getMessage()), broken);
            listener.undecided(undecided);
            return undecided;
        }
        if (cause instanceof StoreBusyException) {
            listener.turnedAway();
            return new OverloadedException();
        }
        if (cause instanceof CancellationException gone) {
            listener.abandoned();
            return gone;
        }
        listener.failed();
        return cause instanceof RuntimeException defect ? defect : new IllegalStateException(cause);
    }
}
