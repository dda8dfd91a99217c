package dev.weir.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of work that is done step by step where something is thrown. */
final class UpkeepTest {
    private final List<String> told = new ArrayList<>();
    private final Upkeep upkeep = new Upkeep(this::work, this::tell);
    private String defect = "";
    private boolean isFull;

    @Test
    void a_defect_costs_a_step_and_is_told_once_in_a_row() {
        assertThat(upkeep.step()).isTrue();
        defect = "first";
        assertThat(upkeep.step()).isFalse();
        defect = "second";
        assertThat(upkeep.step()).isFalse();
        assertThat(told).containsExactly("first");
        defect = "";
        assertThat(upkeep.step()).isTrue();
        defect = "third";
        assertThat(upkeep.step()).isFalse();
        assertThat(told).containsExactly("first", "third");
    }

    @Test
    void where_there_is_no_room_to_tell_the_next_defect_is_told() {
        defect = "first";
        isFull = true;
        assertThat(upkeep.step()).isFalse();
        assertThat(upkeep.step()).isFalse();
        assertThat(told).isEmpty();
        isFull = false;
        defect = "last";
        assertThat(upkeep.step()).isFalse();
        assertThat(told).containsExactly("last");
    }

    @Test
    void steps_are_taken_until_it_is_closed_whatever_is_thrown() {
        var closed = new CountDownLatch(1);
        var steps = new AtomicInteger();
        var failing = new Upkeep(
                () -> {
                    if (steps.incrementAndGet() == 3) {
                        closed.countDown();
                    }
                    throw new IllegalStateException("a defect");
                },
                this::tell);
        failing.stepUntil(closed, Duration.ofNanos(1));
        assertThat(steps).hasValue(3);
        assertThat(told).containsExactly("a defect");
    }

    @Test
    void the_first_step_can_be_taken_at_once_unless_it_is_closed() {
        var closed = new CountDownLatch(1);
        var steps = new AtomicInteger();
        var ending = new Upkeep(
                () -> {
                    steps.incrementAndGet();
                    closed.countDown();
                },
                this::tell);
        ending.stepAtOnceUntil(closed, Duration.ofDays(1));
        ending.stepAtOnceUntil(closed, Duration.ofDays(1));
        assertThat(steps).hasValue(1);
    }

    private void work() {
        if (isFull) {
            throw new OutOfMemoryError(defect);
        }
        if (!defect.isEmpty()) {
            throw new IllegalStateException(defect);
        }
    }

    private void tell(Throwable of) {
        if (isFull) {
            throw new OutOfMemoryError("Java heap space");
        }
        told.add(String.valueOf(of.getMessage()));
    }
}
