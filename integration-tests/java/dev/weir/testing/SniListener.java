package dev.weir.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** A server over TLS that has no certificate: it hears which name a client sends ahead, and breaks the handshake off. */
public final class SniListener implements AutoCloseable {
    private static final int HOST_NAME = 0;

    private final BlockingQueue<String> names = new LinkedBlockingQueue<>();
    private final SSLServerSocket socket;

    private SniListener() throws IOException, NoSuchAlgorithmException {
        this.socket = (SSLServerSocket) SSLContext.getDefault()
                .getServerSocketFactory()
                .createServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var parameters = socket.getSSLParameters();
        parameters.setSNIMatchers(List.of(new SNIMatcher(HOST_NAME) {
            @Override
            public boolean matches(SNIServerName name) {
                return names.add(new String(name.getEncoded(), StandardCharsets.US_ASCII));
            }
        }));
        socket.setSSLParameters(parameters);
        Thread.ofPlatform().daemon().name("sni-listener").start(this::listen);
    }

    /** Returns one that listens. */
    public static SniListener start() throws IOException, NoSuchAlgorithmException {
        return new SniListener();
    }

    private void listen() {
        while (!socket.isClosed()) {
            try (var client = (SSLSocket) socket.accept()) {
                client.startHandshake();
            } catch (IOException _) {
                // Each handshake is broken off, and at the end the socket is closed.
            }
        }
    }

    /** Returns its port. */
    public int port() {
        return socket.getLocalPort();
    }

    /** Waits for the next name that is sent ahead. */
    public String next() throws InterruptedException {
        String name = names.poll(10, TimeUnit.SECONDS);
        if (name == null) {
            throw new AssertionError("nobody has sent a name ahead");
        }
        return name;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
