package dev.weir.telemetry;

import dev.weir.words.Secrets;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that a collector cannot be reached, once each further cause that this has, and once that it can again: exports fail every few seconds
 * meanwhile.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    /** One may say something else each time. */
    private static final int MOST_CAUSES = 8;

    private final String what;
    private final String where;
    private final Secrets secrets;

    /** Why it is out, all that was told; empty while it is well. Guarded by this. */
    private final Set<String> causes = new HashSet<>();

    /**
     * Creates it for a collector that is thought to be well.
     *
     * @param what is sent, in the plural
     * @param where to
     * @param secrets what it is told, and must not repeat to others
     */
    Outage(String what, String where, Secrets secrets) {
        this.what = what;
        this.where = where;
        this.secrets = secrets;
    }

    /** Watches an export; returns it. */
    CompletableResultCode watch(CompletableResultCode export) {
        return export.whenComplete(() -> {
            if (export.isSuccess()) {
                arrived();
            } else {
                failed(words(export.getFailureThrowable()));
            }
        });
    }

    private synchronized void arrived() {
        if (!causes.isEmpty()) {
            causes.clear();
            LOG.info("{} reach {} again", what, where);
        }
    }

    private synchronized void failed(String cause) {
        if (causes.size() < MOST_CAUSES && causes.add(cause)) {
            LOG.warn("{} do not reach {}: {}; what cannot be kept until they do is dropped", what, where, cause);
        }
    }

    /** What gRPC says of a deadline has nanoseconds in it, and would be another cause each time. */
    private static boolean isLate(Throwable failure) {
        return failure instanceof StatusRuntimeException grpc
                && grpc.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
    }

    private String words(@Nullable Throwable failure) {
        if (failure instanceof HttpExportException http && http.getResponse() != null) {
            return "it refuses what it is sent (HTTP status "
                    + http.getResponse().getStatusCode() + ")";
        }
        Throwable last = failure;
        boolean isCertificate = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return "it takes no connections, or there is no such host";
            }
            isCertificate |= cause instanceof CertificateException;
            last = cause;
        }
        if (last == null || last instanceof TimeoutException || isLate(last)) {
            return "it does not answer in time";
        }
        String words =
                last.getMessage() == null ? "it refuses what it is sent" : secrets.firstLineOf(last.getMessage());
        return isCertificate ? "its certificate is not trusted (OTEL_EXPORTER_OTLP_CERTIFICATE): " + words : words;
    }
}
