package dev.weir.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** A caller that writes each frame of HTTP/2 by hand, so that it can say what no library would. Not for several threads. */
final class RawFrames implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int ACK = 1;
    static final int END_HEADERS = 4;
    static final int PADDED = 8;

    private static final int CANCEL = 8;
    private static final int HEAD_BYTES = 9;
    private static final int MAX_FRAME_BYTES = 1 << 14;
    private static final int PATIENCE_MILLIS = 30_000;

    private final Socket socket;
    private final DataInputStream in;
    private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder(false);
    private final Map<Integer, RawAnswer> answers = new HashMap<>();
    private int nextStream = 1;
    private int pongs;
    private int goAway = -1;
    private String goAwayText = "";
    private boolean isGreeted;
    private boolean isClosed;

    private RawFrames(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    /** What stands between a socket and HTTP/2. */
    @FunctionalInterface
    interface Layer {
        Socket around(Socket tcp) throws IOException;
    }

    /** Returns a caller that has said hello, with settings as pairs of identifier and value. */
    static RawFrames connect(int port, int... settings) throws IOException {
        return connect(tcp -> tcp, port, settings);
    }

    static RawFrames connect(Layer layer, int port, int... settings) throws IOException {
        return over(layer.around(new Socket(InetAddress.getLoopbackAddress(), port)), settings);
    }

    /** Returns a caller that has said hello over a socket of before. */
    static RawFrames over(Socket socket, int... settings) throws IOException {
        var caller = new RawFrames(socket);
        var payload = ByteBuffer.allocate(settings.length * 3);
        for (int i = 0; i < settings.length; i += 2) {
            payload.putShort((short) settings[i]).putInt(settings[i + 1]);
        }
        caller.frame(SETTINGS, 0, 0, payload.array());
        return caller;
    }

    /** Returns a caller who has hardly room for what he does not read. */
    static RawFrames deaf(Layer layer, int port) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(16 << 10);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        var caller = new RawFrames(layer.around(socket));
        caller.frame(SETTINGS, 0, 0);
        // What is read later must not want an answer: there may be no way left to write one.
        caller.readUntil(() -> caller.isGreeted);
        return caller;
    }

    /** Opens a stream. */
    int open(Http2Headers headers, int flags) throws IOException {
        int stream = nextStream;
        nextStream += 2;
        headers(stream, headers, flags);
        return stream;
    }

    void headers(int stream, Http2Headers headers, int flags) throws IOException {
        byte[] block = block(headers);
        int sent = Math.min(block.length, MAX_FRAME_BYTES);
        frame(HEADERS, flags | (sent == block.length ? END_HEADERS : 0), stream, Arrays.copyOf(block, sent));
        while (sent < block.length) {
            int next = Math.min(block.length, sent + MAX_FRAME_BYTES);
            frame(CONTINUATION, next == block.length ? END_HEADERS : 0, stream, Arrays.copyOfRange(block, sent, next));
            sent = next;
        }
    }

    byte[] block(Http2Headers headers) {
        ByteBuf block = Unpooled.buffer();
        try {
            encoder.encodeHeaders(1, headers, block);
        } catch (Http2Exception e) {
            throw new IllegalStateException(e);
        }
        return bytes(block);
    }

    void frame(int type, int flags, int stream, byte... payload) throws IOException {
        raw(bytesOf(type, flags, stream, payload));
    }

    /** Sends equal frames in one write: who is sent away meanwhile would otherwise not hear of it. */
    void frames(int count, int type, int stream, byte... payload) throws IOException {
        byte[] one = bytesOf(type, 0, stream, payload);
        ByteBuffer all = ByteBuffer.allocate(count * one.length);
        for (int i = 0; i < count; i++) {
            all.put(one);
        }
        raw(all.array());
    }

    /** Opens streams and cancels each at once, all in one write. */
    void cancelled(int count, Http2Headers headers) throws IOException {
        var all = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            all.writeBytes(bytesOf(HEADERS, END_HEADERS, nextStream, block(headers)));
            all.writeBytes(bytesOf(RST_STREAM, 0, nextStream, number(CANCEL)));
            nextStream += 2;
        }
        raw(all.toByteArray());
    }

    private static byte[] bytesOf(int type, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(HEAD_BYTES + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    /** Reads until the stream has ended. */
    RawAnswer answer(int stream) throws IOException {
        readUntil(() -> of(stream).isEnded());
        return of(stream);
    }

    RawAnswer of(int stream) {
        return answers.computeIfAbsent(stream, _ -> new RawAnswer());
    }

    /** Reads frames until it is so; throws if the server closes the connection before. */
    void readUntil(BooleanSupplier done) throws IOException {
        while (!done.getAsBoolean()) {
            if (isClosed) {
                throw new IOException("closed");
            }
            readFrame();
        }
    }

    private void readFrame() throws IOException {
        try {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            take(type, flags, stream, in.readNBytes(length));
        } catch (EOFException | SocketException _) {
            isClosed = true;
        } catch (SocketTimeoutException | Http2Exception e) {
            throw new AssertionError("the server sent what cannot be read, or nothing", e);
        }
    }

    private void take(int type, int flags, int stream, byte[] payload) throws IOException, Http2Exception {
        switch (type) {
            case DATA -> of(stream).data(payload, (flags & END_STREAM) != 0);
            case HEADERS ->
                of(stream)
                        .headers(
                                decoder.decodeHeaders(stream, Unpooled.wrappedBuffer(payload)),
                                (flags & END_STREAM) != 0);
            case RST_STREAM -> of(stream).reset(ByteBuffer.wrap(payload).getInt());
            case SETTINGS -> {
                if ((flags & ACK) == 0) {
                    frame(SETTINGS, ACK, 0);
                    isGreeted = true;
                }
            }
            case PING -> {
                if ((flags & ACK) == 0) {
                    frame(PING, ACK, 0, payload);
                } else {
                    pongs++;
                }
            }
            case GOAWAY -> {
                goAway = ByteBuffer.wrap(payload).getInt(4);
                goAwayText = new String(payload, 8, payload.length - 8, StandardCharsets.UTF_8);
            }
            case WINDOW_UPDATE -> of(stream).window(ByteBuffer.wrap(payload).getInt());
            default -> {
                // what is yet to be invented
            }
        }
    }

    int pongs() {
        return pongs;
    }

    /** Returns the error of the last GOAWAY, -1 if there was none. */
    int goAway() {
        return goAway;
    }

    String goAwayText() {
        return goAwayText;
    }

    boolean isClosed() {
        return isClosed;
    }

    private static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        return bytes;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
