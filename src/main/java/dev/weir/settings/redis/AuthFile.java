package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.Secret;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;

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
     * Reads the file. What was in it before stays if it cannot be read or is empty, and the user of before if it names none.
     *
     * @param listener is told, once, why what was in it before stays
     */
    public void look(Consumer<String> listener) {
        try {
            Credentials said = Credentials.of(Secret.contentOf(path));
            if (said.password().isEmpty()) {
                complain("the file is empty", listener);
            } else {
                complaint = "";
                last = said.orOf(last);
            }
        } catch (IOException e) { // its message can hold no part of what it could not read
            complain("the file cannot be read (" + e.getClass().getSimpleName() + ")", listener);
        }
    }

    private void complain(String why, Consumer<String> listener) {
        if (!why.equals(complaint)) {
            complaint = why;
            listener.accept(variable + ": " + path + ": " + why + "; what was in it before is used");
        }
    }
}
