package dev.weir.http2.message;

import dev.weir.call.Outcome;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Unpacks messages, up to a bound: a few bytes can claim to be gigabytes. */
public final class Gzip {
    /** The name of the only way of compressing that is understood. */
    public static final String NAME = "gzip";

    private Gzip() {}

    /**
     * Returns the message in these bytes.
     *
     * @throws BrokenCallException if they are no gzip, or unpacked more than {@code maxBytes}
     */
    static byte[] unpack(byte[] packed, int maxBytes) throws BrokenCallException {
        byte[] message;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            message = in.readNBytes(maxBytes + 1);
        } catch (EOFException _) {
            throw new BrokenCallException(Outcome.INTERNAL, "the message is no gzip: it ends too soon");
        } catch (IOException e) {
            throw new BrokenCallException(Outcome.INTERNAL, "the message is no gzip: " + e.getMessage());
        } catch (StackOverflowError _) { // Java reads the next of many empty parts from within the one before
            throw new BrokenCallException(Outcome.INTERNAL, "the message is no gzip: too many parts");
        }
        if (message.length > maxBytes) {
            throw new BrokenCallException(
                    Outcome.RESOURCE_EXHAUSTED, "Decompressed gRPC message exceeds maximum size " + maxBytes);
        }
        return message;
    }
}
