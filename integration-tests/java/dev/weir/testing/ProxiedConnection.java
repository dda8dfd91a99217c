package dev.weir.testing;

import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** One connection through a {@link TcpProxy}: two threads that each hand bytes on in one direction. */
final class ProxiedConnection {
    private static final int CHUNK = 16_384;

    /** So many earlier bytes are kept, because a watched fragment may arrive in two pieces. */
    private static final int REMEMBERED = 256;

    private final Gate gate;
    private final Socket client;
    private final Socket server;
    boolean isMute; // guarded by the gate
    boolean isClosed; // guarded by the gate

    ProxiedConnection(Gate gate, Socket client, Socket server) {
        this.gate = gate;
        this.client = client;
        this.server = server;
    }

    /** Starts to hand bytes on; {@code whenEnded} runs when either side has closed. */
    void start(Runnable whenEnded) {
        Thread.ofVirtual().name("requests").start(() -> pump(this::handRequestsOn, whenEnded));
        Thread.ofVirtual().name("replies").start(() -> pump(this::handRepliesOn, whenEnded));
    }

    /** Ends the connection at both ends with a reset. */
    void reset() {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (IOException _) {
            // already closed, which is what we want
        }
        end();
    }

    static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException _) {
            // it is gone in any case
        }
    }

    private void pump(Pump pump, Runnable whenEnded) {
        try {
            pump.run();
        } catch (IOException | InterruptedException _) {
            // one side is gone: the other follows below
        } finally {
            end();
            whenEnded.run();
        }
    }

    private void handRequestsOn() throws IOException {
        var bytes = new byte[CHUNK];
        var before = "";
        for (int count = client.getInputStream().read(bytes);
                count >= 0;
                count = client.getInputStream().read(bytes)) {
            var seen = before + new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
            gate.beforeRequest(this, seen, before.length());
            server.getOutputStream().write(bytes, 0, count);
            gate.afterRequest(seen, before.length());
            before = seen.substring(Math.max(0, seen.length() - REMEMBERED));
        }
    }

    private void handRepliesOn() throws IOException, InterruptedException {
        var bytes = new byte[CHUNK];
        for (int count = server.getInputStream().read(bytes);
                count >= 0;
                count = server.getInputStream().read(bytes)) {
            if (gate.passesReply(this, count)) {
                client.getOutputStream().write(bytes, 0, count);
            }
        }
    }

    private void end() {
        closeQuietly(client);
        closeQuietly(server);
        gate.change(() -> isClosed = true);
    }

    /** Moves bytes in one direction until an end is reached. */
    private interface Pump {
        void run() throws IOException, InterruptedException;
    }
}
