package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What lets us in to Redis, where it stands in a file that others write anew: a token that ends within the hour, or a password
 * that is changed now and then.
 *
 * <p>Safe for use by any thread.
 */
public final class AuthFile {
    private final String variable;
    private final Path path;
    private volatile Credentials last;
    private volatile String complaint = "";
    private volatile @Nullable Look seen;

    /**
     * What was seen in the file.
     *
     * @param why that cannot be used; empty if it can
     */
    private record Look(Credentials said, String why) {}

    AuthFile(String variable, Path path, Credentials atFirst) {
        this.variable = variable;
        this.path = path;
        this.last = atFirst;
    }

    /** Returns what was in the file when it was last in order. */
    public Credentials newest() {
        return last;
    }

    /**
     * Reads the file. What was in it before stays if it cannot be read or is empty, and the user of before if it names none. Only what
     * two looks in a row have seen counts: whoever writes the file may be in the middle of it.
     *
     * @param listener is told, once, why what was in it before stays
     */
    public void look(Consumer<String> listener) {
        Look now = read();
        if (now.equals(seen)) {
            if (now.why.isEmpty()) {
                complaint = "";
                last = now.said.orOf(last);
            } else {
                complain(now.why, listener);
            }
        }
        seen = now;
    }

    private Look read() {
        try {
            Credentials said = Credentials.of(Secret.contentOf(path));
            return new Look(said, said.password().isEmpty() ? "the file is empty" : "");
        } catch (IOException e) { // its message can hold no part of what it could not read
            return new Look(
                    Credentials.NONE, "the file cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private void complain(String why, Consumer<String> listener) {
        if (!why.equals(complaint)) {
            complaint = why;
            listener.accept(variable + ": " + path + ": " + why + "; what was in it before is used");
        }
    }
}
