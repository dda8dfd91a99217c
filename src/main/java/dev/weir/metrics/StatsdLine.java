package dev.weir.metrics;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to a server of statsd. Lines are sent by one thread at a time. */
final class StatsdLine implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_500;
    private static final Duration TAKES_WITHIN = Duration.ofSeconds(5);

    /** What fits into a packet of a usual network. */
    private static final int DATAGRAM_BYTES = 1_432;

    private final String host;
    private final int port;
    private final boolean isUdp;
    private final long takesWithinMillis;
    private volatile @Nullable SocketChannel connection;

    StatsdLine(String host, int port, boolean isUdp) {
        this(host, port, isUdp, TAKES_WITHIN);
    }

    /** Creates a line to a server that is given up when it has taken nothing for {@code takesWithin}. */
    StatsdLine(String host, int port, boolean isUdp, Duration takesWithin) {
        this.host = host;
        this.port = port;
        this.isUdp = isUdp;
        this.takesWithinMillis = takesWithin.toMillis();
    }

    /**
     * Sends lines.
     *
     * @throws IOException if that cannot be done; the next call tries anew
     */
    void send(List<String> lines) throws IOException {
        if (isUdp) {
            sendDatagrams(lines);
            return;
        }
        try {
            write(connected(), (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private SocketChannel connected() throws IOException {
        SocketChannel open = connection;
        if (open != null && open.isOpen()) {
            if (!hasEnded(open)) {
                return open;
            }
            open.close();
        }
        var fresh = SocketChannel.open();
        connection = fresh; // before it is connected, so that closing ends the waiting
        fresh.socket().connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        fresh.configureBlocking(false);
        return fresh;
    }

    /** A server that has gone, or was replaced, says so; what is written all the same is lost without a word. */
    private static boolean hasEnded(SocketChannel open) throws IOException {
        return open.read(ByteBuffer.allocate(1)) < 0; // servers of statsd have nothing to say
    }

    /** A server that hangs leaves its socket open, and would hold a thread that waits for room there for a quarter of an hour. */
    private void write(SocketChannel open, byte[] bytes) throws IOException {
        try (var selector = Selector.open()) {
            open.register(selector, SelectionKey.OP_WRITE);
            for (var rest = ByteBuffer.wrap(bytes); rest.hasRemaining(); open.write(rest)) {
                selector.selectedKeys().clear();
                if (selector.select(takesWithinMillis) == 0) {
                    throw new SocketTimeoutException("it has taken nothing for " + takesWithinMillis + " ms");
                }
            }
        }
    }

    private void sendDatagrams(List<String> lines) throws IOException {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("there is no host " + host);
        }
        try (var socket = new DatagramSocket()) {
            var packet = new StringBuilder();
            int bytes = 0;
            for (String line : lines) {
                int length = line.getBytes(StandardCharsets.UTF_8).length + 1;
                if (bytes > 0 && bytes + length > DATAGRAM_BYTES) {
                    send(socket, address, packet);
                    bytes = 0;
                }
                packet.append(line).append('\n');
                bytes += length;
            }
            send(socket, address, packet);
        }
    }

    private static void send(DatagramSocket socket, InetSocketAddress address, StringBuilder packet)
            throws IOException {
        byte[] bytes = packet.toString().getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(bytes, bytes.length, address));
        packet.setLength(0);
    }

    @Override
    public void close() {
        SocketChannel open = connection;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }
}
