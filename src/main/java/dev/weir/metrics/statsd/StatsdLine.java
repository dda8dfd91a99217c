package dev.weir.metrics.statsd;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to a server of statsd. Lines are sent by one thread at a time. */
public final class StatsdLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final int CONNECT_MILLIS = 1_500;
    private static final Duration TAKES_WITHIN = Duration.ofSeconds(5);

    /** What fits into a packet of a usual network. */
    private static final int DATAGRAM_BYTES = 1_432;

    /** What fits into any: UDP counts the bytes in 16 bits, with its own header and that of IP. */
    private static final int MOST_DATAGRAM_BYTES = 65_507;

    private static final byte[] EMPTY_LINE = {'\n'};
    private static final long ANSWERS_WITHIN_MILLIS = 1_000;

    private final String host;
    private final int port;
    private final boolean isUdp;
    private final long takesWithinMillis;
    private volatile @Nullable SocketChannel connection;
    private volatile @Nullable DatagramChannel datagrams;
    private boolean isMissing;
    private boolean isLongTold;

    /** Creates a line to a server, by UDP or TCP; nothing is connected before something is sent. */
    public StatsdLine(String host, int port, boolean isUdp) {
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
    public void send(List<String> lines, IntConsumer gone) throws IOException {
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
        } catch (IOException | RuntimeException | Error e) { // what is half opened or half written is of no use
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
        var address = address();
        var fresh = SocketChannel.open();
        connection = fresh; // before it is connected, so that closing ends the waiting
        fresh.socket().connect(address, CONNECT_MILLIS);
        fresh.configureBlocking(false);
        return fresh;
    }

    private InetSocketAddress address() throws IOException {
        var address = new InetSocketAddress(host, port); // it may have moved
        if (address.isUnresolved()) {
            throw new IOException("there is no host " + host);
        }
        return address;
    }

    /** A server that has gone, or was replaced, says so; what is written all the same is lost without a word. */
    private static boolean hasEnded(SocketChannel open) throws IOException {
        return open.read(ByteBuffer.allocate(1)) < 0; // servers of statsd have nothing to say
    }

    /** A server that hangs leaves its socket open, and would hold a thread that waits for room there for a quarter of an hour. */
    private <C extends SelectableChannel & WritableByteChannel> void write(C open, ByteBuffer rest) throws IOException {
        open.write(rest);
        while (rest.hasRemaining()) {
            if (!await(open, SelectionKey.OP_WRITE, takesWithinMillis)) {
                throw new SocketTimeoutException("it has taken nothing for " + takesWithinMillis + " ms");
            }
            open.write(rest);
        }
    }

    private static boolean await(SelectableChannel open, int what, long millis) throws IOException {
        try (var selector = Selector.open()) {
            open.register(selector, what);
            return selector.select(millis) > 0;
        }
    }

    private void sendDatagrams(List<String> lines, IntConsumer gone) throws IOException {
        try {
            DatagramChannel open = directed();
            ask(open);
            var packet = new ByteArrayOutputStream();
            for (int i = 0; i < lines.size(); i++) {
                byte[] line = bytes(lines.get(i));
                if (line.length > MOST_DATAGRAM_BYTES) {
                    leaveOut(line.length);
                    continue;
                }
                if (packet.size() > 0 && packet.size() + line.length > DATAGRAM_BYTES) {
                    send(open, packet);
                    gone.accept(i);
                }
                packet.writeBytes(line);
            }
            if (packet.size() > 0) {
                send(open, packet);
            }
            gone.accept(lines.size());
            isMissing = false;
        } catch (PortUnreachableException e) {
            isMissing = true;
            close();
            throw new IOException("nobody listens there", e);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Only of a socket that is for one server does the system tell that there is none. */
    private DatagramChannel directed() throws IOException {
        var address = address();
        DatagramChannel open = datagrams;
        if (open != null && open.isOpen()) {
            if (address.equals(open.getRemoteAddress())) {
                return open;
            }
            open.close();
        }
        var fresh = DatagramChannel.open();
        datagrams = fresh;
        fresh.configureBlocking(false);
        return fresh.connect(address);
    }

    /**
     * Asks with an empty line, which says nothing to any server, whether there is one. Where there is none, its host says so: at once if that
     * is this one, and in a moment from another one, for which only a server is given time that was missing before.
     */
    private void ask(DatagramChannel open) throws IOException {
        hear(open);
        write(open, ByteBuffer.wrap(EMPTY_LINE));
        if (isMissing) {
            await(open, SelectionKey.OP_READ, ANSWERS_WITHIN_MILLIS);
        }
        hear(open);
    }

    private static void hear(DatagramChannel open) throws IOException {
        open.read(ByteBuffer.allocate(1)); // servers of statsd have nothing to say, but their hosts may
    }

    private void send(DatagramChannel open, ByteArrayOutputStream packet) throws IOException {
        write(open, ByteBuffer.wrap(packet.toByteArray()));
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
        close(connection);
        close(datagrams);
    }

    private static void close(@Nullable Channel open) {
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }
}
