package dev.weir.jvm;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import dev.weir.meter.Meters;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * What the process and its Java take, under the names that Prometheus's own library for Java gives: dashboards know them.
 * Everything is read when it is asked for, and only then.
 */
public final class JvmMeters {
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final List<String> NO_LABELS = List.of();

    private JvmMeters() {}

    /** Tells all of it. */
    public static void tell(Meters meters) {
        process(meters);
        memory(meters);
        collections(meters);
        var threads = ManagementFactory.getThreadMXBean();
        meters.gauge("jvm_threads_current", NO_LABELS, threads.getThreadCount());
        meters.gauge("jvm_threads_daemon", NO_LABELS, threads.getDaemonThreadCount());
        meters.gauge("jvm_threads_peak", NO_LABELS, threads.getPeakThreadCount());
        meters.gauge(
                "jvm_classes_currently_loaded",
                NO_LABELS,
                ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
    }

    private static void process(Meters meters) {
        long startMillis = ManagementFactory.getRuntimeMXBean().getStartTime();
        meters.gauge("process_start_time_seconds", NO_LABELS, startMillis / MILLIS_PER_SECOND);
        var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        meters.counter("process_cpu_seconds_total", NO_LABELS, system.getProcessCpuTime() / NANOS_PER_SECOND);
        if (system instanceof UnixOperatingSystemMXBean unix) {
            meters.gauge("process_open_fds", NO_LABELS, (double) unix.getOpenFileDescriptorCount());
            meters.gauge("process_max_fds", NO_LABELS, (double) unix.getMaxFileDescriptorCount());
        }
        ProcessMemory.residentBytes()
                .ifPresent(bytes -> meters.gauge("process_resident_memory_bytes", NO_LABELS, (double) bytes));
    }

    private static void memory(Meters meters) {
        var memory = ManagementFactory.getMemoryMXBean();
        memory(meters, "heap", memory.getHeapMemoryUsage());
        memory(meters, "nonheap", memory.getNonHeapMemoryUsage());
    }

    private static void memory(Meters meters, String area, MemoryUsage usage) {
        List<String> labels = List.of("area", area);
        meters.gauge("jvm_memory_used_bytes", labels, (double) usage.getUsed());
        meters.gauge("jvm_memory_committed_bytes", labels, (double) usage.getCommitted());
        meters.gauge("jvm_memory_max_bytes", labels, (double) usage.getMax());
    }

    private static void collections(Meters meters) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            List<String> labels = List.of("gc", collector.getName());
            meters.counter("jvm_gc_collection_seconds_count", labels, (double) collector.getCollectionCount());
            meters.counter("jvm_gc_collection_seconds_sum", labels, collector.getCollectionTime() / MILLIS_PER_SECOND);
        }
    }
}
