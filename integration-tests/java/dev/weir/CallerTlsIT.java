package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.bench.Generator;
import dev.weir.bench.Totals;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.bench.request.Route;
import dev.weir.testing.Caller;
import dev.weir.testing.ConfigMap;
import dev.weir.testing.Counts;
import dev.weir.testing.Edge;
import dev.weir.testing.Eventually;
import dev.weir.testing.SignedFiles;
import dev.weir.testing.TcpProxy;
import dev.weir.testing.WeirCommand;
import dev.weir.testing.WeirProcess;
import dev.weir.tls.ClientTls;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The built service whose callers speak TLS, as a secret of Kubernetes gives it the files. */
final class CallerTlsIT {
    private static final String RULES = """
        domain: edge
        descriptors:
          - { key: user, rate_limit: { unit: year, requests_per_unit: 1000 } }
          - { key: path, value: /login, rate_limit: { unit: year, requests_per_unit: 1 } }
        """;
    private static final RateLimitRequest QUESTION = Caller.request("edge", Caller.descriptor("user", "ann"));

    private static final String OK = "weir.requests{outcome=ok}";

    @TempDir
    private Path folder;

    private final SignedFiles certificates = SignedFiles.create();

    @AfterEach
    void end() {
        certificates.close();
    }

    private WeirProcess launch(String... more) {
        var environment = new HashMap<>(Map.of(
                "GRPC_SERVER_USE_TLS", "true",
                "GRPC_SERVER_TLS_CERT", folder.resolve("tls.crt").toString(),
                "GRPC_SERVER_TLS_KEY", folder.resolve("tls.key").toString(),
                "GRPC_CLIENT_TLS_CACERT", folder.resolve("ca.crt").toString()));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return WeirProcess.launch(Map.of("edge.yaml", RULES), environment);
    }

    private Map<String, String> secret(String name) {
        return secret(certificates.sign(name, "127.0.0.1"));
    }

    private Map<String, String> secret(SignedFiles.Pair own) {
        return Map.of(
                "tls.crt", certificates.textOf(own.certificate()),
                "tls.key", certificates.textOf(own.key()),
                "ca.crt", certificates.textOf(certificates.authority()));
    }

    private Caller caller(WeirProcess weir) {
        return Caller.of(weir, certificates.credentials(certificates.sign("envoy", "envoy.example")));
    }

