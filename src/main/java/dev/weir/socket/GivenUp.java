package dev.weir.socket;

import io.netty.channel.Channel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of connections that are closed for what their callers leave undone. Whoever can reach the port decides how often
 * that is, so the log gets one line a minute for each reason.
 */
public final class GivenUp {
    private static final Logger LOG = LoggerFactory.getLogger(GivenUp.class);
    private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

    private final Seldom lines = new Seldom(BETWEEN_LINES);
    private final String reason;

    /**
     * Creates what tells of one reason.
     *
     * @param reason what a caller does, or has done; goes into the log
     */
    public GivenUp(String reason) {
        this.reason = reason;
    }

    /** Tells of a connection that is about to be closed. */
    public void tell(Channel connection) {
        String caller = callerOf(connection);
        LOG.debug("a caller ({}) {}", caller, reason);
        lines.tell(untold -> LOG.info(
                "a caller ({}) {}: its connection is closed (since the last such line: {})", caller, reason, untold));
    }

    /** Returns who is at the other end of a connection, for brackets in the log. */
    public static String callerOf(Channel connection) {
        return switch (connection.remoteAddress()) {
            case null -> "its address is not known";
            case InetSocketAddress tcp -> tcp.getAddress().getHostAddress() + ":" + tcp.getPort();
            case DomainSocketAddress _, UnixDomainSocketAddress _ -> "at the Unix socket"; // nobody there has a name
            case SocketAddress other -> other.toString();
        };
    }
}
