package dev.weir.http2.message;

import dev.weir.call.Outcome;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the messages in the bytes of a stream: each has a prefix of five bytes, whether it is compressed and its length, and
 * may be cut into pieces anywhere.
 *
 * <p>What is held of an unfinished message grows with the bytes that came, not with the length that was announced. That, and
 * whole messages that are kept until their caller has said everything, is taken from a budget of all callers.
 */
public final class MessageReader {
    private static final int PREFIX_BYTES = 5;
    private static final int FIRST_BYTES = 4096;
    private static final int COMPRESSED = 1;

    /** What a message that is kept takes beside its bytes, about: there may be very many empty ones. */
    private static final int OVERHEAD_BYTES = 64;

    private static final byte[] NO_BYTES = new byte[0];

    private final int maxBytes;
    private final int maxUnpackedBytes;
    private final Budget budget;
    private final boolean isGzip;

    private int prefixRead;
    private int flags;
    private int length;
    private byte[] held = NO_BYTES;
    private int filled;
    private int keptBytes;

    /**
     * Creates a reader.
     *
     * @param maxBytes of a message as it comes
     * @param maxUnpackedBytes of a packed one when it is unpacked
     * @param isGzip whether compressed messages are compressed that way; else there may be none
     */
    public MessageReader(int maxBytes, int maxUnpackedBytes, Budget budget, boolean isGzip) {
        this.maxBytes = maxBytes;
        this.maxUnpackedBytes = maxUnpackedBytes;
        this.budget = budget;
        this.isGzip = isGzip;
    }

    /** Returns whether a part of a message was read, and the rest was not. */
    public boolean isMidway() {
        return prefixRead > 0;
    }

    /**
     * Reads on.
     *
     * @return the next message, or null if more bytes are needed
     * @throws BrokenCallException if it is none, or too large
     */
    public byte @Nullable [] next(ByteBuf in) throws BrokenCallException {
        while (prefixRead < PREFIX_BYTES) {
            if (!in.isReadable()) {
                return null;
            }
            prefix(in.readUnsignedByte());
        }
        int missing = length - filled;
        int come = Math.min(missing, in.readableBytes());
        if (come < missing) {
            hold(in, come);
            return null;
        }
        byte[] message = filled == 0 ? new byte[length] : Arrays.copyOf(held, length);
        in.readBytes(message, filled, come);
        boolean isCompressed = flags == COMPRESSED;
        forgetPart();
        return isCompressed ? Gzip.unpack(message, maxUnpackedBytes) : message;
    }

    private void prefix(int octet) throws BrokenCallException {
        if (prefixRead == 0) {
            flags = octet;
            length = 0;
        } else {
            length = length << 8 | octet;
        }
        prefixRead++;
        if (prefixRead == PREFIX_BYTES) {
            check();
        }
    }

    /** The words are grpc-java's. */
    private void check() throws BrokenCallException {
        if ((flags & ~COMPRESSED) != 0) {
            throw new BrokenCallException(Outcome.INTERNAL, "gRPC frame header malformed: reserved bits not zero");
        }
        if (length < 0 || length > maxBytes) {
            throw new BrokenCallException(
                    Outcome.RESOURCE_EXHAUSTED, "gRPC message exceeds maximum size " + maxBytes + ": " + length);
        }
        if (flags == COMPRESSED && !isGzip) {
            throw new BrokenCallException(
                    Outcome.INTERNAL, "Can't decode compressed gRPC message as compression not configured");
        }
    }

    private void hold(ByteBuf in, int bytes) throws BrokenCallException {
        int needed = filled + bytes;
        if (needed > held.length) {
            int room = Math.min(length, Math.max(FIRST_BYTES, Math.max(needed, 2 * held.length)));
            budget.take(room - held.length);
            held = Arrays.copyOf(held, room);
        }
        in.readBytes(held, filled, bytes);
        filled = needed;
    }

    /**
     * Takes from the budget what a whole message holds until {@link #forget}.
     *
     * @param wereTaken whether those before it are not held any more
     * @throws BrokenCallException if the budget is used up
     */
    public void keep(byte[] message, boolean wereTaken) throws BrokenCallException {
        if (wereTaken) {
            giveBackKept();
        }
        int bytes = message.length + OVERHEAD_BYTES;
        budget.take(bytes);
        keptBytes += bytes;
    }

    private void giveBackKept() {
        if (keptBytes > 0) {
            budget.giveBack(keptBytes);
            keptBytes = 0;
        }
    }

    /** Gives back all that is held of messages. */
    public void forget() {
        forgetPart();
        giveBackKept();
    }

    private void forgetPart() {
        if (held.length > 0) {
            budget.giveBack(held.length);
            held = NO_BYTES;
        }
        filled = 0;
        prefixRead = 0;
    }
}
