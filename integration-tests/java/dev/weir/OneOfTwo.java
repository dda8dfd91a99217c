package dev.weir;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import dev.weir.testing.Caller;
import dev.weir.testing.FreePorts;
import dev.weir.testing.Http;
import dev.weir.testing.RedisServer;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One of two services that are asked the same, on a Redis of its own. */
record OneOfTwo(RedisServer redis, WeirProcess process, Caller caller, URI metrics, Status.Code mistake)
        implements AutoCloseable {

    /**
     * Starts a Redis and a service on it.
     *
     * @param mistake the code that answers a request which cannot be asked like this: a deliberate difference
     * @param settings what is added to the environment of the service
     * @param start starts it with an environment, and waits until it is healthy
     */
    static OneOfTwo start(
            Status.Code mistake, Map<String, String> settings, Function<Map<String, String>, WeirProcess> start) {
        var redis = RedisServer.start();
        try {
            var address = "127.0.0.1:" + FreePorts.find();
            var environment = new HashMap<>(WeirProcess.on(redis));
            environment.put("USE_PROMETHEUS", "true");
            environment.put("PROMETHEUS_ADDR", address);
            environment.put("STATS_FLUSH_INTERVAL", "100ms"); // the Go service counts for Prometheus this often
            environment.putAll(settings);
            var process = start.apply(environment);
            return new OneOfTwo(
                    redis, process, Caller.of(process), URI.create("http://%s/metrics".formatted(address)), mistake);
        } catch (AssertionError e) {
            redis.close();
            throw e;
        }
    }

    /** Returns the answer over gRPC. */
    PlainAnswer ask(RateLimitRequest request) {
        try {
            return PlainAnswer.of(caller.ask(request));
        } catch (StatusRuntimeException e) {
            return PlainAnswer.error(e.getStatus().getCode() == mistake ? "a mistake" : e.toString());
        }
    }

    /** Returns the answer of {@code /json}. */
    PlainAnswer askByHttp(RateLimitRequest request) {
        try {
            return PlainAnswer.of(
                    Http.post(process.http("/json"), JsonFormat.printer().print(request)));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the lines of {@code /rlconfig}, sorted. */
    List<String> rules() {
        return Http.get(process.debug("/rlconfig")).body().lines().sorted().toList();
    }

    /** Returns what Prometheus would read of series that both have, sorted, without what depends on speed. */
    List<String> counts() {
        return Http.get(metrics)
                .body()
                .lines()
                .filter(line -> line.startsWith("ratelimit_service_"))
                .filter(line -> !line.matches("ratelimit_service_response_time_seconds_(bucket|sum).*"))
                .map(OneOfTwo::withPlainNumber)
                .sorted()
                .toList();
    }

    /** Go writes a large number as 1.000000001e+09, at times. */
    private static String withPlainNumber(String line) {
        int number = line.lastIndexOf(' ') + 1;
        return line.substring(0, number) + (long) Double.parseDouble(line.substring(number));
    }

    @Override
    public void close() {
        caller.close();
        process.close();
        redis.close();
    }
}
