package dev.weir;

import dev.weir.busiest.WatchedStore;
import dev.weir.decide.Decider;
import dev.weir.grpc.GrpcServer;
import dev.weir.grpc.RequestWriter;
import dev.weir.loop.EventLoops;
import dev.weir.metrics.Statistics;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.Settings;
import dev.weir.store.Store;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import dev.weir.warmup.OwnLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.helpers.NOPLogger;

/**
 * Has the service answer requests of its own, before it says that it is well, so that the code they run through is loaded,
 * linked and compiled when others come.
 *
 * <p>They go all the way from a socket to the store and back, through a second port on the loopback that only they know, by
 * rules of their own. Nothing of them is counted in anybody's limit or statistics: their domain has a name that no
 * other replica and no rule file has, their counters in Redis expire within seconds, and a store in memory has a twin for
 * them, so that they take no room there.
 */
final class WarmUp {
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(2);
    private static final int MEMORY_COUNTERS = 10_000;
    private static final long MEMORY_BYTES = 8 << 20;
    private static final int USERS = 200;
    private static final Statistics.Options COUNTED_FOR_NOBODY = new Statistics.Options(0.8f, 0, false);

    private final Settings settings;
    private final EventLoops loops;
    private final Store store;
    private final String domain = "warm-up " + UUID.randomUUID();

    private WarmUp(Settings settings, EventLoops loops, Store store) {
        this.settings = settings;
        this.loops = loops;
        this.store = store;
    }

    /**
     * Asks and answers for the time that the settings say. Blocks.
     *
     * @param loops that will carry the callers of others
     * @param store that will be asked later too
     * @return how many requests were answered
     * @throws IOException if there is no way from this process to itself
     * @throws InterruptedException if the thread is interrupted
     */
    static long run(Settings settings, EventLoops loops, WatchedStore store) throws IOException, InterruptedException {
        return switch (settings.backend().type()) {
            case REDIS -> new WarmUp(settings, loops, store.unwatched()).run();
            case MEMORY -> {
                // Its class is the one that will be asked later: with another, what was compiled would be thrown away.
                try (var twin = new MemoryStore(Ticker.system(), MEMORY_COUNTERS, MEMORY_BYTES)) {
                    yield new WarmUp(settings, loops, new WatchedStore(twin, 1, () -> 0)).run();
                }
            }
        };
    }

    private long run() throws IOException, InterruptedException {
        RuleSet rules = rules();
        var events = new Events(new Statistics(COUNTED_FOR_NOBODY), () -> {}, NOPLogger.NOP_LOGGER);
        var decider = new Decider(
                () -> rules,
                store,
                null,
                Wiring.bounds(settings.bounds()),
                Wiring.answering(settings.answering()),
                events);
        var loopback = InetAddress.getLoopbackAddress();
        var server = new GrpcServer(
                new InetSocketAddress(loopback, 0),
                decider,
                settings.bounds().maxMessageBytes(),
                settings.backend().timeout(),
                loops,
                events);
        try {
            var address = new InetSocketAddress(loopback, server.start());
            return new OwnLoad(address, GrpcServer.shouldRateLimitPath(), messages())
                    .run(settings.life().warmUp());
        } finally {
            server.stop(ENDS_WITHIN);
        }
    }

    /** The most usual ways of counting; all windows are short, so that nothing of them stays in Redis. */
    private RuleSet rules() {
        String text = """
                domain: %s
                descriptors:
                  - {key: user, rate_limit: {unit: second, requests_per_unit: 1000000}}
                  - {key: path, value: /a/*, rate_limit: {unit: second, requests_per_unit: 1}}
                  - key: user
                    value: both
                    rate_limits:
                      - {unit: second, requests_per_unit: 100, algorithm: token_bucket}
                      - {unit: second, requests_per_unit: 100, algorithm: sliding_window}
                """.formatted(domain);
        try {
            return YamlRules.read(
                    List.of(SourceFile.of("warm-up", text.getBytes(StandardCharsets.UTF_8))),
                    new YamlRules.Options(false, Wiring.fixedWindowCharge(settings.answering())));
        } catch (RulesException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        var path = Descriptor.of(new Entry("path", "/a/b"));
        for (int i = 0; i < USERS; i++) {
            var user = Descriptor.of(new Entry("user", "u" + i));
            messages.add(message(user));
            messages.add(message(user));
            messages.add(i % 2 == 0 ? message(user, path) : message(path));
        }
        messages.add(message(Descriptor.of(new Entry("user", "both"))));
        messages.add(message(Descriptor.of(new Entry("nobody", "limits this"))));
        return messages;
    }

    private byte[] message(Descriptor... descriptors) {
        return RequestWriter.bytes(new Request(domain, List.of(descriptors), 0));
    }
}
