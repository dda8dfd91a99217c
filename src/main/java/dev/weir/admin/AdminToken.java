package dev.weir.admin;

import dev.weir.http.Authorization;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;

/** What an operator says who may change something, as RFC 6750 has it. */
public final class AdminToken {
    private static final String SCHEME = "bearer ";

    private final byte[] token;

    /** Creates a token; with an empty one nobody is let in. */
    public AdminToken(String token) {
        this.token = token.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether anybody can be let in. */
    boolean isSet() {
        return token.length > 0;
    }

    /** Returns whether who says this is let in. How long it takes tells nothing of the token. */
    boolean letsIn(Authorization authorization) {
        String text = authorization.said();
        if (!text.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        byte[] said = text.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return isSet() && MessageDigest.isEqual(said, token);
    }
}
