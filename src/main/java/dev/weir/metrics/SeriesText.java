package dev.weir.metrics;

import dev.weir.meter.PrometheusLines;
import dev.weir.meter.PrometheusText;
import dev.weir.meter.PrometheusText.Lone;
import dev.weir.meter.TextOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * The series of rules and callers in Prometheus's text. Their labels are made of their names for each line anew: of thirty thousand rules they
 * would take more of the heap than the rules, just when these are loaded.
 */
final class SeriesText {
    private static final String RATE_LIMIT = "ratelimit_service_rate_limit_";
    private static final String DOMAIN_NOT_FOUND = "domain_not_found";
    private static final Stat[] BY_WORD = byWord();

    private SeriesText() {}

    private static Stat[] byWord() {
        Stat[] stats = Stat.values();
        Arrays.sort(stats, Comparator.comparing(Stat::word));
        return stats;
    }

    /** Adds the counts of all series that have moved. */
    static void add(GoCounters counters, Collection<HitCounts.NamedSeries> named, PrometheusText text) {
        Series[] series = counters.series().toArray(Series[]::new);
        Arrays.sort(series, new TextOrder<>(Series::name, SeriesText::label));
        for (Stat stat : BY_WORD) {
            if (PrometheusName.hasLabels(stat)) {
                text.counters(RATE_LIMIT + stat.word(), lines -> write(series, stat, lines));
            }
        }
        text.lones(new Lones(lones(counters, series)));
        HitCounts.NamedSeries[] limits = named.toArray(HitCounts.NamedSeries[]::new);
        Arrays.sort(limits, new TextOrder<>(HitCounts.NamedSeries::rule, SeriesText::label));
        text.counters(PrometheusName.escaped(MeterNames.LIMIT_HITS) + "_total", lines -> write(limits, lines));
    }

    private static void label(StringBuilder labels, Series series) {
        PrometheusName.ruleLabels(labels, series.name());
    }

    private static void label(StringBuilder labels, HitCounts.NamedSeries named) {
        PrometheusLines.label(labels, "rule", named.rule());
        PrometheusLines.label(labels, "limit", named.limit());
    }

    private static void name(StringBuilder metric, Counter counter) {
        metric.append(RATE_LIMIT);
        PrometheusName.escape(metric, counter.name());
        metric.append('_').append(counter.what());
    }

    /** Series with the same labels follow each other, and are one line. */
    private static void write(Series[] byLabels, Stat stat, PrometheusLines lines) throws IOException {
        var labels = new StringBuilder();
        var next = new StringBuilder();
        double sum = 0;
        for (Series one : byLabels) {
            long count = one.count(stat);
            if (count == 0 || !PrometheusName.hasLabels(one.name())) {
                continue;
            }
            next.setLength(0);
            label(next, one);
            if (sum != 0 && next.compareTo(labels) != 0) {
                lines.sample(labels, sum);
                sum = 0;
            }
            if (sum == 0) {
                labels.setLength(0);
                labels.append(next);
            }
            sum += (double) count;
        }
        if (sum != 0) {
            lines.sample(labels, sum);
        }
    }

    private static void write(HitCounts.NamedSeries[] limits, PrometheusLines lines) throws IOException {
        var labels = new StringBuilder();
        for (HitCounts.NamedSeries named : limits) {
            labels.setLength(0);
            label(labels, named);
            int end = labels.length();
            for (Stat stat : BY_WORD) {
                long count = named.series().count(stat);
                if (count != 0) {
                    labels.setLength(end);
                    PrometheusLines.label(labels, "stat", stat.word());
                    lines.sample(labels.append('}'), (double) count);
                }
            }
        }
    }

    private static Counter[] lones(GoCounters counters, Series[] all) {
        List<Counter> lones = new ArrayList<>();
        for (Series series : all) {
            counters.forStats(series, (stat, count) -> {
                if (!PrometheusName.hasLabels(stat) || !PrometheusName.hasLabels(series.name())) {
                    lones.add(new Counter(series.name(), stat.word(), count));
                }
            });
        }
        counters.forUnknownDomains((domain, count) -> lones.add(new Counter(domain, DOMAIN_NOT_FOUND, count)));
        Counter[] sorted = lones.toArray(Counter[]::new);
        Arrays.sort(sorted, new TextOrder<>(Counter::name, SeriesText::name));
        return sorted;
    }

    /** A count whose metric has its name. */
    private record Counter(String name, String what, long count) {}

    /** Counters of the same metric follow each other, and are one. */
    private static final class Lones implements Iterator<Lone> {
        private final Counter[] byMetric;
        private final StringBuilder metric = new StringBuilder();
        private final StringBuilder next = new StringBuilder();
        private int place;

        Lones(Counter[] byMetric) {
            this.byMetric = byMetric;
            read();
        }

        private void read() {
            next.setLength(0);
            if (hasNext()) {
                name(next, byMetric[place]);
            }
        }

        @Override
        public boolean hasNext() {
            return place < byMetric.length;
        }

        @Override
        public Lone next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            metric.setLength(0);
            metric.append(next);
            double sum = 0;
            do {
                sum += (double) byMetric[place++].count();
                read();
            } while (next.compareTo(metric) == 0);
            return new Lone(metric.toString(), sum);
        }
    }
}
