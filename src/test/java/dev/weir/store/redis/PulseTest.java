package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.HeardLog;
import dev.weir.store.redis.plain.Probe;
import dev.weir.store.redis.plain.ShortWay;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of the pulse where something is thrown. */
final class PulseTest {
    @RegisterExtension
    final HeardLog log = HeardLog.of(Pulse.class);

    private final DeafListener listener = new DeafListener();

    @Test
    void a_defect_costs_a_beat_and_is_told_once_in_a_row() {
        var pulse = new Pulse(
                new FullHeap(),
                listener,
                List.of(Pulse.key()),
                "",
                new NodeMemory(new RedisOptions.Topology.Single("redis://redis:6379"), listener),
                new Probe(new ShortWay[0], (_, _) -> {}));
        assertThat(pulse.upkeep.step()).isFalse(); // thrown on, it would be the last beat
        assertThat(pulse.upkeep.step()).isFalse();
        assertThat(log.lines()).containsExactly("ERROR a defect in the pulse of Redis");
    }

    /** No lines, and no room to say so. */
    private static final class FullHeap extends AbstractList<Line> {
        @Override
        public Line getFirst() {
            return get(0);
        }

        @Override
        public Line get(int index) {
            throw new OutOfMemoryError("Java heap space");
        }

        @Override
        public int size() {
            return 0;
        }
    }
}
