package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.bench.load.Load;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** By a clock that is a second further whenever somebody looks at it: when it begins, and before and after each count. */
@Timeout(60)
final class StopwatchTest {
    private static final Duration LENGTH = Duration.ofSeconds(1);

    private long seconds;

    private long nanoTime() {
        return TimeUnit.SECONDS.toNanos(seconds++);
    }

    @Test
    void the_time_in_which_nobody_counts_belongs_to_the_stretch_that_counts_what_ended_in_it() throws Exception {
        var load = HeardEnds.load(1, new Load.Pacing.Closed(1), Duration.ZERO);
        try (var service = new ListeningService();
                var generator = Generator.connect(load, service.route())) {
            var watch = Stopwatch.begin(generator, this::nanoTime);
            var first = watch.next(LENGTH, (_, _, _) -> seconds += 10); // a terminal that is stuck
            assertThat(first.seconds()).isEqualTo(2);
            seconds += 100;
            var second = watch.next(LENGTH, (_, _, _) -> {});
            assertThat(second.seconds()).isEqualTo(112);
        }
    }

    @Test
    void nobody_looks_at_the_clock_before_the_load_has_begun() throws Exception {
        var load = HeardEnds.load(1, new Load.Pacing.Closed(1), Duration.ZERO);
        try (var service = new ListeningService()) {
            var generator = Generator.connect(load, service.route());
            generator.close(); // so that it cannot begin
            assertThatThrownBy(() -> Stopwatch.begin(generator, this::nanoTime))
                    .isInstanceOf(RejectedExecutionException.class);
            assertThat(seconds).isZero();
        }
    }

    @Test
    void a_stretch_of_no_time_counts_nothing_and_takes_none_from_the_next() throws Exception {
        var load = HeardEnds.load(1, new Load.Pacing.Closed(1), Duration.ZERO);
        try (var service = new ListeningService();
                var generator = Generator.connect(load, service.route())) {
            var watch = Stopwatch.begin(generator, this::nanoTime);
            assertThat(watch.next(Duration.ZERO, (_, _, _) -> {}).seconds()).isZero();
            assertThat(watch.next(LENGTH, (_, _, _) -> {}).seconds()).isEqualTo(2);
        }
    }
}
