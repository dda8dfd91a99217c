package dev.weir.bench;

import dev.weir.bench.request.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Listens, greets as HTTP/2 does, and says nothing else unless it is told to. */
final class ListeningService implements AutoCloseable {
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] RESET = {0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 8};
    private static final int STREAM_ID_AT = 5;

    /** GOAWAY: no stream was taken, and the caller shall be calm. */
    private static final byte[] CALM = {0, 0, 12, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 'c', 'a', 'l', 'm'};

    private final ServerSocket socket = listen();
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final Thread accepting;
    private volatile int mostGreeted = Integer.MAX_VALUE;
    private volatile boolean isTurningAway;

    ListeningService() {
        accepting = Thread.ofVirtual().start(this::accept);
    }

    private static ServerSocket listen() {
        try {
            return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept() {
        try {
            while (true) {
                var next = socket.accept();
                if (accepted.size() >= mostGreeted) {
                    next.close();
                    continue;
                }
                accepted.add(next);
                next.getOutputStream().write(EMPTY_SETTINGS);
                if (isTurningAway) {
                    next.getOutputStream().write(CALM);
                }
                Thread.ofVirtual().start(() -> drain(next));
            }
        } catch (IOException _) {
            // The test is over.
        }
    }

    private void drain(Socket from) {
        try (from) {
            from.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException _) {
            // It was cut.
        }
        ended.incrementAndGet();
    }

    Route route() {
        return Route.inTheClear("127.0.0.1", socket.getLocalPort());
    }

    /** Closes every connection after so many. */
    void greetAtMost(int connections) {
        mostGreeted = connections;
    }

    /** Ends every connection with an error, and each that comes as soon as it is greeted. */
    void turnAway() throws IOException {
        isTurningAway = true;
        for (var connection : accepted) {
            connection.getOutputStream().write(CALM);
        }
    }

    /** Returns how many connections there were. */
    int connections() {
        return accepted.size();
    }

    /** Returns how many of them are closed. */
    int ended() {
        return ended.get();
    }

    /** Resets a stream of every connection. */
    void reset(int streamId) throws IOException {
        for (var connection : accepted) {
            byte[] frame = RESET.clone();
            ByteBuffer.wrap(frame).putInt(STREAM_ID_AT, streamId);
            connection.getOutputStream().write(frame);
        }
    }

    /** Cuts every connection. */
    void cut() throws IOException {
        for (var connection : accepted) {
            connection.close();
        }
    }

    /** Listens no more. Who is accepting keeps the port open until he has seen that it is closed. */
    void stopListening() throws IOException, InterruptedException {
        socket.close();
        accepting.join();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        cut();
    }
}
