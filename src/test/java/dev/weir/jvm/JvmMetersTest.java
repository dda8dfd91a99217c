package dev.weir.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.weir.meter.Meters;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is told of this very process, in the units of its names. */
final class JvmMetersTest {
    private final Map<String, Double> told = new TreeMap<>();
    private final double startSeconds = ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3;
    private final double upSeconds = ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    @BeforeEach
    void tell() {
        JvmMeters.tell(new Told());
    }

    @Test
    void times_are_in_seconds() {
        assertThat(told.get("process_start_time_seconds")).isEqualTo(startSeconds);
        assertThat(told.get("process_cpu_seconds_total"))
                .isBetween(0.1, 1.1 * (upSeconds + 1) * Runtime.getRuntime().availableProcessors());
        assertThat(of("jvm_gc_collection_seconds_sum"))
                .isNotEmpty()
                .allSatisfy((_, seconds) -> assertThat(seconds).isBetween(0.0, upSeconds + 1));
        assertThat(of("jvm_gc_collection_seconds_count")).isNotEmpty();
    }

    @Test
    void sizes_are_in_bytes() {
        double heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getMax();
        assertThat(told.get("jvm_memory_max_bytes{area,heap}")).isEqualTo(heap);
        assertThat(told.get("jvm_memory_used_bytes{area,heap}"))
                .isBetween(1e6, told.get("jvm_memory_committed_bytes{area,heap}"));
        assertThat(told.get("jvm_memory_used_bytes{area,nonheap}"))
                .isBetween(1e6, told.get("jvm_memory_committed_bytes{area,nonheap}"));
        assertThat(told).containsKey("jvm_memory_max_bytes{area,nonheap}");
        if (Files.exists(Path.of("/proc/self/status"))) { // on Linux
            assertThat(told.get("process_resident_memory_bytes")).isBetween(2e7, (double) system.getTotalMemorySize());
        }
    }

    @Test
    void what_can_be_counted_is_counted() {
        assertThat(told.get("jvm_threads_daemon")).isBetween(1.0, told.get("jvm_threads_current"));
        assertThat(told.get("jvm_threads_peak")).isGreaterThanOrEqualTo(told.get("jvm_threads_daemon"));
        assertThat(told.get("jvm_classes_currently_loaded")).isGreaterThan(1_000);
        if (system instanceof UnixOperatingSystemMXBean unix) {
            double most = unix.getMaxFileDescriptorCount();
            assertThat(told.get("process_max_fds")).isEqualTo(most);
            assertThat(told.get("process_open_fds")).isBetween(3.0, most);
            if (Files.exists(Path.of("/proc/self/limits"))) { // on Linux
                assertThat(OpenFiles.most().orElse(unix.getMaxFileDescriptorCount()))
                        .isEqualTo(unix.getMaxFileDescriptorCount());
            }
        }
    }

    private Map<String, Double> of(String metric) {
        var chosen = new TreeMap<>(told);
        chosen.keySet().removeIf(name -> !name.startsWith(metric + "{"));
        return chosen;
    }

    /** Keeps what it is told, by name and labels. */
    private final class Told implements Meters {
        @Override
        public void counter(String metric, List<String> labels, double value) {
            gauge(metric, labels, value);
        }

        @Override
        public void gauge(String metric, List<String> labels, double value) {
            String name = labels.isEmpty() ? metric : metric + "{" + String.join(",", labels) + "}";
            assertThat(told.put(name, value)).as(name).isNull();
        }

        @Override
        public void histogram(String metric, List<String> labels, double[] bounds, long[] counts, double sum) {
            throw new AssertionError("there is none: " + metric);
        }
    }
}
