package dev.weir.handshake;

import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * A handshake with ourselves, in memory. It loads the code that it takes before callers come: the first would otherwise wait half
 * a second, longer than many give a connection. And it shows whether there can be one, for Java reads keys that it makes none
 * with, such as of 512 bits. Of a caller's certificate, and of whom callers trust, it knows nothing.
 */
final class Rehearsal {
    private static final int MOST_ROUNDS = 20;
    private static final int WIRE_BYTES = 128 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SSLEngine service;
    private final SSLEngine caller;
    private final ByteBuffer toService = ByteBuffer.allocate(WIRE_BYTES);
    private final ByteBuffer toCaller = ByteBuffer.allocate(WIRE_BYTES);
    private final ByteBuffer heard = ByteBuffer.allocate(WIRE_BYTES);

    private Rehearsal(SSLEngine service, SSLEngine caller) {
        this.service = service;
        this.caller = caller;
    }

    /**
     * Plays it.
     *
     * @return the protocol that was agreed on
     */
    static String play(SslContext context) throws GeneralSecurityException, SSLException {
        SSLEngine service = context.newEngine(UnpooledByteBufAllocator.DEFAULT);
        service.setNeedClientAuth(false);
        var trusting = SSLContext.getInstance("TLS");
        trusting.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        SSLEngine caller = trusting.createSSLEngine();
        caller.setUseClientMode(true);
        var parameters = caller.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {ApplicationProtocolNames.HTTP_2});
        caller.setSSLParameters(parameters);
        new Rehearsal(service, caller).play();
        return caller.getApplicationProtocol();
    }

    private void play() throws SSLException {
        service.beginHandshake();
        caller.beginHandshake();
        for (int round = 0; round < MOST_ROUNDS && (isShaking(service) || isShaking(caller)); round++) {
            pass(caller, toService, service);
            pass(service, toCaller, caller);
        }
    }

    private static boolean isShaking(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private void pass(SSLEngine from, ByteBuffer wire, SSLEngine to) throws SSLException {
        while (isAt(from, HandshakeStatus.NEED_WRAP)) {
            var _ = from.wrap(NOTHING, wire);
        }
        wire.flip();
        while (wire.hasRemaining() && isAt(to, HandshakeStatus.NEED_UNWRAP)) {
            var _ = to.unwrap(wire, heard);
        }
        wire.compact();
    }

    /** Does what there is to do, and returns whether that is the next step. */
    private static boolean isAt(SSLEngine engine, HandshakeStatus step) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        return engine.getHandshakeStatus() == step;
    }
}
