package dev.weir.cli;

import dev.weir.tls.ClientTls;
import dev.weir.tls.PemException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of a command that may ask over TLS. */
final class TlsOptions {
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?([.][A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9_])?)*");

    @Option(names = "--tls", description = "Ask over TLS; so do --ca, --cert and --name by themselves.")
    private boolean isTls;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Who may have signed the service's certificate (default: whom Java trusts).")
    private @Nullable Path authority;

    @Option(names = "--cert", paramLabel = "FILE", description = "The certificate to show to the service.")
    private @Nullable Path certificate;

    @Option(names = "--key", paramLabel = "FILE", description = "Its key.")
    private @Nullable Path key;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "The name that the service's certificate must have (default: the host of --address).")
    private @Nullable String name;

    /** Returns how to ask; null for in the clear. */
    @Nullable
    ClientTls read(CommandLine command) {
        if ((certificate == null) != (key == null)) {
            throw new ParameterException(command, "--cert and --key go together: give both, or neither");
        }
        if (name != null && !NAME.matcher(name).matches()) {
            throw new ParameterException(command, "--name is '" + name + "': give the name of a host");
        }
        try {
            boolean isAsked = isTls || authority != null || certificate != null || name != null;
            return isAsked ? ClientTls.of(authority, certificate, key).named(name) : null;
        } catch (PemException e) {
            throw new ParameterException(command, e.file() + ": " + e.reason());
        }
    }
}
