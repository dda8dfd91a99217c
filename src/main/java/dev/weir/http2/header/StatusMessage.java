package dev.weir.http2.header;

import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/** Writes {@code grpc-message}: percent-encoded UTF-8, octet for octet as grpc-java does. */
public final class StatusMessage {
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private StatusMessage() {}

    /** Returns the header's value for a message of any characters. */
    public static AsciiString encode(String message) {
        byte[] plain = message.getBytes(StandardCharsets.UTF_8);
        int escaped = 0;
        for (byte octet : plain) {
            if (isEscaped(octet)) {
                escaped++;
            }
        }
        if (escaped == 0) {
            return new AsciiString(plain, false);
        }
        byte[] encoded = new byte[plain.length + 2 * escaped];
        int at = 0;
        for (byte octet : plain) {
            if (isEscaped(octet)) {
                encoded[at++] = '%';
                encoded[at++] = HEX[octet >> 4 & 0xF];
                encoded[at++] = HEX[octet & 0xF];
            } else {
                encoded[at++] = octet;
            }
        }
        return new AsciiString(encoded, false);
    }

    private static boolean isEscaped(byte octet) {
        return octet < ' ' || octet >= '~' || octet == '%';
    }
}
