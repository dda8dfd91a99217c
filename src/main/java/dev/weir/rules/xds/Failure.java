package dev.weir.rules.xds;

import dev.weir.linux.SystemErrors;
import dev.weir.words.OneLine;
import dev.weir.words.Secrets;
import io.grpc.Status;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Why there is no stream, in a sentence without its full stop. */
final class Failure {
    /** What gRPC says of a message beyond the bound; servers may be exhausted for other reasons. */
    private static final String TOO_LARGE = "exceeds maximum size";

    /** What is heard of a peer that goes away after a handshake of TLS: one that did not like our certificate does, or says so by an alert. */
    private static final Pattern GONE = Pattern.compile(
            "Network closed for unknown reason|.*(Connection reset|Broken pipe|Received fatal alert).*");

    private Failure() {}

    /** Says why no connection came about. */
    static String unreachable(XdsOptions options, Status status) {
        return "the control plane at " + options.server() + " cannot be reached: " + reason(options, status, true);
    }

    /** Says why a stream ended. */
    static String broken(XdsOptions options, Status status) {
        return "the stream from the control plane at " + options.server() + " ended: "
                + (status.isOk() ? "the control plane closed it" : reason(options, status, false));
    }

    /** A stream that was there shows that the control plane had taken our certificate. */
    private static String reason(XdsOptions options, Status status, boolean mayRefuseOurs) {
        Throwable cause = status.getCause();
        var tls = options.tls();
        if (tls != null && find(cause, CertificateExpiredException.class) != null) {
            return "its certificate has expired (" + root(cause) + ")";
        }
        if (tls != null && find(cause, CertificateNotYetValidException.class) != null) {
            return "its certificate is not valid yet (" + root(cause) + ")";
        }
        boolean isUntrusted = find(cause, CertPathBuilderException.class) != null
                || find(cause, CertPathValidatorException.class) != null;
        if (tls != null && isUntrusted) {
            String signed = tls.authorities() == null
                    ? "its certificate is signed by nobody whom Java trusts; name who signed it as"
                            + " CONFIG_GRPC_XDS_SERVER_TLS_CACERT"
                    : "its certificate is not signed by those in " + tls.authorities()
                            + " (CONFIG_GRPC_XDS_SERVER_TLS_CACERT)";
            return signed + ": " + root(cause);
        }
        if (tls != null && find(cause, CertificateException.class) != null) {
            return "its certificate is not for it (" + root(cause)
                    + "); a name other than that of the address is given as CONFIG_GRPC_XDS_SERVER_TLS_SAN";
        }
        if (find(cause, SSLException.class) != null) {
            return "TLS failed: " + root(cause) + (mayRefuseOurs ? ownCertificate(tls, root(cause)) : "");
        }
        String told = status.getDescription() == null
                ? "no reason is given"
                : Secrets.among(options.headers().values()).firstLineOf(status.getDescription());
        if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED && told.contains(TOO_LARGE)) {
            return told + "; XDS_CLIENT_MAX_MSG_SIZE_IN_BYTES bounds the size of a response";
        }
        String code = status.getCode() == Status.Code.UNAVAILABLE ? "" : status.getCode() + ": ";
        String words = cause == null ? told : root(cause);
        return code + words + (mayRefuseOurs ? ownCertificate(tls, words) : "");
    }

    private static String ownCertificate(XdsOptions.@Nullable Tls tls, String words) {
        if (tls == null || !GONE.matcher(words).matches()) {
            return "";
        }
        return tls.chain() == null
                ? "; if it wants a certificate of ours, CONFIG_GRPC_XDS_CLIENT_TLS_CERT names one"
                : "; it may not accept our certificate (CONFIG_GRPC_XDS_CLIENT_TLS_CERT), or was shown none: Java keeps back one"
                        + " that none of the authorities that it names has signed";
    }

    private static <T extends Throwable> @Nullable T find(@Nullable Throwable from, Class<T> type) {
        for (Throwable cause = from; cause != null; cause = cause.getCause()) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
        }
        return null;
    }

    private static String root(@Nullable Throwable from) {
        Throwable root = from;
        while (root != null && root.getCause() != null) {
            root = root.getCause();
        }
        return root == null ? "" : OneLine.of(SystemErrors.words(String.valueOf(root.getMessage())));
    }
}
