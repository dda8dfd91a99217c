package dev.weir;

import dev.weir.settings.Backend;
import dev.weir.settings.Settings;
import dev.weir.settings.redis.AuthFile;
import dev.weir.settings.redis.RedisSettings;
import dev.weir.settings.redis.RedisSettings.Tls;
import dev.weir.store.redis.RedisOptions;
import dev.weir.tls.Authorities;
import dev.weir.tls.ClientTls;
import dev.weir.tls.Newest;
import dev.weir.tls.PemException;
import dev.weir.tls.RenewalListener;
import dev.weir.tls.Renewed;
import dev.weir.upkeep.Upkeep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whom connections to Redis trust, what they show and what they say to be let in, as is in the files when they begin; writes into
 * the log how that fares.
 */
final class RedisAccess implements RenewalListener, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final RedisOptions.@Nullable Tls tls;
    private final @Nullable Renewed<ClientTls> files;
    private final List<AuthFile> authFiles;
    private final Upkeep upkeep = new Upkeep(this::lookAtAuthFiles, RedisAccess::tellOfDefect);

    /**
     * Reads the files, and begins to look at them.
     *
     * @throws StartException if a file cannot be used any more, which it could when the settings were read
     */
    RedisAccess(Settings settings) throws StartException {
        authFiles = authFiles(settings);
        Tls wanted = wanted(settings);
        if (wanted == null) {
            files = null;
            tls = null;
        } else {
            files = renewed(wanted);
            tls = tls(files, wanted.isCheckingName());
        }
        try { // last: nobody closes what was not made
            watch(wanted);
        } catch (RuntimeException | Error notStarted) {
            close();
            throw notStarted;
        }
    }

    private void watch(@Nullable Tls wanted) {
        if (files != null && wanted != null && !paths(wanted).isEmpty()) {
            files.watch("redis-tls-watch");
        }
        if (!authFiles.isEmpty()) {
            Thread.ofPlatform().daemon().name("redis-auth-watch").start(() -> upkeep.stepUntilEnd(BETWEEN_LOOKS));
        }
    }

    private static List<Path> paths(Tls wanted) {
        return Stream.of(wanted.authorities(), wanted.certificate(), wanted.key())
                .filter(Objects::nonNull)
                .toList();
    }

    private Renewed<ClientTls> renewed(Tls wanted) throws StartException {
        try {
            return new Renewed<>(paths(wanted), () -> read(wanted), this);
        } catch (PemException e) {
            throw new StartException("TLS to Redis cannot be set up: " + e.file() + ": " + e.reason());
        }
    }

    private static List<AuthFile> authFiles(Settings settings) {
        return settings.backend().type() != Backend.Type.REDIS
                ? List.of()
                : Stream.of(settings.redis(), settings.redisPerSecond())
                        .filter(Objects::nonNull)
                        .map(RedisSettings::authFile)
                        .filter(Objects::nonNull)
                        .toList();
    }

    private void lookAtAuthFiles() {
        authFiles.forEach(file -> file.look(LOG::warn, LOG::info));
    }

    private static void tellOfDefect(Throwable defect) {
        LOG.error("a file with a password for Redis could not be read", defect);
    }

    /** The files are the same for both Redis, if there are two. */
    private static @Nullable Tls wanted(Settings settings) {
        if (settings.backend().type() != Backend.Type.REDIS) {
            return null;
        }
        var perSecond = settings.redisPerSecond();
        Tls first = settings.redis().tls();
        return first != null || perSecond == null ? first : perSecond.tls();
    }

    private static ClientTls read(Tls wanted) throws PemException {
        return ClientTls.trusting(
                wanted.authorities() == null ? Authorities.ofJava() : Authorities.with(wanted.authorities()),
                wanted.certificate(),
                wanted.key());
    }

    private static RedisOptions.Tls tls(Renewed<ClientTls> files, boolean isCheckingName) {
        return new RedisOptions.Tls(
                Newest.authorities(() -> files.inForce().trust()),
                files.inForce().own() == null
                        ? null
                        : Newest.identity(
                                () -> Objects.requireNonNull(files.inForce().own())),
                isCheckingName);
    }

    /** Returns how connections to Redis are encrypted where they are; null if none is. */
    RedisOptions.@Nullable Tls tls() {
        return tls;
    }

    @Override
    public void renewed() {
        LOG.info("TLS to Redis: new connections get what is in the files now");
    }

    @Override
    public void kept(Path file, String reason) {
        LOG.error("TLS to Redis: {}: {}; what was in the files before stays in force", file, reason);
    }

    @Override
    public void close() {
        upkeep.end();
        if (files != null) {
            files.close();
        }
    }
}
