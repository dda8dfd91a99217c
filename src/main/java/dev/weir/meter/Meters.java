package dev.weir.meter;

import java.util.List;

/**
 * Is told the value of every meter at one moment, under the names of Prometheus.
 *
 * <p>Labels are names and values in turn. What is told twice under the same name and labels adds up for counters; of gauges and
 * histograms it does not happen.
 */
public interface Meters {

    /** Tells what only grows, since the start of the process. */
    void counter(String metric, List<String> labels, double value);

    /** Tells what goes up and down. */
    void gauge(String metric, List<String> labels, double value);

    /**
     * Tells how many values there were of which size.
     *
     * @param bounds the largest value of each class but the last, ascending; the last has all beyond
     * @param counts how many values lie in each class, those of smaller ones not included: one more than bounds
     * @param sum of all values
     */
    void histogram(String metric, List<String> labels, double[] bounds, long[] counts, double sum);
}
