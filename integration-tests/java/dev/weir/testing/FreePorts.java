package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Ports of the loopback interface that nobody listened on a moment ago. */
public final class FreePorts {

    /** A cluster node of Redis also listens this far above its port. */
    private static final int BUS_DISTANCE = 10_000;

    private static final int TRIES = 1_000;

    private FreePorts() {}

    /** Returns {@code count} different free ports. */
    public static int[] find(int count) {
        var sockets = new ServerSocket[count];
        var ports = new int[count];
        try {
            for (int i = 0; i < count; i++) {
                sockets[i] = bind(0);
                ports[i] = sockets[i].getLocalPort();
            }
            for (var socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a free port. */
    public static int find() {
        return find(1)[0];
    }

    /** Returns a free port whose cluster bus, 10,000 above it, is free too. */
    static int findWithBus() {
        for (int i = 0; i < TRIES; i++) {
            int port = find();
            if (port + BUS_DISTANCE <= 0xFFFF && isFree(port + BUS_DISTANCE)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port with a free one 10,000 above it");
    }

    private static boolean isFree(int port) {
        try (var socket = bind(port)) {
            return socket.isBound();
        } catch (IOException _) {
            return false; // that it cannot be bound is the answer
        }
    }

    private static ServerSocket bind(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
