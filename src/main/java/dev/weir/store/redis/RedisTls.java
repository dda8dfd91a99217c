package dev.weir.store.redis;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How connections to Redis are encrypted. What the factories give is asked for anew for each, so that it may change.
 *
 * @param authorities whose signature under Redis's certificate is believed
 * @param identity who we are to Redis, or null if it does not ask
 * @param isCheckingName whether the certificate must be for the host that we asked for
 */
public record RedisTls(
        TrustManagerFactory authorities, @Nullable KeyManagerFactory identity, boolean isCheckingName) {}
