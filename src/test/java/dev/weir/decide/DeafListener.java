package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import java.util.List;

/** Listens to nothing, or to hits alone. */
public final class DeafListener implements DecisionListener {
    private final HitListener hits;

    public DeafListener() {
        this(new DeafHits());
    }

    public DeafListener(HitListener hits) {
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
    public void decidedWithoutStore(StoreException failure) {}

    @Override
    public void turnedAway() {}

    @Override
    public void failed() {}

    @Override
    public void abandoned() {}

    private static final class DeafHits implements HitListener, Tally {
        @Override
        public Tally of(Rule rule) {
            return this;
        }

        @Override
        public Tally ofOverrides() {
            return this;
        }

        @Override
        public void domainNotFound(String domain, int descriptors) {}

        @Override
        public void ruleNotFound(int descriptors) {}

        @Override
        public void answeredBy(FailurePolicy policy) {}

        @Override
        public void passedInShadow() {}

        @Override
        public void decided(Request request, Descriptor descriptor, Limit limit, Reading reading) {}

        @Override
        public void undecidedByName(Request request, Descriptor descriptor, NamedLimit limit) {}

        @Override
        public void decidedByName(Request request, Descriptor descriptor, NamedLimit limit, Reading reading) {}

        @Override
        public void undecided(Request request, Descriptor descriptor, List<NamedLimit> limits) {}
    }
}
