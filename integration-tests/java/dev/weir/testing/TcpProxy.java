package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A network that misbehaves on demand: stands in front of a port of this machine and hands bytes on, until told not to.
 *
 * <p>A connection whose replies were swallowed stays mute until somebody closes it, and {@link #resume} cuts it: TCP never
 * skips bytes, so no client has to understand what follows a hole.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BACKLOG = 50;
    private static final int MUTE_MILLIS = 200;

    private final int port;
    private final Gate gate = new Gate();
    private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
    private final List<Socket> unheard = new CopyOnWriteArrayList<>();
    private volatile int target;
    private volatile ServerSocket listener;
    private volatile Thread acceptor;

    private TcpProxy(int target) throws IOException {
        this.target = target;
        this.listener = listen(0);
        this.port = listener.getLocalPort();
        this.acceptor = acceptFrom(listener);
    }

    /** Starts a proxy in front of {@code target}, a port of the loopback interface. */
    public static TcpProxy to(int target) {
        try {
            return new TcpProxy(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the port to connect to in place of the target. */
    public int port() {
        return port;
    }

    /** Leads new connections to another port; open ones live on, as behind an address that moves. */
    public void leadTo(int other) {
        target = other;
    }

    /** Drops from now on whatever the server sends, on every connection; requests still pass. */
    public void swallowReplies() {
        gate.change(() -> gate.swallowsReplies = true);
    }

    /**
     * Lets the next request that holds {@code fragment} pass and its reply vanish: the connection on which it passes is mute
     * from that moment. Other connections are left alone.
     *
     * @param fragment some of its bytes as ISO 8859-1, for instance {@code EVALSHA}; empty means whatever comes next
     */
    public void swallowReplyTo(String fragment) {
        gate.change(() -> gate.swallowReplyTo = fragment);
    }

    /** Keeps replies waiting at a gate until {@link #resume}; requests pass. */
    public void holdReplies() {
        gate.change(() -> gate.holdsReplies = true);
    }

    /** Resets every open connection, as a failing network would. */
    public void cut() {
        connections.forEach(ProxiedConnection::reset);
    }

    /** Refuses new connections until {@link #resume}; open ones live on. */
    public void refuse() {
        ProxiedConnection.closeQuietly(listener);
        Eventually.await("port " + port + " is closed", () -> !acceptor.isAlive()); // it listens while one accepts
    }

    /** Leaves who would connect without an answer until {@link #resume}, as a firewall does; open connections live on. */
    public void ignore() {
        refuse();
        Eventually.await("port " + port + " is free again", this::listensAgain);
        // Nobody accepts: once its queue is full, the system drops what asks for a connection.
        Eventually.await("port " + port + " is mute", this::isMute);
    }

    private boolean isMute() {
        var filling = new Socket();
        try {
            filling.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), MUTE_MILLIS);
            unheard.add(filling);
            return false;
        } catch (IOException _) {
            ProxiedConnection.closeQuietly(filling);
            return true;
        }
    }

    /** Behaves again: opens the gate, accepts connections, and cuts those that have lost bytes. */
    public void resume() {
        gate.open();
        connections.stream().filter(gate::isMute).forEach(ProxiedConnection::reset);
        if (!unheard.isEmpty()) {
            unheard.forEach(ProxiedConnection::closeQuietly);
            unheard.clear();
            ProxiedConnection.closeQuietly(listener);
        }
        if (listener.isClosed()) {
            Eventually.await("port " + port + " is free again", this::listensAgain);
            acceptor = acceptFrom(listener);
        }
    }

    /** Counts from now on how often {@code fragment} (ISO 8859-1) passes on its way to the server. */
    public Sightings watch(String fragment) {
        return gate.watch(fragment);
    }

    /** Returns how many bytes have been handed to the server. */
    public long requestBytes() {
        return gate.look(() -> gate.requestBytes);
    }

    /** Returns how many bytes the server has sent, whatever became of them. */
    public long replyBytes() {
        return gate.look(() -> gate.replyBytes);
    }

    /** Returns how many of the server's bytes were dropped. */
    public long swallowedBytes() {
        return gate.look(() -> gate.swallowedBytes);
    }

    /** Returns how many connections are open. */
    public int openConnections() {
        return connections.size();
    }

    @Override
    public void close() {
        refuse();
        unheard.forEach(ProxiedConnection::closeQuietly);
        cut();
    }

    private Thread acceptFrom(ServerSocket socket) {
        return Thread.ofVirtual().name("proxy to " + target).start(() -> {
            while (!socket.isClosed()) {
                try {
                    connect(socket.accept(), socket);
                } catch (IOException _) {
                    // refused on purpose, or by a target that is down: the client sees its connection end
                }
            }
        });
    }

    private void connect(Socket client, ServerSocket from) throws IOException {
        Socket server;
        try {
            server = new Socket(InetAddress.getLoopbackAddress(), target);
        } catch (IOException e) {
            client.close();
            throw e;
        }
        var connection = new ProxiedConnection(gate, client, server);
        connections.add(connection);
        connection.start(() -> connections.remove(connection));
        if (from.isClosed()) {
            connection.reset(); // accepted in the moment of refuse() or close(), too late for their cut()
        }
    }

    private boolean listensAgain() {
        try {
            listener = listen(port);
            return true;
        } catch (IOException _) {
            return false; // somebody's outgoing connection may have the port for a moment
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    }
}
