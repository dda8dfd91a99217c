package dev.weir.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The text format of Prometheus, where a number is none. */
final class PrometheusTextTest {
    @Test
    void one_gauge_that_is_no_number_does_not_cost_the_page() throws IOException {
        var text = new PrometheusText();
        text.gauge("a", List.of(), Double.NaN);
        text.gauge("b", List.of(), Double.POSITIVE_INFINITY);
        text.gauge("c", List.of(), Double.NEGATIVE_INFINITY);
        text.gauge("d", List.of(), 0.00025);
        var page = new StringWriter();
        text.write(page);
        assertThat(page.toString().lines().filter(line -> !line.startsWith("#")))
                .containsExactly("a NaN", "b +Inf", "c -Inf", "d 0.00025");
    }
}
