package dev.weir.decide;

import dev.weir.limit.Charge;
import dev.weir.limit.FailurePolicy;
import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.Domain;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import dev.weir.rules.RuleNode;
import dev.weir.rules.RuleNode.Flags;
import dev.weir.rules.RuleSet;
import dev.weir.store.OwnShare;
import dev.weir.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** A domain whose rules are named by one key each, and who decides by them. An error is the answer where nothing else is said. */
final class Shop {
    private Shop() {}

    static RuleSet rules(RuleNode... rules) {
        return RuleSet.of(List.of(Domain.of("shop", List.of(rules))));
    }

    static RuleNode rule(String key, boolean isQuota, FailurePolicy policy, Limit... limits) {
        var named = Arrays.stream(limits)
                .map(limit -> new NamedLimit(limit, limits.length == 1 ? "" : String.valueOf(limit.quota())))
                .toList();
        var flags = new Flags(false, isQuota, false, false, false, policy);
        return new RuleNode(key, "", new RateLimit(named, List.of()), flags, Map.of(), List.of());
    }

    static Decider decider(RuleSet rules, Store store, Store own, HitListener noted) {
        var answering = new Answering(false, false, null, null, true, FailurePolicy.ERROR, Charge.ALWAYS);
        return new Decider(
                () -> rules,
                store,
                new OwnShare(own, () -> 1),
                new Bounds(9, 9, 9),
                answering,
                new DeafListener(noted));
    }

    /** Asks for a descriptor of each key. */
    static Verdict ask(Decider decider, String... keys) {
        var descriptors = Arrays.stream(keys)
                .map(key -> Descriptor.of(new Entry(key, "x")))
                .toList();
        return decider.decide(new Request("shop", descriptors, 0))
                .verdict()
                .toCompletableFuture()
                .join();
    }
}
