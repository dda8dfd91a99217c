package dev.weir.http;

import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A long text that is packed with gzip while it is written: the whole of it is nowhere, be it for who takes it packed or, unpacked piece by
 * piece, for who does not. So thirteen megabytes of text take one of the heap.
 */
public final class Packed {
    private static final int BUFFER_BYTES = 8 << 10;

    private final List<byte[]> parts;
    private final int bytes;
    private final int plainBytes;

    private Packed(List<byte[]> parts, int bytes, int plainBytes) {
        this.parts = parts;
        this.bytes = bytes;
        this.plainBytes = plainBytes;
    }

    /** What writes a text. */
    @FunctionalInterface
    public interface Text {

        /** Writes all of it. */
        void write(Writer to) throws IOException;
    }

    /** Writes a text, and packs it. */
    public static Packed of(Text text) {
        var parts = new Parts();
        try (var packing = new Packing(parts)) {
            var writer = new BufferedWriter(new OutputStreamWriter(packing, StandardCharsets.UTF_8), BUFFER_BYTES);
            text.write(writer);
            writer.flush();
            packing.finish();
            return new Packed(parts.all(), parts.bytes(), packing.plainBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes all that is written", e);
        }
    }

    /** Returns how many bytes it has as it is held. */
    int bytes() {
        return bytes;
    }

    /** Returns how many bytes the text has. */
    int plainBytes() {
        return plainBytes;
    }

    /** Returns it as it is held. */
    InputStream packed() {
        return new SequenceInputStream(Collections.enumeration(
                parts.stream().map(ByteArrayInputStream::new).toList()));
    }

    /** Returns the text, unpacked while it is read; who reads it closes it. */
    InputStream plain() throws IOException {
        return new GZIPInputStream(packed(), BUFFER_BYTES);
    }

    /** Packs as fast as can be: metrics repeat themselves, and become a tenth all the same. */
    private static final class Packing extends GZIPOutputStream {
        Packing(OutputStream to) throws IOException {
            super(to, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }

        int plainBytes() {
            return Math.toIntExact(def.getBytesRead());
        }
    }

    /** Keeps what is written where it lies: an array that grows would be copied time and again. */
    private static final class Parts extends OutputStream {
        private final List<byte[]> full = new ArrayList<>();
        private byte[] last = new byte[BUFFER_BYTES];
        private int size;

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            for (int done = 0; done < length; ) {
                if (size == last.length) {
                    full.add(last);
                    last = new byte[BUFFER_BYTES];
                    size = 0;
                }
                int more = Math.min(length - done, last.length - size);
                System.arraycopy(from, offset + done, last, size, more);
                size += more;
                done += more;
            }
        }

        int bytes() {
            return full.size() * BUFFER_BYTES + size;
        }

        List<byte[]> all() {
            List<byte[]> all = new ArrayList<>(full);
            all.add(Arrays.copyOf(last, size));
            return all;
        }
    }
}
