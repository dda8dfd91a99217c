package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The whole way of a request, all of it real: an Envoy that runs {@code envoy/envoy.yaml}, Weir beside it, and a service
 * behind. Its rules are those of the domain {@code edge}.
 */
public record Edge(Upstream upstream, WeirProcess weir, EnvoyServer envoy) implements AutoCloseable {
    private static final String STATS = "cluster.service.ratelimit.";

    /**
     * Starts all three.
     *
     * @param rules the text of the rule file {@code edge.yaml}
     * @param environment what is added to Weir's environment
     * @param deniesOnFailure the filter's {@code failure_mode_deny}
     */
    public static Edge start(String rules, Map<String, String> environment, boolean deniesOnFailure) {
        EnvoyBinary.require(); // before anything is started in vain
        var upstream = Upstream.start();
        var weir = WeirProcess.start(Map.of("edge.yaml", rules), environment);
        var bootstrap = bootstrap(weir.grpcPort(), upstream.port());
        if (deniesOnFailure) {
            bootstrap = replace(bootstrap, "failure_mode_deny: false", "failure_mode_deny: true");
        }
        return new Edge(upstream, weir, EnvoyServer.start(bootstrap));
    }

    /**
     * Starts all three; Envoy speaks to Weir over TLS, and each shows the other a certificate.
     *
     * @param rules the text of the rule file {@code edge.yaml}
     * @param certificates of their authority
     */
    public static Edge startOverTls(String rules, SignedFiles certificates) {
        EnvoyBinary.require();
        var own = certificates.sign("weir", "weir.example");
        var upstream = Upstream.start();
        var weir = WeirProcess.start(
                Map.of("edge.yaml", rules),
                Map.of(
                        "GRPC_SERVER_USE_TLS", "true",
                        "GRPC_SERVER_TLS_CERT", own.certificate().toString(),
                        "GRPC_SERVER_TLS_KEY", own.key().toString(),
                        "GRPC_CLIENT_TLS_CACERT", certificates.authority().toString(),
                        "GRPC_CLIENT_TLS_SAN", "envoy.example"));
        var bootstrap = replace(
                bootstrap(weir.grpcPort(), upstream.port()),
                "    - name: weir\n      connect_timeout: 0.25s\n",
                // As with the timeout: a handshake may take longer on a machine that is building something else.
                "    - name: weir\n      connect_timeout: 10s\n"
                        + transportSocket(certificates, certificates.sign("envoy", "envoy.example")));
        return new Edge(upstream, weir, EnvoyServer.start(bootstrap));
    }

    /**
     * Starts all three; Envoy traces each request, and repeats to Weir what its user says of the trace, as long as Envoy's own
     * default lets it be.
     *
     * @param rules the text of the rule file {@code edge.yaml}
     */
    public static Edge startTraced(String rules) {
        EnvoyBinary.require();
        var upstream = Upstream.start();
        var weir = WeirProcess.start(Map.of("edge.yaml", rules), Map.of());
        var bootstrap = replace(bootstrap(weir.grpcPort(), upstream.port()), "stat_prefix: edge\n", """
            stat_prefix: edge
                            tracing:
                              random_sampling: { value: 100 }
                              provider:
                                name: envoy.tracers.opentelemetry
                                typed_config:
                                  "@type": type.googleapis.com/envoy.config.trace.v3.OpenTelemetryConfig
                                  service_name: edge
                                  grpc_service: { envoy_grpc: { cluster_name: weir } } # which does not want its spans
            """);
        bootstrap = replace(bootstrap, "max_request_headers_kb: 8", "max_request_headers_kb: 60");
        return new Edge(upstream, weir, EnvoyServer.start(bootstrap));
    }

    /**
     * Asks the service through Envoy.
     *
     * @param headers names and values in turn
     */
    public HttpResponse<String> get(String path, String... headers) {
        return Http.get(envoy.http("edge", path), headers);
    }

    /** Returns one of the numbers that the filter keeps: ok, over_limit, error, failure_mode_allowed. */
    public long stat(String name) {
        return envoy.stat(STATS + name);
    }

    @Override
    public void close() {
        envoy.close();
        weir.close();
        upstream.close();
    }

    private static String transportSocket(SignedFiles certificates, SignedFiles.Pair own) {
        return """
                  transport_socket:
                    name: envoy.transport_sockets.tls
                    typed_config:
                      "@type": type.googleapis.com/envoy.extensions.transport_sockets.tls.v3.UpstreamTlsContext
                      sni: weir.example
                      common_tls_context:
                        tls_certificates:
                          - certificate_chain: { filename: "%s" }
                            private_key: { filename: "%s" }
                        validation_context:
                          trusted_ca: { filename: "%s" }
                          match_typed_subject_alt_names:
                            - { san_type: DNS, matcher: { exact: weir.example } }
            """.formatted(own.certificate(), own.key(), certificates.authority());
    }

    /** Returns the file that users start from, with the ports of this test. */
    private static String bootstrap(int weirPort, int upstreamPort) {
        var text = read(Path.of("envoy", "envoy.yaml"));
        text = replace(text, "port_value: 9901", "port_value: 0");
        text = replace(text, "port_value: 10000", "port_value: 0");
        text = replace(text, "port_value: 8000", "port_value: " + upstreamPort);
        text = replace(text, "port_value: 8081", "port_value: " + weirPort);
        // A JVM that has just started, on a machine that is building something else, is not what the 20 ms are for.
        return replace(text, "timeout: 0.020s", "timeout: 10s");
    }

    private static String replace(String text, String from, String to) {
        int at = text.indexOf(from);
        if (at < 0 || text.indexOf(from, at + 1) >= 0) {
            throw new AssertionError("envoy.yaml must hold '%s' once".formatted(from));
        }
        return text.substring(0, at) + to + text.substring(at + from.length());
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
