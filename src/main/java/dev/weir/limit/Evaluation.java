package dev.weir.limit;

/**
 * What an algorithm says to a number of equal checks made at one instant.
 *
 * @param admitted how many of the checks are admitted: the first ones
 * @param left hits that one more check could have right after the admitted ones; what the refused ones consumed
 *     (where refused hits count) is not taken off
 * @param resetMicros time until the counter is as if untouched
 * @param retryMicros time until a refused check would be admitted
 * @param state the counter's new state
 */
public record Evaluation(long admitted, long left, long resetMicros, long retryMicros, long state) {}
