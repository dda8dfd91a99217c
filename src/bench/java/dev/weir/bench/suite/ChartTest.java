package dev.weir.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.suite.Chart.Axis;
import dev.weir.bench.suite.Chart.Line;
import dev.weir.bench.suite.Chart.Point;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

/** Points stand where their numbers say. */
final class ChartTest {
    private final Axis even = new Axis("answered < a second", List.of(0.0, 50.0, 100.0), false, Object::toString);
    private final Axis log = new Axis("ms", List.of(0.1, 1.0, 10.0), true, Object::toString);

    @Test
    void an_axis_maps_its_ends_to_its_ends_and_clips_what_is_beyond() {
        assertThat(even.share(25)).isEqualTo(0.25);
        assertThat(even.share(-1)).isZero();
        assertThat(even.share(101)).isEqualTo(1);
        assertThat(log.share(1)).isBetween(0.499, 0.501);
        assertThat(log.share(0)).isZero();
    }

    @Test
    void a_chart_is_well_formed_and_has_a_mark_for_each_point() throws Exception {
        var lines = List.of(
                new Line("one & only", false, List.of(new Point(0, 0.1), new Point(100, 10))),
                new Line("other", true, List.of(new Point(50, 10))),
                new Line("empty", true, List.of()));
        String svg = Chart.svg("p99 < p100", "2 processors", even, log, lines);
        var document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        assertThat(document.getElementsByTagName("circle").getLength()).isEqualTo(3);
        assertThat(document.getElementsByTagName("polyline").getLength()).isEqualTo(2);
        assertThat(document.getElementsByTagName("title").item(0).getTextContent())
                .isEqualTo("p99 < p100");
        var corner = document.getElementsByTagName("circle").item(0).getAttributes();
        assertThat(corner.getNamedItem("cx").getNodeValue()).isEqualTo("72.0");
        assertThat(corner.getNamedItem("cy").getNodeValue()).isEqualTo("344.0");
    }

    @ParameterizedTest
    @CsvSource({"9, 9", "10, 10", "12, 12", "314000, 350000", "1.7, 1.8", "130000, 140000"})
    void ticks_are_round_and_reach_the_highest(double highest, double last) {
        var ticks = Pictures.ticks(highest);
        assertThat(ticks.getFirst()).isZero();
        assertThat(ticks.getLast()).isBetween(last * 0.999, last * 1.001);
        assertThat(ticks.size()).isBetween(5, 11);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.1 | 0 0.2 0.4 0.6 0.8 1 1.2",
                "3 | 0 0.5 1 1.5 2 2.5 3",
                "0.065 | 0 0.01 0.02 0.03 0.04 0.05 0.06 0.07",
                "60 | 0 10 20 30 40 50 60"
            })
    void a_tick_is_labelled_with_no_more_digits_than_it_has(double highest, String labels) {
        assertThat(Pictures.ticks(highest).stream().map(Pictures::plain)).containsExactly(labels.split(" "));
    }
}
