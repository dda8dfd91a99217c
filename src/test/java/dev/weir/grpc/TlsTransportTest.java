package dev.weir.grpc;

import dev.weir.decide.Decider;
import dev.weir.handshake.Handshakes;
import dev.weir.handshake.TlsFiles;
import dev.weir.socket.Entrance;
import dev.weir.socket.MaxAge;
import dev.weir.socket.Places;
import dev.weir.testing.SignedFiles;
import dev.weir.tls.PemException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** All that the port does it does over TLS, too: what TLS holds back or sends ahead changes none of it. */
final class TlsTransportTest extends NettyTransportTest {
    private static SignedFiles certificates;
    private static Handshakes handshakes;
    private static TlsCaller tls;

    @BeforeAll
    static void sign() throws PemException {
        certificates = SignedFiles.create();
        var own = certificates.sign("weir", "127.0.0.1");
        var files = new TlsFiles(own.certificate(), own.key(), null, "");
        handshakes = Handshakes.watched(files, new ToldHandshakes(), InstantSource.system());
        tls = TlsCaller.trusting(certificates.authority());
    }

    @AfterAll
    static void close() {
        handshakes.close();
        certificates.close();
    }

    @Override
    Transport of(Decider decider) {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new NettyTransport(decider, new Entrance(loopback, MaxAge.NONE, Places.unbounded(), handshakes::begin));
    }

    @Override
    Socket around(Socket tcp) throws IOException {
        return tls.around(tcp);
    }
}
