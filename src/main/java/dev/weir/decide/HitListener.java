package dev.weir.decide;

import dev.weir.limit.FailurePolicy;
import dev.weir.rules.Rule;

/** Is told what becomes of hits, rule by rule. Called from event loops: must not block, must not throw. */
public interface HitListener {

    /**
     * Returns who is told of the hits of descriptors that land on the rule. It is asked when the first of them does, and
     * where two do at the same time, twice: either answer counts.
     */
    Tally of(Rule rule);

    /** Returns who is told of the hits against limits that callers send along. */
    Tally ofOverrides();

    /**
     * A request named a domain that has no rules.
     *
     * @param descriptors how many it had
     */
    void domainNotFound(String domain, int descriptors);

    /** So many descriptors of a request met no rule of its domain, and brought no limit along. */
    void ruleNotFound(int descriptors);

    /**
     * A descriptor's limits could not be asked.
     *
     * @param policy what it was answered by; an error only where another descriptor's refusal was the answer
     */
    void answeredBy(FailurePolicy policy);

    /** A request was over its limits and may pass, because nothing is refused at all. */
    void passedInShadow();
}
