package dev.weir.decide;

import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;

/** Listens to nothing. */
public final class DeafListener implements DecisionListener {
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
