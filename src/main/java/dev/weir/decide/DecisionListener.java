package dev.weir.decide;

import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.store.StoreException;

/** Is told how each request ended. Called from event loops: must not block, must not throw. */
public interface DecisionListener {

    /** Returns who is told what became of hits; asked once. */
    HitListener hits();

    /** The request was decided. */
    void decided(Request request, Verdict verdict);

    /** The request was a caller's mistake. */
    void refused(InvalidRequestException mistake);

    /** There are no rules to decide by. */
    void withoutRules();

    /** The store failed. */
    void undecided(UndecidedException failure);

    /** The store failed, and the request's rules say what is answered then: it is {@link #decided}, too. */
    void decidedWithoutStore(StoreException failure);

    /** There were more requests than can be answered in time; this one was not counted. */
    void turnedAway();

    /** A defect of the service kept it from being answered. */
    void failed();

    /** Nobody waited for the answer any more: the caller went away or its deadline passed. */
    void abandoned();
}
