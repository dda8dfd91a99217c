package dev.weir.metrics;

import dev.weir.decide.HitListener;
import dev.weir.decide.Tally;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.Rule;
import dev.weir.store.Reading;
import io.micrometer.core.instrument.Counter;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Counts hits under the names of rules. */
final class HitCounts implements HitListener {
    private final SeriesBook rules;
    private final Map<Name, NamedSeries> named = new ConcurrentHashMap<>();
    private final float nearRatio;
    private final LongAdder shadowed = new LongAdder();
    private final LongAdder withoutDomain = new LongAdder();
    private final LongAdder withoutRule = new LongAdder();
    private final Map<FailurePolicy, Counter> withoutStore = new EnumMap<>(FailurePolicy.class);

    /**
     * Creates the counts.
     *
     * @param rules where a descriptor counts once
     * @param nearRatio the share of a limit from which on hits are near it
     * @param withoutStoreBy gives what counts the descriptors that were answered by a policy
     */
    HitCounts(SeriesBook rules, float nearRatio, Function<FailurePolicy, Counter> withoutStoreBy) {
        this.rules = rules;
        this.nearRatio = nearRatio;
        for (FailurePolicy policy : FailurePolicy.values()) {
            withoutStore.put(policy, withoutStoreBy.apply(policy));
        }
    }

    @Override
    public Tally of(Rule rule) {
        return new OfRule(rule);
    }

    @Override
    public Tally ofOverrides() {
        return new OfOverrides();
    }

    @Override
    public void domainNotFound(String domain, int descriptors) {
        rules.domainNotFound(domain, descriptors);
        withoutDomain.add(descriptors);
    }

    @Override
    public void ruleNotFound(int descriptors) {
        withoutRule.add(descriptors);
    }

    @Override
    public void answeredBy(FailurePolicy policy) {
        Objects.requireNonNull(withoutStore.get(policy)).increment();
    }

    @Override
    public void passedInShadow() {
        shadowed.increment();
    }

    /** Returns how many requests passed although they were over, because nothing is refused at all. */
    long shadowed() {
        return shadowed.sum();
    }

    /** Returns how many descriptors named a domain without rules. */
    long withoutDomain() {
        return withoutDomain.sum();
    }

    /** Returns how many descriptors met no rule of their domain. */
    long withoutRule() {
        return withoutRule.sum();
    }

    /** Returns the series of limits with a name that hold together with others. */
    Collection<NamedSeries> named() {
        return named.values();
    }

    /**
     * What is counted of one of several limits.
     *
     * @param rule the name of the rule's series
     * @param limit the limit's name
     * @param series its counts
     */
    record NamedSeries(String rule, String limit, Series series) {}

    /** A name of a rule, and one of a limit: either may have dots. */
    private record Name(String rule, String limit) {}

    private void decided(
            Series series, Request request, Descriptor descriptor, Limit limit, Reading reading, boolean isShadow) {
        if (descriptor.isRefund()) {
            series.add(Stat.TOTAL_NEGATIVE_HITS, request.hitsOf(descriptor));
        } else {
            series.decided(request.hitsOf(descriptor), limit, reading, nearRatio, isShadow);
        }
    }

    private static void undecided(Series series, Request request, Descriptor descriptor) {
        Stat stat = descriptor.isRefund() ? Stat.TOTAL_NEGATIVE_HITS : Stat.TOTAL_HITS;
        series.add(stat, request.hitsOf(descriptor));
    }

    /** The hits of one rule: in its series, or in those that the values of requests name. */
    private final class OfRule implements Tally {
        private final Series own;
        private final boolean isShadow;
        private final @Nullable Rule namedByValues;

        /** By the names of limits; a limit that stands alone, or has no name, counts into its rule's only. */
        private final Map<String, Series> byName;

        OfRule(Rule rule) {
            this.own = rules.configured(SeriesName.of(rule));
            this.isShadow = rule.flags().shadowMode();
            this.namedByValues = SeriesName.hasValues(rule) ? rule : null;
            this.byName = rule.limits().size() == 1 ? Map.of() : seriesByName(rule.limits());
        }

        private Map<String, Series> seriesByName(List<NamedLimit> limits) {
            Map<String, Series> found = new HashMap<>();
            for (NamedLimit limit : limits) {
                if (!limit.name().isEmpty()) {
                    found.put(limit.name(), seriesOf(limit.name()));
                }
            }
            return Map.copyOf(found); // which is the same for all that have none
        }

        private Series seriesOf(String limit) {
            String name = SeriesName.clean(limit);
            return named.computeIfAbsent(
                            new Name(own.name(), name),
                            both -> new NamedSeries(
                                    both.rule(), both.limit(), new Series(both.rule() + "." + both.limit())))
                    .series();
        }

        @Override
        public void decided(Request request, Descriptor descriptor, Limit limit, Reading reading) {
            HitCounts.this.decided(series(request, descriptor), request, descriptor, limit, reading, isShadow);
        }

        @Override
        public void decidedByName(Request request, Descriptor descriptor, NamedLimit limit, Reading reading) {
            Series series = byName.get(limit.name());
            if (series != null) {
                HitCounts.this.decided(series, request, descriptor, limit.limit(), reading, isShadow);
            }
        }

        @Override
        public void undecided(Request request, Descriptor descriptor, List<NamedLimit> held) {
            HitCounts.undecided(series(request, descriptor), request, descriptor);
            // Indexed: many fail at once, and an iterator for each would be garbage.
            for (int i = 0; i < held.size(); i++) {
                undecidedByName(request, descriptor, held.get(i));
            }
        }

        @Override
        public void undecidedByName(Request request, Descriptor descriptor, NamedLimit limit) {
            Series series = byName.get(limit.name());
            if (series != null) {
                HitCounts.undecided(series, request, descriptor);
            }
        }

        private Series series(Request request, Descriptor descriptor) {
            return namedByValues == null
                    ? own
                    : rules.made(request.domain(), SeriesName.of(namedByValues, request.domain(), descriptor));
        }
    }

    /** The hits against limits that callers send along. */
    private final class OfOverrides implements Tally {
        @Override
        public void decided(Request request, Descriptor descriptor, Limit limit, Reading reading) {
            HitCounts.this.decided(series(request, descriptor), request, descriptor, limit, reading, false);
        }

        @Override
        public void decidedByName(Request request, Descriptor descriptor, NamedLimit limit, Reading reading) {
            throw standsAlone();
        }

        @Override
        public void undecidedByName(Request request, Descriptor descriptor, NamedLimit limit) {
            throw standsAlone();
        }

        private static IllegalStateException standsAlone() {
            return new IllegalStateException("a limit that a caller sends along stands alone and has no name");
        }

        @Override
        public void undecided(Request request, Descriptor descriptor, List<NamedLimit> held) {
            HitCounts.undecided(series(request, descriptor), request, descriptor);
        }

        private Series series(Request request, Descriptor descriptor) {
            return rules.made(request.domain(), SeriesName.ofOverride(request.domain(), descriptor));
        }
    }
}
