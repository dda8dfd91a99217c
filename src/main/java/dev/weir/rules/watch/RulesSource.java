package dev.weir.rules.watch;

import dev.weir.rules.RuleSet;
import org.jspecify.annotations.Nullable;

/** Where rules come from, and which of them are in force. */
public interface RulesSource extends AutoCloseable {

    /**
     * Begins to load rules. If there is a mistake in them, or there are none yet, they come into force later.
     *
     * @throws IllegalThreadStateException if it was started before
     */
    void start();

    /** Returns the rules in force, or null as long as no set of rules was good. */
    @Nullable
    RuleSet inForce();

    /** Returns whether a set of rules was seen, good or bad; before, nobody knows whether there are any. */
    boolean hasSpoken();

    /** Stops loading; the rules in force stay so. */
    @Override
    void close();
}
