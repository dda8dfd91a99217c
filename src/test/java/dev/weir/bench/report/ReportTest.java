package dev.weir.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.Counted;
import dev.weir.bench.Stretch;
import dev.weir.bench.Totals;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the table has only at times, and what a program gets then. */
final class ReportTest {
    private static final double CPU_SECONDS = 1.5;

    private static Report report(Totals inStretch, Totals atEnd) {
        return report(inStretch, atEnd, new Load.Pacing.Closed(2), Duration.ZERO);
    }

    private static Report report(Totals inStretch, Totals atEnd, Load.Pacing pacing, Duration deadline) {
        var user = new Question.Descriptor(List.of(new Question.Entry("user", "u%d")));
        var load = new Load(new Question("edge", List.of(user), 1), new Keys.Uniform(10), 3, pacing, deadline, 1);
        return new Report(
                "here:8081",
                false,
                List.of("user=u%d"),
                false,
                load,
                Duration.ofSeconds(5),
                new Stretch(2, inStretch, CPU_SECONDS),
                inStretch.plus(atEnd));
    }

    @Test
    void lost_connections_have_a_line_if_there_are_any() {
        assertThat(report(Counted.verdicts(1), Counted.lost(2)).text())
                .contains("connections lost: 2, of attempts to replace one 1 failed\n");
        assertThat(report(Counted.verdicts(1), new Totals()).text()).doesNotContain("connections lost");
    }

    @Test
    void a_deadline_belongs_to_the_load() {
        var told = report(Counted.verdicts(1), new Totals(), new Load.Pacing.Open(1_000), Duration.ofNanos(20_500_000));
        assertThat(told.text())
                .contains("load        open loop, 1,000 requests/s over 3 connections, deadline 20.5 ms\n");
        assertThat(told.json()).contains("\"deadline_ms\" : 20.5,");
    }

    @Test
    void what_the_service_says_cannot_speak_to_the_terminal() {
        assertThat(report(Counted.unavailable("gone\u001b[31m\nforever"), new Totals())
                        .text())
                .contains("the first error: UNAVAILABLE: gone\\u{1b}[31m\\u{a}forever\n");
    }

    @Test
    void processor_time_is_shared_by_the_requests_of_the_stretch() {
        var told = report(Counted.verdicts(3), Counted.verdicts(7));
        assertThat(told.text()).endsWith("\n\nThe generator took 500000.00 us of processor time a request.\n");
        assertThat(told.json()).contains("\"requests\" : 10,", "\"generator_cpu_us_per_request\" : 500000.0\n");
    }

    @Test
    void where_none_ended_in_the_stretch_none_has_a_share_of_it() {
        var told = report(new Totals(), Counted.verdicts(7));
        assertThat(told.text()).doesNotContain("processor time");
        assertThat(told.json()).contains("\"requests\" : 7,", "\"generator_cpu_us_per_request\" : 0.0\n");
    }
}
