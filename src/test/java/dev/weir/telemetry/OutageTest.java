package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.HeardLog;
import dev.weir.words.Secrets;
import io.grpc.Status;
import io.opentelemetry.exporter.internal.FailedExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.export.HttpResponse;
import java.net.ConnectException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is told of a collector that does not take what it is sent. */
final class OutageTest {
    private static final String BEGIN = "WARN metrics do not reach http://collector:4318: ";
    private static final String END = "; what cannot be kept until they do is dropped";

    @RegisterExtension
    final HeardLog log = HeardLog.of(Outage.class);

    private final Outage outage =
            new Outage("metrics", "http://collector:4318", Secrets.among(List.of("Bearer open-sesame")));

    @Test
    void each_cause_is_told_once_and_then_that_it_is_over() {
        refused(503);
        refused(503);
        refused(404);
        refused(503);
        failed(FailedExportException.httpFailedExceptionally(new ConnectException("refused")));
        arrived();
        arrived();
        refused(503);
        assertThat(log.lines())
                .containsExactly(
                        BEGIN + "it refuses what it is sent (HTTP status 503)" + END,
                        BEGIN + "it refuses what it is sent (HTTP status 404)" + END,
                        BEGIN + "it takes no connections, or there is no such host" + END,
                        "INFO metrics reach http://collector:4318 again",
                        BEGIN + "it refuses what it is sent (HTTP status 503)" + END);
    }

    @Test
    void causes_that_are_new_each_time_do_not_fill_the_log() {
        for (int i = 0; i < 100; i++) {
            failed(new IllegalStateException("request " + i));
        }
        assertThat(log.lines()).hasSize(8);
    }

    @Test
    void a_deadline_of_grpc_is_one_cause_whatever_it_says_of_nanoseconds() {
        for (int i = 0; i < 3; i++) {
            var late = Status.DEADLINE_EXCEEDED.withDescription("CallOptions deadline exceeded after 9.99" + i + "s");
            failed(FailedExportException.grpcFailedExceptionally(late.asRuntimeException()));
        }
        failed(FailedExportException.grpcFailedExceptionally(
                Status.UNAUTHENTICATED.withDescription("who are you?").asRuntimeException()));
        assertThat(log.lines())
                .containsExactly(
                        BEGIN + "it does not answer in time" + END, BEGIN + "UNAUTHENTICATED: who are you?" + END);
    }

    @Test
    void what_a_collector_repeats_of_its_headers_is_left_out() {
        failed(FailedExportException.grpcFailedExceptionally(Status.UNAUTHENTICATED
                .withDescription("invalid credentials: authorization=Bearer open-sesame")
                .asRuntimeException()));
        failed(FailedExportException.grpcFailedExceptionally(Status.UNAUTHENTICATED
                .withDescription("HTTP status code 401\ninvalid content-type: text/html\nopen-sesame")
                .asRuntimeException()));
        assertThat(log.lines())
                .containsExactly(
                        BEGIN + "UNAUTHENTICATED: (what else is said repeats a secret, and is left out)" + END,
                        BEGIN + "UNAUTHENTICATED: HTTP status code 401" + END);
    }

    private void refused(int status) {
        failed(FailedExportException.httpFailedWithResponse(new Refusal(status)));
    }

    private void failed(Throwable cause) {
        var _ = outage.watch(CompletableResultCode.ofExceptionalFailure(cause));
    }

    private void arrived() {
        var _ = outage.watch(CompletableResultCode.ofSuccess());
    }

    /** An answer without a body. */
    private record Refusal(int status) implements HttpResponse {
        @Override
        public int getStatusCode() {
            return status;
        }

        @Override
        public String getStatusMessage() {
            return "";
        }

        @Override
        public byte[] getResponseBody() {
            return new byte[0];
        }
    }
}
