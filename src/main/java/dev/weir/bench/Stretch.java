package dev.weir.bench;

/**
 * A stretch of time under a load.
 *
 * @param seconds it lasted
 * @param totals of what ended in it
 * @param cpuSeconds processor time that this process took in it
 */
public record Stretch(double seconds, Totals totals, double cpuSeconds) {}
