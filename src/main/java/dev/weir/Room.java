package dev.weir;

import dev.weir.jvm.OpenFiles;
import dev.weir.settings.Settings;

/**
 * For how many connections of callers over gRPC there is room.
 *
 * @param inHeap as many as fit into a quarter of it
 * @param amongFiles as many as the limit on open files leaves beside the other ports, the store and what else is open: where those
 *     had all of it, nobody could ask how Weir is
 */
record Room(long inHeap, long amongFiles) {
    // Measured with a call each, and rounded up: 8,000 bytes in the clear, 30,000 with the engine of TLS. Who fills all
    // that is kept of headers makes it 7,300 more: where all callers do, half of the heap is full, which is what must
    // fit (decision 29).
    private static final long CONNECTION_BYTES = 8 << 10;
    private static final long TLS_CONNECTION_BYTES = 32 << 10;
    private static final int SHARE_OF_HEAP = 4;

    private static final long CONNECTIONS_OF_HTTP = 1_000; // as many as a port takes
    private static final long FILES = 500; // with few nodes of Redis some 100 are in use

    static Room of(Settings settings) {
        return of(
                Runtime.getRuntime().maxMemory(),
                settings.grpc().tls() != null,
                OpenFiles.most().orElse(Long.MAX_VALUE),
                settings.metrics().prometheus() == null ? 2 : 3);
    }

    /** Where few files may be open callers get half of them: all ports of HTTP are hardly ever full at once. */
    static Room of(long heap, boolean isTls, long files, int portsOfHttp) {
        return new Room(
                heap / SHARE_OF_HEAP / (isTls ? TLS_CONNECTION_BYTES : CONNECTION_BYTES),
                Math.max(files / 2, files - portsOfHttp * CONNECTIONS_OF_HTTP - FILES));
    }

    int connections() {
        return (int) Math.min(Integer.MAX_VALUE, Math.min(inHeap, amongFiles));
    }
}
