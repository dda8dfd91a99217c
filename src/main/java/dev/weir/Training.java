package dev.weir;

import dev.weir.cli.CommandLineInterface;
import dev.weir.limit.Charge;
import dev.weir.logging.Logs;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * The training run behind {@code bin/make-aot-cache}: serves as {@code weir serve} does, for some seconds with each store,
 * while it warms itself up and is asked for what every deployment asks. Java remembers which classes that took, and what
 * ran often.
 */
public final class Training {
    private static final String RULES = """
            domain: training
            descriptors:
              - {key: user, rate_limit: {unit: second, requests_per_unit: 5}}
              - {key: path, value: /a/*, rate_limit: {unit: minute, requests_per_unit: 5}}
            """;
    private static final String QUESTION = """
            {"domain": "training", "descriptors": [{"entries": [{"key": "user", "value": "ann"}]}]}""";
    private static final long PATIENCE_SECONDS = 10;

    /** Enough for Java to compile what loads rules: the first reloads of a service are under its callers' load. */
    private static final int RELOADS = 20;

    private static final int DESCRIPTORS = 2_000;

    private Training() {}

    /**
     * Trains.
     *
     * @param arguments where Redis listens, {@code host:port}; if there is none, its way is trained until it is missed
     */
    public static void main(String[] arguments) throws IOException {
        Logs.begin();
        Path root = Files.createTempDirectory("weir-training");
        Path rules = root.resolve("rules.yaml");
        int exitCode;
        try {
            Files.writeString(rules, RULES);
            var memory = new HashMap<>(Map.of("BACKEND_TYPE", "memory", "WARM_UP", "2s", "DRAIN_DELAY", "0s"));
            memory.putAll(Map.of("GRPC_HOST", "127.0.0.1", "HOST", "127.0.0.1"));
            memory.putAll(Map.of("GRPC_PORT", "0", "PORT", "0", "DEBUG_PORT", "0"));
            memory.putAll(Map.of(
                    "RUNTIME_ROOT", root.toString(), "RUNTIME_APPDIRECTORY", ".", "RUNTIME_WATCH_ROOT", "false"));
            var redis = new HashMap<>(memory);
            redis.putAll(Map.of("BACKEND_TYPE", "redis", "REDIS_URL", arguments[0], "STORE_TIMEOUT", "1s"));
            reload();
            exitCode = Math.max(serve(memory), serve(redis));
        } catch (RulesException e) {
            throw new IllegalStateException("the rules of the training are wrong", e);
        } finally {
            Files.deleteIfExists(rules);
            Files.deleteIfExists(root);
        }
        System.exit(exitCode);
    }

    /** Reads many rules again and again, as who watches files does: with some of them changed, and the set before at hand. */
    private static void reload() throws RulesException {
        RuleSet inForce = null;
        for (int i = 0; i < RELOADS; i++) {
            var file = SourceFile.of("rules.yaml", manyRules(i).getBytes(StandardCharsets.UTF_8));
            inForce = YamlRules.read(List.of(file), new YamlRules.Options(false, Charge.ALWAYS), inForce);
        }
    }

    /** Descriptors of the shapes that most files have. */
    private static String manyRules(int changed) {
        var text = new StringBuilder("domain: many\ndescriptors:\n");
        for (int i = 0; i < DESCRIPTORS; i += 4) {
            int hits = i / 4 % RELOADS == changed ? 6 : 5;
            text.append("""
                      - key: path
                        value: /a/%1$d
                        rate_limit: {unit: hour, requests_per_unit: %2$d}
                      - key: path
                        value: "/b/%1$d/*"
                        descriptors:
                          - key: user
                            rate_limit: {unit: minute, requests_per_unit: 5}
                      - key: path
                        value: /c/%1$d
                        descriptors: [{key: user}, {key: user, value: ann, rate_limit: {unlimited: true}}]
                      - key: tenant
                        value: '%1$d'
                        shadow_mode: true
                        rate_limit:
                          unit: second
                          requests_per_unit: 5
                    """.formatted(i, hits));
        }
        return text.toString();
    }

    private static int serve(Map<String, String> environment) {
        return CommandLineInterface.run(new String[] {}, environment, System.out, System.err, Training::train);
    }

    private static int train(Settings settings) {
        try {
            Service service = Service.start(settings);
            service.ready()
                    .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
                    .join();
            ask(service.httpPort(), "GET /healthcheck HTTP/1.1\r\nHost: localhost\r\n\r\n");
            ask(
                    service.httpPort(),
                    "POST /json HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + QUESTION.length() + "\r\n\r\n"
                            + QUESTION);
            service.stop();
            return 0;
        } catch (StartException e) {
            LoggerFactory.getLogger("weir").error("there is no training: {}", e.getMessage());
            return 1;
        }
    }

    private static void ask(int port, String request) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int _ = socket.getInputStream().read(); // the first byte says that the rest is there or never comes
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
