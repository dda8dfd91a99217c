package dev.weir.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports of the loopback interface for processes that must be told theirs before they start.
 *
 * <p>A port that the system hands out may be gone a moment later: every connection that anybody opens takes one of the same
 * range. These lie below that range (Linux begins at 32,768, others higher), come in turn so that none is handed out again
 * soon, and begin at a place of chance so that two builds on one machine seldom meet. None is the standard port of Redis, of its
 * sentinels or of their cluster buses.
 */
public final class FreePorts {
    private static final int FIRST = 11_000;
    private static final int COUNT = 5_000;

    /** A cluster node of Redis also listens this far above its port. */
    private static final int BUS_DISTANCE = 10_000;

    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePorts() {}

    /** Returns {@code count} different free ports. */
    public static int[] find(int count) {
        var ports = new int[count];
        for (int i = 0; i < count; i++) {
            ports[i] = find();
        }
        return ports;
    }

    /** Returns a port that is free, and whose cluster bus, 10,000 above it, is free too. */
    public static int find() {
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + Math.floorMod(NEXT.getAndIncrement(), COUNT);
            if (isFree(port) && isFree(port + BUS_DISTANCE)) {
                return port;
            }
        }
        throw new IllegalStateException("no port from %d to %d is free".formatted(FIRST, FIRST + COUNT - 1));
    }

    private static boolean isFree(int port) {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException _) {
            return false; // that it cannot be bound is the answer
        }
    }
}
