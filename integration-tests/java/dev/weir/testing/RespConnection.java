package dev.weir.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Speaks RESP 2, Redis's protocol. Each character of a text stands for one byte, so that binary keys survive. */
public final class RespConnection implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;

    /** Connects. Whoever waits for a reply for longer than {@code timeout} gets an {@link IOException}. */
    public RespConnection(String host, int port, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        try {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Sends one command and reads its reply.
     *
     * @return a {@code String}, a {@code Long}, a {@code List} of such, or null
     * @throws RedisErrorReply if Redis answered with an error
     */
    public @Nullable Object ask(String... words) throws IOException {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ascii("*" + words.length + "\r\n"));
        for (var word : words) {
            bytes.writeBytes(ascii("$" + word.length() + "\r\n" + word + "\r\n"));
        }
        socket.getOutputStream().write(bytes.toByteArray());
        return reply();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private @Nullable Object reply() throws IOException {
        var line = line();
        var rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisErrorReply(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> text(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("not a reply: " + line);
        };
    }

    private @Nullable String text(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        var bytes = in.readNBytes(length);
        line();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private @Nullable List<@Nullable Object> list(int size) throws IOException {
        if (size < 0) {
            return null;
        }
        var list = new ArrayList<@Nullable Object>(size);
        for (int i = 0; i < size; i++) {
            list.add(reply());
        }
        return list;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("Redis closed the connection");
            }
            line.append((char) next);
        }
        if (in.read() != '\n') {
            throw new IOException("a line of Redis ends with CR LF");
        }
        return line.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
