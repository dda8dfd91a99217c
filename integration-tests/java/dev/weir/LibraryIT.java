package dev.weir;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.decide.UndecidedException;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.testing.Caller;
import dev.weir.testing.Eventually;
import dev.weir.testing.RedisCluster;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Applications that have Weir in their process, and a Redis that they share with a service. */
@Isolated("threads of the process are counted")
final class LibraryIT {
    private static final String RULES = """
            domain: shop
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 3, algorithm: token_bucket } }
              - { key: many, rate_limit: { unit: year, requests_per_unit: 1000 } }
              - { key: safe, on_store_failure: deny, rate_limit: { unit: year, requests_per_unit: 1000 } }
            """;

    /** What comes with the optional ones only. */
    private static final List<String> BEHIND_OPTIONAL = List.of(
            "grpc-.*",
            "opentelemetry-.*",
            "protobuf-.*",
            "proto-google-.*",
            "guava",
            "gson",
            "logback-core",
            "netty-codec-http");

    @Test
    void the_program_of_its_page_runs_without_what_only_the_service_needs(@TempDir Path folder) throws Exception {
        String page = Files.readString(Path.of("docs", "library.md"));
        var blocks = Pattern.compile("```java\n(import .*?)```\n+```\n(.*?)```", Pattern.DOTALL)
                .matcher(page);
        assertThat(blocks.find()).isTrue();
        Path program = Files.writeString(folder.resolve("Shop.java"), blocks.group(1));
        var run = WeirCommand.run(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                Map.of(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath(),
                program.toString());
        assertThat(run.output().lines().filter(line -> !line.startsWith("SLF4J")))
                .as("without a library for its log")
                .containsExactlyElementsOf(blocks.group(2).lines().toList());
        assertThat(run.exitCode()).isZero();
    }

    /** Returns the jars of the service but for those that the build names as optional. */
    private static String classPath() throws IOException {
        Set<String> optional = Pattern.compile(
                        "<artifactId>([^<]*)</artifactId>(?:\\s*<version>[^<]*</version>)?\\s*<optional>")
                .matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .collect(toSet());
        assertThat(optional).contains("grpc-stub", "logback-classic", "picocli");
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("weir.home"), "lib"))) {
            return jars.filter(jar -> Stream.concat(optional.stream(), BEHIND_OPTIONAL.stream())
                            .noneMatch(name -> jar.getFileName().toString().matches(name + "-[0-9].*")))
                    .map(Path::toAbsolutePath)
                    .map(Path::toString)
                    .collect(joining(File.pathSeparator));
        }
    }

    /** What Java finds there by itself would have a say in the log and the exporters of an application. */
    @Test
    void its_jar_offers_no_services() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of(System.getProperty("weir.home"), "lib"))) {
            Path own = jars.filter(jar -> jar.getFileName().toString().matches("weir-[0-9].*\\.jar"))
                    .findFirst()
                    .orElseThrow();
            try (var jar = new JarFile(own.toFile())) {
                assertThat(jar.stream().map(JarEntry::getName))
                        .contains("dev/weir/RateLimiter.class")
                        .noneMatch(name -> name.startsWith("META-INF/services/"));
            }
        }
    }

    @Test
    void an_application_and_a_service_share_their_limits() throws Exception {
        try (var redis = RedisServer.start();
                var weir = WeirProcess.start(Map.of("shop.yaml", RULES), WeirProcess.on(redis));
                var caller = Caller.of(weir);
                var limiter = on(redis).rules(RULES).start()) {
            limiter.ready().get();
            var ann = Request.of("shop", Descriptor.of(new Entry("user", "ann")));
            assertThat(caller.hit("shop", "user", "ann").getLimitRemaining()).isEqualTo(2);
            assertThat(limiter.check(ann).get().statuses().getFirst().remaining())
                    .isOne();
            assertThat(caller.hit("shop", "user", "ann").getLimitRemaining()).isZero();
            assertThat(limiter.check(ann).get().isOver()).isTrue();
            assertThat(limiter.forget(ann).get()).isOne();
            assertThat(caller.hit("shop", "user", "ann").getLimitRemaining()).isEqualTo(2);
            assertThat(caller.hit("shop", "user", "bob").getCode()).isEqualTo(Code.OK);
        }
    }

    @Test
    void however_many_threads_ask_no_more_are_admitted_than_the_limit() throws Exception {
        long admitted = 0;
        try (var redis = RedisServer.start();
                var one = on(redis).rules(RULES).start();
                var other = on(redis).rules(RULES).start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            one.ready().get();
            other.ready().get();
            var callers = Stream.of(one, other)
                    .flatMap(limiter -> Collections.nCopies(30, caller(limiter)).stream())
                    .toList();
            for (Future<Long> caller : threads.invokeAll(callers)) {
                admitted += caller.get();
            }
        }
        assertThat(admitted).isEqualTo(1_000);
    }

    /** Returns a caller that asks fifty times, and returns how often it was admitted. */
    private static Callable<Long> caller(RateLimiter limiter) {
        var request = Request.of("shop", Descriptor.of(new Entry("many", "x")));
        return () -> {
            long admitted = 0;
            for (int i = 0; i < 50; i++) {
                admitted += limiter.check(request).get().isOver() ? 0 : 1;
            }
            return admitted;
        };
    }

    @Test
    void what_nobody_waits_for_any_more_is_not_counted() throws Exception {
        try (var redis = RedisServer.start();
                var limiter = on(redis).rules(RULES).start()) {
            limiter.ready().get();
            redis.pause();
            List<CompletableFuture<?>> sent = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                sent.add(limiter.check(Request.of("shop", Descriptor.of(new Entry("many", "early " + i)))));
            }
            var late = Request.of("shop", Descriptor.of(new Entry("many", "late")));
            var unwanted = limiter.check(late);
            unwanted.cancel(false);
            redis.resume();
            CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).get();
            assertThat(limiter.check(late).get().statuses().getFirst().remaining())
                    .isEqualTo(999);
        }
    }

    @Test
    void without_redis_rules_answer_and_it_is_found_again() throws Exception {
        var many = Request.of("shop", Descriptor.of(new Entry("many", "x")));
        var safe = Request.of("shop", Descriptor.of(new Entry("safe", "x")));
        try (var redis = RedisServer.start();
                var limiter = on(redis).rules(RULES).start()) {
            limiter.ready().get();
            redis.stop();
            Eventually.await("it is missed", () -> !limiter.isReachable());
            assertThatThrownBy(() -> limiter.check(many).get()).hasCauseInstanceOf(UndecidedException.class);
            assertThat(limiter.forget(many).handle((_, failure) -> failure).get())
                    .as("told to a stage as it is")
                    .isInstanceOf(UndecidedException.class);
            assertThat(limiter.check(safe).get().isOver()).isTrue();
            redis.restart();
            Eventually.await("it is found again", limiter::isReachable);
            assertThat(limiter.check(many).get().statuses().getFirst().remaining())
                    .isEqualTo(999);
        }
    }

    @Test
    void who_waits_until_it_is_ready_may_block_and_redis_is_watched_meanwhile() throws Exception {
        try (var redis = RedisServer.start()) {
            var early = on(redis).rules(RULES);
            redis.stop();
            try (var limiter = early.start()) {
                var mayGoOn = new CompletableFuture<Void>();
                CompletableFuture<Void> blocked = limiter.ready().thenRun(mayGoOn::join);
                redis.restart();
                Eventually.await("it is found", limiter::isReachable);
                redis.stop();
                Eventually.await("it is missed", () -> !limiter.isReachable());
                assertThat(blocked).isNotDone();
                mayGoOn.complete(null);
                blocked.get();
            }
        }
    }

    @Test
    void its_threads_end_with_it_and_a_start_in_vain_leaves_none() throws Exception {
        try (var redis = RedisServer.start()) {
            Set<Thread> before = Thread.getAllStackTraces().keySet();
            var limiter = on(redis).rules(RULES).start();
            limiter.ready().get();
            limiter.close();
            for (int i = 0; i < 40; i++) {
                var closedEarly = on(redis).rules(RULES).start();
                int connections = i % 4;
                Eventually.await("it connects", () -> connectionsTo(redis) >= connections);
                closedEarly.close();
                assertThat(closedEarly.ready()).isDone();
            }
            var wrong = on(redis).rules("domain: shop\nrules: []\n");
            assertThatThrownBy(wrong::start).isInstanceOf(StartException.class);
            try {
                Eventually.await(
                        "its threads have ended", () -> begunSince(before).isEmpty());
            } catch (AssertionError e) {
                throw new AssertionError(e.getMessage() + ": " + begunSince(before), e);
            }
        }
    }

    @Test
    void what_it_began_ends_however_soon_it_is_closed() throws Exception {
        try (var redis = RedisServer.start()) {
            for (int i = 0; i < 60; i++) {
                on(redis).rules(RULES).start().close();
            }
            Eventually.await("no connection is left", () -> connectionsTo(redis) == 0);
        }
    }

    /** The application's own ask on, so that none of their carriers is ever free. */
    @Test
    void it_can_be_closed_while_virtual_threads_have_all_processors() throws Exception {
        var isEnding = new AtomicBoolean();
        try (var redis = RedisServer.start();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var limiter = on(redis).rules(RULES).start();
            limiter.ready().get();
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                threads.execute(() -> {
                    while (!isEnding.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            var closing = Thread.ofPlatform().daemon().start(limiter::close);
            try {
                Eventually.await("it is closed", () -> !closing.isAlive());
            } finally {
                isEnding.set(true);
            }
        }
    }

    @Test
    void who_closes_it_on_one_of_its_own_threads_comes_back() throws Exception {
        var order = Request.of("shop", Descriptor.of(new Entry("many", "x")));
        try (var cluster = RedisCluster.start()) {
            var limiter = RateLimiter.builder()
                    .setAll(Map.of(
                            "BACKEND_TYPE", "redis",
                            "REDIS_TYPE", "CLUSTER",
                            "REDIS_URL", cluster.addresses().collect(Collectors.joining(",")),
                            "STORE_TIMEOUT", "20s"))
                    .rules(RULES)
                    .start();
            limiter.ready().get();
            CompletableFuture<Void> closed = limiter.check(order).thenRun(limiter::close);
            Eventually.await("it is closed", closed::isDone);
        }
    }

    /** Returns how many there are beside the one that asks. */
    private static long connectionsTo(RedisServer redis) {
        return String.valueOf(redis.command("CLIENT", "LIST")).lines().count() - 1;
    }

    /** Those of Java itself, of the pool that the process shares, of Netty for what is left over, and of the log of tests are nobody's. */
    private static List<Thread> begunSince(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> !thread.getName().startsWith("VirtualThread-unblocker")
                        && !thread.getName().startsWith("ForkJoinPool")
                        && !thread.getName().startsWith("globalEventExecutor")
                        && !thread.getName().equals("weir-log"))
                .toList();
    }

    private static RateLimiter.Builder on(RedisServer redis) {
        // A JVM that has just begun, and shares its processors with other builds, is no measure for how soon Redis
        // answers.
        return RateLimiter.builder().setAll(WeirProcess.on(redis)).set("STORE_TIMEOUT", "20s");
    }
}
