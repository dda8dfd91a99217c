package dev.weir.grpc;

import dev.weir.decide.Answering;
import dev.weir.decide.Bounds;
import dev.weir.decide.DeafListener;
import dev.weir.decide.Decider;
import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.store.memory.MemoryStore;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** A transport that runs, with a store that can be held; every user has a million hits an hour. */
final class ServedPort {
    static final String SHOULD_RATE_LIMIT = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: hour, requests_per_unit: 1000000 } }
        """;
    private static final Duration AT_ONCE = Duration.ZERO;

    private final HeldStore store = new HeldStore(new MemoryStore(() -> 30_000_000, 1_000_000, Long.MAX_VALUE));
    private final Transport transport;
    private final int port;

    ServedPort(Function<Decider, Transport> form) throws IOException {
        transport = form.apply(new Decider(
                ServedPort::rules, store, null, new Bounds(10_000, 10, 10), Answering.PLAIN, new DeafListener()));
        port = transport.start();
    }

    static RuleSet rules() {
        try {
            return YamlRules.read(
                    List.of(SourceFile.of("edge.yaml", RULES.getBytes(StandardCharsets.UTF_8))),
                    new YamlRules.Options(false, Charge.ALWAYS));
        } catch (RulesException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return port;
    }

    HeldStore store() {
        return store;
    }

    Transport transport() {
        return transport;
    }

    /** Returns the headers of a call as every client sends them. */
    static Http2Headers call(String path, String... more) {
        var headers = new DefaultHttp2Headers(false)
                .method("POST")
                .scheme("http")
                .path(path)
                .authority("weir")
                .set("content-type", "application/grpc")
                .set("te", "trailers");
        for (int i = 0; i < more.length; i += 2) {
            headers.set(more[i], more[i + 1]);
        }
        return headers;
    }

    static byte[] question(String user) {
        return question("user", user);
    }

    static byte[] question(String key, String value) {
        return request(key, value).toByteArray();
    }

    static RateLimitRequest request(String user) {
        return request("user", user);
    }

    private static RateLimitRequest request(String key, String value) {
        return RateLimitRequest.newBuilder()
                .setDomain("edge")
                .addDescriptors(RateLimitDescriptor.newBuilder()
                        .addEntries(RateLimitDescriptor.Entry.newBuilder()
                                .setKey(key)
                                .setValue(value)))
                .build();
    }

    /** Returns a message with its prefix. */
    static byte[] framed(int flags, byte[] message) {
        return ByteBuffer.allocate(5 + message.length)
                .put((byte) flags)
                .putInt(message.length)
                .put(message)
                .array();
    }

    static byte[] framed(byte[] message) {
        return framed(0, message);
    }

    static int remaining(RawAnswer answer) throws IOException {
        return RateLimitResponse.parseFrom(answer.message()).getStatuses(0).getLimitRemaining();
    }

    void stop() throws InterruptedException {
        transport.stop(AT_ONCE);
        store.close();
    }
}