    @Test
    void it_warms_up_behind_mutual_tls_and_leaves_no_other_door_open() throws IOException {
        ConfigMap.mountedAt(folder).publish(secret("weir"));
        try (var weir = launch("WARM_UP", "1s", "LOG_LEVEL", "debug")) {
            weir.awaitHealthy();
            weir.awaitOutput("warm after ");
            assertThat(weir.output())
                    .containsPattern("warm after [1-9]\\d* requests of its own")
                    .doesNotContain("could not ask itself");
            assertThat(listening(weir.pid())).as("gRPC, HTTP and debug").hasSize(3);
            try (var caller = caller(weir);
                    var plain = Caller.of(weir);
                    var nobody = Caller.of(weir, certificates.credentials())) {
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .as("no hit of its own is counted")
                        .isEqualTo(999);
                assertThat(nobody.failureOf(QUESTION).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(plain.failureOf(QUESTION).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
                assertThat(caller.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(998);
            }
            weir.awaitOutput("Empty client certificate chain");
            weir.awaitOutput("it does not speak TLS");
            assertThat(weir.stop()).isZero();
            assertThat(weir.output()).containsOnlyOnce("a caller got no connection (");
        }
    }

    @Test
    void hit_asks_over_tls() {
        ConfigMap.mountedAt(folder).publish(secret("weir"));
        var own = certificates.sign("envoy", "envoy.example");
        try (var weir = launch();
                var foreign = SignedFiles.create()) {
            weir.awaitHealthy();
            List<String> command =
                    List.of("hit", "--domain", "edge", "--address", "127.0.0.1:" + weir.grpcPort(), "--timeout", "20s");
            var inTheClear = WeirCommand.run(
                    Stream.concat(command.stream(), Stream.of("user=ann")).toArray(String[]::new));
            assertThat(inTheClear.exitCode()).isEqualTo(1);
            assertThat(inTheClear.output()).contains("does it want TLS (--tls)?");
            var refused = WeirCommand.run(Stream.concat(
                            command.stream(),
                            Stream.of("--ca", certificates.authority().toString(), "user=ann"))
                    .toArray(String[]::new));
            assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
            assertThat(refused.output())
                    .contains(
                            "it wants a certificate of who asks, signed by an authority that it trusts (--cert, --key)");
            var strange = foreign.sign("envoy", "envoy.example");
            var notTaken = WeirCommand.run(Stream.concat(
                            command.stream(),
                            Stream.of(
                                    "--ca=" + certificates.authority(),
                                    "--cert=" + strange.certificate(),
                                    "--key=" + strange.key(),
                                    "user=ann"))
                    .toArray(String[]::new));
            assertThat(notTaken.exitCode()).as(notTaken.output()).isEqualTo(1);
            assertThat(notTaken.output()).contains("it does not take the certificate that it is shown (--cert)");
            var unknown = WeirCommand.run(Stream.concat(
                            command.stream(),
                            Stream.of("--ca", foreign.authority().toString(), "user=ann"))
                    .toArray(String[]::new));
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.output())
                    .contains("its certificate is not signed by an authority that is trusted here (--ca)");
            var answered = WeirCommand.run(Stream.concat(
                            command.stream(),
                            Stream.of(
                                    "--ca=" + certificates.authority(),
                                    "--cert=" + own.certificate(),
                                    "--key=" + own.key(),
                                    "user=ann"))
                    .toArray(String[]::new));
            assertThat(answered.exitCode()).as(answered.output()).isZero();
        }
    }

    @Test
    void one_pod_is_asked_by_its_address_and_the_name_of_its_certificate() {
        ConfigMap.mountedAt(folder).publish(secret(certificates.sign("weir", "weir.example")));
        var own = certificates.sign("envoy", "envoy.example");
        List<String> shown =
                List.of("--ca=" + certificates.authority(), "--cert=" + own.certificate(), "--key=" + own.key());
        try (var weir = launch()) {
            weir.awaitHealthy();
            assertThat(hit(weir, shown, "--timeout=20s").output()).contains("its certificate is for another name: ");
            var answered = hit(weir, shown, "--name=weir.example", "--timeout=20s");
            assertThat(answered.exitCode()).as(answered.output()).isZero();
            assertThat(bench(weir, shown.toArray(String[]::new)).exitCode()).isEqualTo(1);
            var measured = bench(
                    weir,
                    Stream.concat(shown.stream(), Stream.of("--name=weir.example"))
                            .toArray(String[]::new));
            assertThat(measured.exitCode()).as(measured.output()).isZero();
        }
    }

    private static WeirCommand hit(WeirProcess weir, List<String> tls, String... more) {
        var command = new ArrayList<>(List.of("hit", "--domain=edge", "--address=127.0.0.1:" + weir.grpcPort()));
        command.addAll(tls);
        command.addAll(List.of(more));
        command.add("user=ann");
        return WeirCommand.run(command.toArray(String[]::new));
    }

    @Test
    void bench_asks_over_tls() throws JsonProcessingException {
        ConfigMap.mountedAt(folder).publish(secret("weir"));
        var own = certificates.sign("envoy", "envoy.example");
        try (var weir = launch();
                var foreign = SignedFiles.create()) {
            weir.awaitHealthy();
            String ca = "--ca=" + certificates.authority();
            String refused = "127.0.0.1:" + weir.grpcPort() + " does not speak HTTP/2 ";
            assertThat(bench(weir).output()).startsWith(refused + "without TLS: ");
            assertThat(bench(weir, ca).output()).startsWith(refused + "with us over TLS: ");
            assertThat(bench(weir, "--ca=" + foreign.authority()).output())
                    .startsWith(refused + "with us over TLS: the connection broke: its certificate is not trusted: ");
            var asked = bench(weir, ca, "--cert=" + own.certificate(), "--key=" + own.key());
            assertThat(asked.exitCode()).as(asked.output()).isZero();
            var told = new ObjectMapper()
                    .readTree(asked.output().substring(asked.output().indexOf("{\n")));
            assertThat(told.get("tls").asBoolean()).isTrue();
            assertThat(told.get("errors").asLong()).isZero();
            long requests = told.get("requests").asLong();
            assertThat(told.get("within").asLong()).isPositive().isEqualTo(requests);
            assertThat(Counts.statistic(weir, OK)).isGreaterThanOrEqualTo(requests);
        }
    }

    @Test
    void bench_has_shaken_hands_before_it_asks_and_does_so_again_on_a_new_connection() throws Exception {
        ConfigMap.mountedAt(folder).publish(secret("weir"));
        var own = certificates.sign("envoy", "envoy.example");
        var tls = ClientTls.of(certificates.authority(), own.certificate(), own.key());
        var user = new Question.Descriptor(List.of(new Question.Entry("user", "ann")));
        var question = new Question("edge", List.of(user), 1);
        var load = new Load(question, new Keys.One(), 1, new Load.Pacing.Closed(1), Duration.ZERO, 1);
        try (var weir = launch()) {
            weir.awaitHealthy();
            try (var proxy = TcpProxy.to(weir.grpcPort());
                    var generator = Generator.connect(load, new Route("127.0.0.1", proxy.port(), tls))) {
                assertThat(proxy.replyBytes())
                        .as("the certificate and more")
                        .isGreaterThan(certificates.textOf(own.certificate()).length() / 2);
                assertThat(taken(generator).requests()).isZero();
                assertThat(Counts.statistic(weir, OK)).isZero();
                generator.begin();
                Eventually.await("verdicts", () -> taken(generator).verdicts() > 0);
                proxy.cut();
                Eventually.await("the loss", () -> taken(generator).errorCount() > 0);
                Eventually.await("verdicts again", () -> taken(generator).verdicts() > 0);
            }
            assertThat(Counts.statistic(weir, OK)).isPositive();
        }
    }

    private static Totals taken(Generator generator) {
        try {
            return generator.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static WeirCommand bench(WeirProcess weir, String... more) {
        var command = new ArrayList<>(List.of("bench", "--json", "--domain", "edge"));
        command.addAll(List.of("--address", "127.0.0.1:" + weir.grpcPort()));
        command.addAll(List.of("--streams", "2", "--duration", "1s", "--warmup", "0"));
        command.addAll(List.of(more));
        command.add("user=u%d");
        return WeirCommand.run(command.toArray(String[]::new));
    }

    @Test
    void certificates_change_while_a_caller_goes_on_asking() {
        var secret = ConfigMap.mountedAt(folder);
        secret.publish(secret("first"));
        try (var weir = launch("LOG_LEVEL", "info")) {
            weir.awaitHealthy();
            try (var before = caller(weir)) {
                assertThat(before.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(999);
                secret.publish(secret("second"));
                weir.awaitOutput("TLS for callers: new connections get what is in the files now");
                var broken = new HashMap<>(secret("third"));
                broken.put("tls.key", secret("fourth").get("tls.key"));
                secret.publish(broken);
                weir.awaitOutput("TLS for callers: " + folder.resolve("tls.key")
                        + ": the key does not belong to the certificate in " + folder.resolve("tls.crt")
                        + "; what was in the files before stays in force");
                try (var after = caller(weir)) {
                    assertThat(after.hit("edge", "user", "ann").getLimitRemaining())
                            .isEqualTo(998);
                }
                assertThat(before.hit("edge", "user", "ann").getLimitRemaining())
                        .isEqualTo(997);
            }
            assertThat(weir.output()).doesNotContain("a caller got no connection");
        }
    }

    @Test
    void callers_without_a_connection_are_counted_and_certificates_tell_when_they_expire() {
        var secret = ConfigMap.mountedAt(folder);
        secret.publish(secret("first"));
        try (var weir = launch();
                var foreign = SignedFiles.create()) {
            weir.awaitHealthy();
            assertThat(refusals(weir, "clear", "certificate", "caller", "other"))
                    .containsOnly(0L);
            assertRefused(weir, InsecureChannelCredentials.create(), "clear");
            var stranger = foreign.sign("envoy", "envoy.example");
            assertRefused(weir, certificates.credentials(stranger), "certificate");
            assertRefused(weir, foreign.credentials(stranger), "caller");
            assertThat(refusals(weir, "other", "timeout")).containsOnly(0L);

            String expiry = "weir.tls.expiry{certificate=service}";
            long before = Counts.statistic(weir, expiry);
            String authority = "weir.tls.expiry{certificate=authority}";
            long authorityBefore = Counts.statistic(weir, authority);
            secret.publish(secret(certificates.sign("second", "127.0.0.1", Duration.ofDays(31))));
            Eventually.await(
                    "the new certificate",
                    () -> Counts.statistic(weir, expiry)
                            > before + Duration.ofDays(29).toSeconds());
            assertThat(Counts.statistic(weir, authority)).isEqualTo(authorityBefore);
        }
    }

    private static void assertRefused(WeirProcess weir, ChannelCredentials credentials, String reason) {
        try (var caller = Caller.of(weir, credentials)) {
            assertThat(caller.failureOf(QUESTION).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
        }
        Eventually.await(reason, () -> refusals(weir, reason).getFirst() > 0);
    }

    private static List<Long> refusals(WeirProcess weir, String... reasons) {
        return Stream.of(reasons)
                .map(reason -> Counts.statistic(weir, "weir.tls.failures{reason=" + reason + "}"))
                .toList();
    }

    @Test
    void a_file_that_cannot_be_used_stops_the_start_with_a_sentence() {
        try (var weir = launch()) {
            assertThat(weir.awaitEnd()).isNotZero();
            assertThat(weir.output())
                    .contains("GRPC_SERVER_TLS_CERT is \"" + folder.resolve("tls.crt") + "\": there is no such file.")
                    .contains("GRPC_CLIENT_TLS_CACERT is \"" + folder.resolve("ca.crt") + "\": there is no such file.");
        }
    }

    @Test
    void envoy_asks_over_mutual_tls() {
        try (var edge = Edge.startOverTls(RULES, certificates)) {
            Eventually.await(
                    "the first request is limited", () -> edge.get("/login").statusCode() == 429);
            assertThat(edge.stat("over_limit")).isPositive();
            assertThat(edge.stat("error")).isZero();
        }
    }

    /** Its connections for that name no protocol, other than those on which it asks. */
    @Test
    void envoy_finds_by_its_own_check_that_it_is_well() {
        try (var edge = Edge.startOverTls(RULES, certificates)) {
            Eventually.await("it is well", () -> edge.envoy().stat("cluster.weir.membership_healthy") == 1);
            assertThat(edge.envoy().stat("cluster.weir.health_check.success")).isPositive();
            assertThat(refusals(edge.weir(), "clear", "certificate", "caller", "timeout", "other"))
                    .containsOnly(0L);
        }
    }

    /** Returns the sockets on which a process listens. */
    private static Set<String> listening(long pid) throws IOException {
        Set<String> sockets = new HashSet<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            Files.readAllLines(Path.of("/proc/" + pid + "/net/" + table)).stream()
                    .map(line -> line.strip().split("\\s+"))
                    .filter(columns -> columns[3].equals("0A"))
                    .forEach(columns -> sockets.add("socket:[" + columns[9] + "]"));
        }
        try (var files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            return files.filter(Files::isSymbolicLink)
                    .map(CallerTlsIT::target)
                    .filter(sockets::contains)
                    .collect(Collectors.toSet());
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException _) {
            return ""; // closed since
        }
    }
}
