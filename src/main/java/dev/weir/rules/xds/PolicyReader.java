package dev.weir.rules.xds;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Charge;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.rules.Checks;
import dev.weir.rules.NamedLimit;
import dev.weir.rules.RateLimit;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code rate_limit}.
 *
 * @param fixedWindowCharge when hits are counted: the message cannot say
 */
record PolicyReader(Charge fixedWindowCharge) {

    /** Returns what the message says, or null if that is wrong; the mistakes are reported. */
    @Nullable
    RateLimit read(RateLimitPolicy policy, Report report) {
        var replaces = replaces(policy, report);
        int unit = policy.getUnitValue();
        if (policy.getUnlimited()) {
            if (unit != RateLimitUnit.UNKNOWN_VALUE) {
                report.mistake("unit", Checks.UNIT_OF_NO_LIMIT);
            }
            return RateLimit.unlimited(replaces);
        }
        var quota = quota(unit, Integer.toUnsignedLong(policy.getRequestsPerUnit()), report);
        if (quota == null) {
            return null;
        }
        var limit = new Limit(quota, new Algorithm.FixedWindow(), fixedWindowCharge, 0);
        return new RateLimit(List.of(new NamedLimit(limit, policy.getName())), replaces);
    }

    /** No number is no mistake here: the message cannot tell it from 0, which refuses everything. */
    private static @Nullable Quota quota(int number, long requests, Report report) {
        Unit unit = Unit.ofNumber(number);
        if (unit != null) {
            return Quota.per(unit, requests);
        }
        if (number != RateLimitUnit.UNKNOWN_VALUE) {
            String units = String.join(", ", Checks.UNITS);
            report.mistake("unit", "there is no unit with the number " + number + "; write " + units);
        } else {
            report.mistake("unit", requests == 0 ? Checks.NO_LIMIT : Checks.NO_UNIT);
        }
        return null;
    }

    private static List<String> replaces(RateLimitPolicy policy, Report report) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < policy.getReplacesCount(); i++) {
            String name = policy.getReplaces(i).getName();
            String wrong = Checks.replaced(name, policy.getName());
            if (wrong == null) {
                names.add(name);
            } else {
                report.in("replaces", i).mistake("name", wrong);
            }
        }
        return names;
    }
}
