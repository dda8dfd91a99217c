package dev.weir.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import io.grpc.HandlerRegistry;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** A collector of OpenTelemetry, over HTTP and over gRPC, that keeps what it is told. The numbers of fields are those of OTLP. */
public final class OtlpCollector implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("Authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final HttpServer http;
    private final Server grpc;
    private final List<Told> told = new CopyOnWriteArrayList<>();

    private OtlpCollector(HttpServer http, int httpPort, NettyServerBuilder grpc) throws IOException {
        this.http = http;
        http.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), httpPort), 0);
        http.createContext("/", this::take);
        http.start();
        this.grpc =
                grpc.fallbackHandlerRegistry(new Any()).directExecutor().build().start();
    }

    /** Starts a collector on free ports. */
    public static OtlpCollector start() {
        return start(0);
    }

    /** Starts a collector that listens for HTTP on this port. */
    public static OtlpCollector start(int httpPort) {
        try {
            return new OtlpCollector(HttpServer.create(), httpPort, onLoopback());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a collector that speaks TLS and nothing else. */
    public static OtlpCollector start(SignedFiles.Pair pair) {
        try {
            var context = SSLContext.getInstance("TLS");
            var keys = Identity.read(pair.certificate(), pair.key()).factory();
            context.init(keys.getKeyManagers(), null, null);
            var https = HttpsServer.create();
            https.setHttpsConfigurator(new HttpsConfigurator(context));
            var grpc = onLoopback()
                    .useTransportSecurity(
                            pair.certificate().toFile(), pair.key().toFile());
            return new OtlpCollector(https, 0, grpc);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | PemException e) {
            throw new AssertionError("the files are in order", e);
        }
    }

    private static NettyServerBuilder onLoopback() {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    /**
     * What was sent at once.
     *
     * @param place the path over HTTP, the method over gRPC
     * @param authorization the header of that name, or empty
     */
    private record Told(String place, String authorization, UnknownFieldSet message) {}

    /** A span, with its numbers in hexadecimal. */
    public record Span(
            String trace,
            String id,
            String parent,
            String name,
            Map<String, String> attributes,
            long status,
            Map<String, String> resource) {}

    /** A number of a meter, the count of a histogram. */
    public record Point(String metric, Map<String, String> attributes, double value) {}

    public String httpAddress() {
        return scheme() + "127.0.0.1:" + http.getAddress().getPort();
    }

    public int httpPort() {
        return http.getAddress().getPort();
    }

    public String grpcAddress() {
        return scheme() + "127.0.0.1:" + grpc.getPort();
    }

    private String scheme() {
        return http instanceof HttpsServer ? "https://" : "http://";
    }

    /** Returns the values of the header Authorization that came, each once. */
    public List<String> authorizations() {
        return told.stream().map(Told::authorization).distinct().toList();
    }

    /** Returns where something was sent to, each place once. */
    public List<String> places() {
        return told.stream().map(Told::place).distinct().toList();
    }

    /** Returns the spans that came so far. */
    public List<Span> spans() {
        return told.stream()
                .filter(one -> one.place().contains("race"))
                .flatMap(one -> all(one.message(), 1).stream())
                .flatMap(resource -> all(resource, 2).stream()
                        .flatMap(scope -> all(scope, 2).stream())
                        .map(span -> span(span, attributes(all(resource, 1).getFirst(), 1))))
                .toList();
    }

    private static Span span(UnknownFieldSet span, Map<String, String> resource) {
        return new Span(
                hex(span, 1),
                hex(span, 2),
                hex(span, 4),
                text(span, 5),
                attributes(span, 9),
                all(span, 15).stream().mapToLong(status -> number(status, 3)).sum(),
                resource);
    }

    /** Returns the points of sums, gauges and histograms that came so far. */
    public List<Point> points() {
        return told.stream()
                .filter(one -> one.place().contains("etric"))
                .flatMap(one -> all(one.message(), 1).stream())
                .flatMap(resource -> all(resource, 2).stream())
                .flatMap(scope -> all(scope, 2).stream())
                .flatMap(metric -> List.of(5, 7, 9).stream()
                        .flatMap(kind -> all(metric, kind).stream()
                                .flatMap(points -> all(points, 1).stream())
                                .map(point -> kind == 9
                                        ? new Point(text(metric, 1), attributes(point, 9), fixed(point, 4))
                                        : new Point(
                                                text(metric, 1),
                                                attributes(point, 7),
                                                Double.longBitsToDouble(fixed(point, 4))))))
                .toList();
    }

    private static List<UnknownFieldSet> all(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().stream()
                .map(OtlpCollector::parse)
                .toList();
    }

    private static UnknownFieldSet parse(ByteString bytes) {
        try {
            return UnknownFieldSet.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> attributes(UnknownFieldSet message, int field) {
        Map<String, String> attributes = new TreeMap<>();
        for (UnknownFieldSet pair : all(message, field)) {
            UnknownFieldSet value = all(pair, 2).getFirst();
            attributes.put(text(pair, 1), value.hasField(1) ? text(value, 1) : Long.toString(number(value, 3)));
        }
        return attributes;
    }

    private static String text(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().stream()
                .map(ByteString::toStringUtf8)
                .findFirst()
                .orElse("");
    }

    private static String hex(UnknownFieldSet message, int field) {
        return message.getField(field).getLengthDelimitedList().stream()
                .map(bytes -> HexFormat.of().formatHex(bytes.toByteArray()))
                .findFirst()
                .orElse("");
    }

    private static long number(UnknownFieldSet message, int field) {
        return message.getField(field).getVarintList().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private static long fixed(UnknownFieldSet message, int field) {
        return message.getField(field).getFixed64List().stream()
                .mapToLong(Long::longValue)
                .sum();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            keep(
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private void keep(String place, @Nullable String authorization, byte[] message) {
        told.add(new Told(place, authorization == null ? "" : authorization, parse(ByteString.copyFrom(message))));
    }

    /** Takes whatever is called, as bytes. */
    private final class Any extends HandlerRegistry {
        @Override
        public ServerMethodDefinition<?, ?> lookupMethod(String name, @Nullable String authority) {
            var method = MethodDescriptor.<byte[], byte[]>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(name)
                    .setRequestMarshaller(new Bytes())
                    .setResponseMarshaller(new Bytes())
                    .build();
            return ServerMethodDefinition.create(
                    method,
                    (call, headers) -> ServerCalls.<byte[], byte[]>asyncUnaryCall((message, answer) -> {
                                keep(name, headers.get(AUTHORIZATION), message);
                                answer.onNext(new byte[0]);
                                answer.onCompleted();
                            })
                            .startCall(call, headers));
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public void close() {
        http.stop(0);
        grpc.shutdownNow();
    }
}
