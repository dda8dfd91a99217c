package dev.weir.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
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
            return stream.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells its length beforehand, which spares gRPC a copy. */
    private static final class Sized extends ByteArrayInputStream implements KnownLength {
        Sized(byte[] bytes) {
            super(bytes);
        }
    }
}
