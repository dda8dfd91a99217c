package dev.weir.http2;

import dev.weir.socket.GivenUp;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;

/** Tells of callers that do not begin as HTTP/2 does. Who is set up so has nothing of us but failures, and nothing to tell him why. */
final class Strangers {
    private static final int HANDSHAKE_OF_TLS = 0x16;
    private static final String HTTP_1 = "HTTP/1.";
    private static final int MOST_BYTES = 1024;

    private static final GivenUp OF_HTTP_1 = new GivenUp(
            "speaks HTTP/1 where gRPC wants HTTP/2 (an Envoy's cluster without http2_protocol_options does)");
    private static final GivenUp OF_TLS =
            new GivenUp("begins with TLS, which is not spoken here (GRPC_SERVER_USE_TLS)");
    private static final GivenUp OTHER = new GivenUp("does not begin as HTTP/2 does");

    private Strangers() {}

    /**
     * Tells of a connection that is about to be closed.
     *
     * @param said what has come of the caller, from its first byte on
     */
    static void tell(Channel connection, ByteBuf said) {
        reason(said).tell(connection);
    }

    private static GivenUp reason(ByteBuf said) {
        if (said.getByte(0) == HANDSHAKE_OF_TLS) {
            return OF_TLS;
        }
        int bytes = Math.min(said.writerIndex(), MOST_BYTES);
        return said.toString(0, bytes, StandardCharsets.ISO_8859_1).contains(HTTP_1) ? OF_HTTP_1 : OTHER;
    }
}
