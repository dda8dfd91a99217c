package dev.weir.metrics;

import java.io.ByteArrayOutputStream;
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
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to a server of statsd. Lines are sent by one thread at a time. */
final class StatsdLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final int CONNECT_MILLIS = 1_500;
    private static final Duration TAKES_WITHIN = Duration.ofSeconds(5);

    /** What fits into a packet of a usual network. */
    private static final int DATAGRAM_BYTES = 1_432;

    /** What fits into any: UDP counts the bytes in 16 bits, with its own header and that of IP. */
    private static final int MOST_DATAGRAM_BYTES = 65_507;

    private final String host;
    private final int port;
    private final boolean isUdp;
    private final long takesWithinMillis;
    private volatile @Nullable SocketChannel connection;
    private boolean isLongTold;

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
     * Sends lines. Whatever fails, none is sent twice: of a connection that breaks off nobody knows what came of the bytes that it
     * had taken, and counts that are lost mislead less than counts that are doubled.
     *
     * @param gone is told how many of the lines, from the first on, are not to be sent again; also of a call that fails then
     * @throws IOException if the others could not be sent; the next call tries anew
     */
    void send(List<String> lines, IntConsumer gone) throws IOException {
        if (isUdp) {
            sendDatagrams(lines, gone);
            return;
        }
        var bytes = new ByteArrayOutputStream();
        int[] ends = new int[lines.size()];
        for (int i = 0; i < ends.length; i++) {
            bytes.writeBytes(bytes(lines.get(i)));
            ends[i] = bytes.size();
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes.toByteArray());
        try {
            write(connected(), rest);
        } catch (IOException e) {
            close();
            throw e;
        } finally {
            gone.accept(begun(ends, rest.position()));
        }
    }

    /** The tags of DogStatsD stand behind the count: the server may have counted what it has only a part of. */
    private static int begun(int[] ends, int written) {
        int begun = 0;
        while (begun < ends.length && (begun == 0 ? 0 : ends[begun - 1]) < written) {
            begun++;
        }
        return begun;
    }

    private static byte[] bytes(String line) {
        return (line + "\n").getBytes(StandardCharsets.UTF_8);
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
    private void write(SocketChannel open, ByteBuffer rest) throws IOException {
        try (var selector = Selector.open()) {
            open.register(selector, SelectionKey.OP_WRITE);
            for (; rest.hasRemaining(); open.write(rest)) {
                selector.selectedKeys().clear();
                if (selector.select(takesWithinMillis) == 0) {
                    throw new SocketTimeoutException("it has taken nothing for " + takesWithinMillis + " ms");
                }
            }
        }
    }

    private void sendDatagrams(List<String> lines, IntConsumer gone) throws IOException {
        var address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new IOException("there is no host " + host);
        }
        try (var socket = new DatagramSocket()) {
            var packet = new ByteArrayOutputStream();
            for (int i = 0; i < lines.size(); i++) {
                byte[] line = bytes(lines.get(i));
                if (line.length > MOST_DATAGRAM_BYTES) {
                    leaveOut(line.length);
                    continue;
                }
                if (packet.size() > 0 && packet.size() + line.length > DATAGRAM_BYTES) {
                    send(socket, address, packet);
                    gone.accept(i);
                }
                packet.writeBytes(line);
            }
            if (packet.size() > 0) {
                send(socket, address, packet);
            }
            gone.accept(lines.size());
        }
    }

    private static void send(DatagramSocket socket, InetSocketAddress address, ByteArrayOutputStream packet)
            throws IOException {
        socket.send(new DatagramPacket(packet.toByteArray(), packet.size(), address));
        packet.reset();
    }

    /** Told once, without the name: callers choose its parts. */
    private void leaveOut(int bytes) {
        if (!isLongTold) {
            isLongTold = true;
            LOG.warn(
                    "statsd on {}:{} is not told what is too long for a datagram of UDP, here {} bytes where {} fit: shorten the"
                            + " values of its rule; statsd by TCP (STATSD_PROTOCOL=tcp) takes any length",
                    host,
                    port,
                    bytes,
                    MOST_DATAGRAM_BYTES);
        }
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
