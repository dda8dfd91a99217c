package dev.weir.settings.table;

import dev.weir.tls.Identity;
import dev.weir.tls.PemException;
import java.nio.file.Path;

/**
 * The two variables that say who we are where connections are encrypted; one is of no use without the other.
 *
 * @param certificate names the file of our certificate
 * @param key names the file of its key
 */
public record IdentityRows(Setting<Path> certificate, Setting<Path> key) {

    /** Returns whether a path was given. */
    public static boolean isGiven(Path path) {
        return !path.toString().isEmpty();
    }

    /** Keeps the mistake that one is given without the other. Returns whether both are. */
    public boolean checkBoth(Environment environment) {
        boolean hasCertificate = isGiven(environment.read(certificate));
        boolean hasKey = isGiven(environment.read(key));
        if (hasCertificate && !hasKey) {
            environment.contradict(key, "give the key of the certificate in `" + certificate.name() + "`");
        } else if (hasKey && !hasCertificate) {
            environment.contradict(certificate, "give the certificate of the key in `" + key.name() + "`");
        }
        return hasCertificate && hasKey;
    }

    /** Keeps the mistake that one is given without the other, or what is wrong with the files of both. */
    public void checkFiles(Environment environment) {
        if (!checkBoth(environment)) {
            return;
        }
        try {
            var _ = Identity.read(environment.read(certificate), environment.read(key));
        } catch (PemException e) {
            environment.contradict(guilty(e), e.reason());
        }
    }

    private Setting<Path> guilty(PemException mistake) {
        return switch (mistake.part()) {
            case CERTIFICATES -> certificate;
            case KEY -> key;
        };
    }
}
