package dev.weir.decide;

import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;

/** Hands hits on, and listens to nothing else. */
public final class CountedDecisions implements DecisionListener {
    private final HitListener hits;

    public CountedDecisions(HitListener hits) {
        this.hits = hits;
    }

    @Override
    public HitListener hits() {
        return hits;
    }

    @Override
    public void decided(Request request, Verdict verdict) {}

    @Override
    public void refused(InvalidRequestException mistake) {}

    @Override
    public void withoutRules() {}

    @Override
    public void undecided(UndecidedException failure) {}

    @Override
    public void turnedAway() {}

    @Override
    public void abandoned() {}
}
