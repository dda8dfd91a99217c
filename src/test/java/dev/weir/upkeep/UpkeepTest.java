package dev.weir.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.testing.Eventually;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    void steps_are_taken_until_its_end_whatever_is_thrown() {
        var failing = new AtomicReference<Upkeep>();
        var steps = new AtomicInteger();
        failing.set(new Upkeep(
                () -> {
                    if (steps.incrementAndGet() == 3) {
                        failing.get().end();
                    }
                    throw new IllegalStateException("a defect");
                },
                this::tell));
        failing.get().stepUntilEnd(Duration.ofNanos(1));
        assertThat(steps).hasValue(3);
        assertThat(told).containsExactly("a defect");
    }

    @Test
    void the_first_step_can_be_taken_at_once_unless_it_is_ended() {
        var ending = new AtomicReference<Upkeep>();
        var steps = new AtomicInteger();
        ending.set(new Upkeep(
                () -> {
                    steps.incrementAndGet();
                    ending.get().end();
                },
                this::tell));
        ending.get().stepAtOnceUntilEnd(Duration.ofDays(1));
        ending.get().stepAtOnceUntilEnd(Duration.ofDays(1));
        assertThat(steps).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void an_end_or_an_interrupt_is_heard_in_a_pause(boolean isEnd) throws InterruptedException {
        Thread pausing = Thread.ofPlatform().start(() -> upkeep.stepUntilEnd(Duration.ofDays(1)));
        Eventually.await("it pauses", () -> pausing.getState() == Thread.State.TIMED_WAITING);
        if (isEnd) {
            upkeep.end();
        } else {
            pausing.interrupt();
        }
        assertThat(pausing.join(Duration.ofSeconds(30))).isTrue();
    }

    /** Where the heap is full, what needs memory to pause may never go on. */
    @Test
    void a_pause_takes_no_memory() {
        var steps = new AtomicInteger();
        var counting = new AtomicReference<Upkeep>();
        counting.set(new Upkeep(
                () -> {
                    if (steps.incrementAndGet() % 10_000 == 0) {
                        counting.get().end();
                    }
                },
                this::tell));
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        counting.get().stepUntilEnd(Duration.ofNanos(1));
        assertThat(steps).hasValue(10_000);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
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
