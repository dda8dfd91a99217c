package dev.weir.rules.xds;

import dev.weir.tls.Authorities;
import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import dev.weir.tls.ServerNames;
import dev.weir.words.Secrets;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLException;

/** Reads the files of TLS to the control plane, and says in one sentence which of them is not as it must be. */
final class ControlPlaneTls {
    private static final String AUTHORITIES = "CONFIG_GRPC_XDS_SERVER_TLS_CACERT";
    private static final String CHAIN = "CONFIG_GRPC_XDS_CLIENT_TLS_CERT";
    private static final String KEY = "CONFIG_GRPC_XDS_CLIENT_TLS_KEY";

    private ControlPlaneTls() {}

    /**
     * Returns what a connection needs. It runs on Java's own TLS: a line for some kilobytes an hour needs no native code,
     * which some file systems that nobody may write to could not load.
     *
     * @param server the address
     * @throws XdsException if a file is missing, holds something else, or has expired
     */
    static SslContext read(XdsOptions.Tls tls, String server) throws XdsException {
        var builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        SNIServerName name = ServerNames.of(tls.serverName().isEmpty() ? hostOf(server) : tls.serverName());
        if (name != null) {
            builder.serverName(name);
        }
        if (tls.authorities() != null) {
            try {
                builder.trustManager(Authorities.only(tls.authorities()));
            } catch (PemException e) {
                throw told(AUTHORITIES, e);
            }
        }
        if (tls.chain() != null && tls.key() != null) {
            try {
                builder.keyManager(Identity.read(tls.chain(), tls.key()).factory());
            } catch (PemException e) {
                throw told(
                        switch (e.part()) {
                            case CERTIFICATES -> CHAIN;
                            case KEY -> KEY;
                        },
                        e);
            }
        }
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new XdsException("TLS to the control plane cannot be set up: " + e.getMessage());
        }
    }

    /** It may stand behind the slashes of a target of gRPC. */
    private static String hostOf(String server) {
        return server.substring(server.lastIndexOf('/') + 1, server.lastIndexOf(':'));
    }

    private static XdsException told(String variable, PemException mistake) {
        boolean isShown = mistake.part() != PemException.Part.KEY
                || Secrets.isPath(mistake.file().toString());
        String named =
                isShown ? " names " + mistake.file() : " is not shown here (it looks like what belongs into a file)";
        return new XdsException(variable + named + ": " + mistake.reason());
    }
}
