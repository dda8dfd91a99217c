package dev.weir;

import dev.weir.MadeDomain.Node;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Requests that meet the rules of a {@link MadeDomain}, mostly, drawn from its seed.
 *
 * <p>They stay off what is different on purpose (docs/migrate.md), by what is never drawn:
 *
 * <ul>
 *   <li>a descriptor with a limit of its own and the same without, or with another: the Go service counts them together, as
 *       neither limit nor unit are in its keys;
 *   <li>a limit without a unit, which ends the Go service;
 *   <li>refunds, which that version of it does not know;
 *   <li>the text of a pattern as a value where what fits the pattern shares a counter;
 *   <li>more than 10^9 hits at once, which Weir refuses.
 * </ul>
 */
final class MadeRequests {
    private static final List<String> FILLINGS = List.of("x", "", "v1", "/items");
    private static final long[] LIMITS = {1, 2, 3, 5, 20, 0};
    private static final int HOUR = 3;
    private static final int WEEK = 7;
    private static final int MOST_HITS = 1_000_000_000;

    private final MadeDomain domain;
    private final SplittableRandom random;

    MadeRequests(MadeDomain domain) {
        this.domain = domain;
        this.random = new SplittableRandom(~domain.seed());
    }

    RateLimitRequest next() {
        var request = RateLimitRequest.newBuilder().setDomain(domain());
        if (chance(35)) {
            request.setHitsAddend(chance(2) ? MOST_HITS : random.nextInt(4));
        }
        for (int i = chance(2) ? 0 : 1 + random.nextInt(random.nextInt(4) + 1); i > 0; i--) {
            request.addDescriptors(descriptor());
        }
        if (chance(3) && request.getDescriptorsCount() > 0) {
            request.addDescriptors(request.getDescriptors(0));
        }
        return request.build();
    }

    private String domain() {
        return switch (random.nextInt(60)) {
            case 0 -> "";
            case 1 -> "unheard-of";
            default -> domain.name();
        };
    }

    private RateLimitDescriptor descriptor() {
        var descriptor = RateLimitDescriptor.newBuilder();
        var nodes = domain.nodes();
        do {
            boolean isStrange = nodes.isEmpty() || chance(6);
            var node = isStrange ? new Node(key(), "", List.of(), List.of()) : nodes.get(random.nextInt(nodes.size()));
            descriptor.addEntriesBuilder().setKey(node.key()).setValue(chance(8) ? value() : fitting(node.value()));
            nodes = node.below();
        } while (nodes.isEmpty() ? chance(4) : chance(55));
        if (chance(6)) {
            limit(descriptor);
        }
        if (chance(12)) {
            descriptor.getHitsAddendBuilder().setValue(random.nextInt(3));
        }
        return descriptor.build();
    }

    private String fitting(String value) {
        if (value.isEmpty()) {
            return value();
        }
        return value.replace("*", FILLINGS.get(random.nextInt(FILLINGS.size())));
    }

    private String value() {
        if (!domain.isSharing() && chance(4)) {
            return MadeDomain.PATTERNS.get(random.nextInt(MadeDomain.PATTERNS.size()));
        }
        return MadeDomain.VALUES.get(random.nextInt(1 + random.nextInt(MadeDomain.VALUES.size())));
    }

    private String key() {
        return MadeDomain.KEYS.get(random.nextInt(MadeDomain.KEYS.size()));
    }

    /** Gives the descriptor a value that none without a limit has, and the limit that all have which are equal to it. */
    private void limit(RateLimitDescriptor.Builder descriptor) {
        var last = descriptor.getEntriesBuilder(descriptor.getEntriesCount() - 1);
        last.setValue("own" + random.nextInt(3));
        var text = descriptor.getEntriesList().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
        var fixed = new SplittableRandom(text.hashCode());
        descriptor
                .getLimitBuilder()
                .setRequestsPerUnit((int) LIMITS[fixed.nextInt(LIMITS.length)])
                .setUnitValue(HOUR + fixed.nextInt(WEEK - HOUR + 1));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}
