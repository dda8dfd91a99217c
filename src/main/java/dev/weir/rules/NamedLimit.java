package dev.weir.rules;

import dev.weir.limit.Limit;

/**
 * One of the limits of a rule.
 *
 * @param limit what is counted, how, and against how much
 * @param name by which other rules drop this limit and callers know it; empty if it has none
 */
public record NamedLimit(Limit limit, String name) {}
