package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * A port of every address of this machine at which nobody listens, and nobody else can: it is bound as long as it is held. Of a
 * port that is only known to have been free, somebody else may have made his own before it is asked.
 */
public final class DeafPort implements AutoCloseable {
    private final SocketChannel bound;

    private DeafPort(SocketChannel bound) {
        this.bound = bound;
    }

    /** Returns one that refuses whoever connects. */
    public static DeafPort hold() {
        try {
            return new DeafPort(SocketChannel.open().bind(new InetSocketAddress(0)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns its number. */
    public int number() {
        try {
            return ((InetSocketAddress) bound.getLocalAddress()).getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            bound.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
