package dev.weir.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Hands messages through as bytes, so that reading them, and what is wrong with them, is this room's own affair. */
final class Bytes implements Marshaller<byte[]> {
    static final Bytes INSTANCE = new Bytes();

    private Bytes() {}

    @Override
    public InputStream stream(byte[] value) {
        return new Sized(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
        try {
            // readAllBytes alone would begin with a buffer of 16 KB, for messages of a hundred bytes.
            return stream instanceof KnownLength ? stream.readNBytes(stream.available()) : stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells its length beforehand and writes itself, which spares gRPC a buffer of 8 KB for each answer. */
    private static final class Sized extends ByteArrayInputStream implements KnownLength, Drainable {
        Sized(byte[] bytes) {
            super(bytes);
        }

        @Override
        public int drainTo(OutputStream target) throws IOException {
            int length = count - pos;
            target.write(buf, pos, length);
            pos = count;
            return length;
        }
    }
}
