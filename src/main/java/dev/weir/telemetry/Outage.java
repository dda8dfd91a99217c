package dev.weir.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells once that a collector cannot be reached, and once that it can again: exports fail every few seconds meanwhile. */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private final String what;
    private final String where;
    private final AtomicBoolean isOut = new AtomicBoolean();

    /**
     * Creates it for a collector that is thought to be well.
     *
     * @param what is sent, in the plural
     * @param where to
     */
    Outage(String what, String where) {
        this.what = what;
        this.where = where;
    }

    /** Watches an export; returns it. */
    CompletableResultCode watch(CompletableResultCode export) {
        return export.whenComplete(() -> {
            if (export.isSuccess() && isOut.compareAndSet(true, false)) {
                LOG.info("{} reach {} again", what, where);
            } else if (!export.isSuccess() && isOut.compareAndSet(false, true)) {
                LOG.warn(
                        "{} do not reach {}: {}; what cannot be kept until they do is dropped",
                        what,
                        where,
                        words(export.getFailureThrowable()));
            }
        });
    }

    private static String words(@Nullable Throwable failure) {
        Throwable last = failure;
        boolean isCertificate = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return "it takes no connections, or there is no such host";
            }
            isCertificate |= cause instanceof CertificateException;
            last = cause;
        }
        if (last == null || last instanceof TimeoutException) {
            return "it does not answer in time";
        }
        String words = last.getMessage() == null ? "it refuses what it is sent" : last.getMessage();
        return isCertificate ? "its certificate is not trusted (OTEL_EXPORTER_OTLP_CERTIFICATE): " + words : words;
    }
}
