package dev.weir.metrics;

import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The way to a server of statsd. Lines are sent by one thread at a time. */
final class StatsdLine implements AutoCloseable {
    private static final int CONNECT_MILLIS = 1_500;

    /** What fits into a packet of a usual network. */
    private static final int DATAGRAM_BYTES = 1_432;

    private final String host;
    private final int port;
    private final boolean isUdp;
    private volatile @Nullable Socket connection;

    StatsdLine(String host, int port, boolean isUdp) {
        this.host = host;
        this.port = port;
        this.isUdp = isUdp;
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
            OutputStream out = connected().getOutputStream();
            out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private Socket connected() throws IOException {
        Socket open = connection;
        if (open != null && !open.isClosed()) {
            if (!hasEnded(open)) {
                return open;
            }
            open.close();
        }
        var fresh = new Socket();
        connection = fresh; // before it is connected, so that closing ends the waiting
        fresh.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
        return fresh;
    }

    /** A server that has gone, or was replaced, says so; what is written all the same is lost without a word. */
    private static boolean hasEnded(Socket open) throws IOException {
        open.setSoTimeout(1);
        try {
            return open.getInputStream().read() < 0; // servers of statsd have nothing to say
        } catch (SocketTimeoutException _) {
            return false;
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
        Socket open = connection;
        if (open != null) {
            try {
                open.close();
            } catch (IOException _) {
                // it is given up in any case
            }
        }
    }
}
