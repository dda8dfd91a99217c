package dev.weir.rules.xds;

import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;

/** Resources as a control plane writes them. */
final class Configs {
    private Configs() {}

    /** Returns the resource {@code name} with a domain of the same name, in which every user has so many hits a minute. */
    static RateLimitConfig limited(String name, int hits) {
        return RateLimitConfig.newBuilder()
                .setName(name)
                .setDomain(name)
                .addDescriptors(descriptor("user").setRateLimit(policy(RateLimitUnit.MINUTE, hits)))
                .build();
    }

    /** Returns a resource whose third descriptor has a limit without a unit. */
    static RateLimitConfig bad(String name) {
        return RateLimitConfig.newBuilder()
                .setName(name)
                .setDomain(name)
                .addDescriptors(descriptor("a"))
                .addDescriptors(descriptor("b"))
                .addDescriptors(descriptor("c").setRateLimit(policy(RateLimitUnit.UNKNOWN, 5)))
                .build();
    }

    static RateLimitDescriptor.Builder descriptor(String key) {
        return RateLimitDescriptor.newBuilder().setKey(key);
    }

    static RateLimitPolicy.Builder policy(RateLimitUnit unit, int hits) {
        return RateLimitPolicy.newBuilder().setUnit(unit).setRequestsPerUnit(hits);
    }
}
