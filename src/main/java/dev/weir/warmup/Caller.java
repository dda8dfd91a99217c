package dev.weir.warmup;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;

/** A connection of one caller of one method, for one thread. It asks some questions at once and waits for all answers. */
final class Caller implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 2_000;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;
    private final Frames frames;
    private final ByteArrayOutputStream unsent = new ByteArrayOutputStream();
    private int nextStream = 1;
    private int open;
    private long answered;

    /**
     * Connects.
     *
     * @param path of the method
     * @throws IOException if nobody listens
     */
    Caller(InetSocketAddress address, String path) throws IOException {
        frames = new Frames("localhost:" + address.getPort(), path);
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(address, PATIENCE_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = socket.getOutputStream();
            out.write(Frames.hello());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns how many questions got an answer with a message, and no error. */
    long answered() {
        return answered;
    }

    /**
     * Asks, and waits until every question was answered or refused.
     *
     * @param questions {@link Frames#data} of each
     * @throws IOException if the connection broke, or nothing came for a long time
     */
    void ask(List<byte[]> questions) throws IOException {
        for (byte[] question : questions) {
            frames.request(unsent, nextStream, question);
            nextStream += 2;
            open++;
        }
        unsent.writeTo(out);
        unsent.reset();
        while (open > 0) {
            read();
        }
    }

    private void read() throws IOException {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        in.skipNBytes(Integer.BYTES); // the stream: all that are open are waited for anyway
        byte[] payload = in.readNBytes(lengthAndType >>> 8);
        switch (lengthAndType & 0xFF) {
            case Frames.DATA -> answered++;
            case Frames.HEADERS -> open -= flags & Frames.END_STREAM;
            case Frames.RST_STREAM -> open--;
            case Frames.SETTINGS -> acknowledge(Frames.SETTINGS, flags);
            case Frames.PING -> acknowledge(Frames.PING, flags, payload);
            case Frames.GOAWAY -> throw new IOException("the service says goodbye");
            default -> {
                // Windows that grow: what is asked at once needs no more than the first one.
            }
        }
    }

    private void acknowledge(int type, int flags, byte... payload) throws IOException {
        if ((flags & Frames.ACK) == 0) {
            out.write(Frames.frame(type, Frames.ACK, payload));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
