package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.store.Reading;
import java.util.ArrayList;
import java.util.List;

/** Notes what became of hits, rule by rule. */
final class NotedHits implements HitListener {
    final List<String> heard = new ArrayList<>();
    final List<FailurePolicy> policies = new ArrayList<>();

    @Override
    public Tally of(Rule rule) {
        return new OfOne(rule.path());
    }

    @Override
    public Tally ofOverrides() {
        return new OfOne("override");
    }

    @Override
    public void domainNotFound(String domain, int descriptors) {}

    @Override
    public void ruleNotFound(int descriptors) {}

    @Override
    public void answeredBy(FailurePolicy policy) {
        policies.add(policy);
    }

    @Override
    public void passedInShadow() {}

    private final class OfOne implements Tally {
        private final String path;

        OfOne(String path) {
            this.path = path;
        }

        @Override
        public void decided(Request request, Descriptor descriptor, Limit limit, Reading reading) {
            heard.add("decided " + path + " by " + limit.quota().hits());
        }

        @Override
        public void decidedByName(Request request, Descriptor descriptor, NamedLimit limit, Reading reading) {
            heard.add("decided " + path + " by name");
        }

        @Override
        public void undecidedByName(Request request, Descriptor descriptor, NamedLimit limit) {
            heard.add("undecided " + path + " by name");
        }

        @Override
        public void undecided(Request request, Descriptor descriptor, List<NamedLimit> limits) {
            heard.add("undecided " + path);
        }
    }
}
