package dev.weir.settings.redis;

import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.table.Secret;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
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
    private final Credentials ofUrl;
    private volatile Credentials last;
    private volatile String complaint = "";
    private volatile @Nullable Look seen;

    /**
     * What was seen in the file.
     *
     * @param said what lets us in by it
     * @param why that cannot be used; empty if it can
     */
    private record Look(Credentials said, String why) {}

    /**
     * Prepares the reading of a file.
     *
     * @param variable that names it
     * @param atFirst what lets us in until it is read
     * @param ofUrl what lets us in where the file does not say it, as at a start
     */
    AuthFile(String variable, Path path, Credentials atFirst, Credentials ofUrl) {
        this.variable = variable;
        this.path = path;
        this.last = atFirst;
        this.ofUrl = ofUrl;
    }

    /** Returns what was in the file when it was last in order. */
    public Credentials newest() {
        return last;
    }

    /**
     * Reads the file. What was in it before stays if it cannot be read or has no password. Only what two looks in a row have seen
     * counts: whoever writes the file may be in the middle of it.
     *
     * @param trouble is told, once, why what was in it before stays
     * @param relief is told, after that, when what is in it counts again
     */
    public void look(Consumer<String> trouble, Consumer<String> relief) {
        Look now = read();
        if (now.equals(seen)) {
            if (now.why.isEmpty()) {
                last = now.said;
            }
            tell(now.why, trouble, relief);
        }
        seen = now;
    }

    private Look read() {
        try {
            String content = Secret.contentOf(path);
            Credentials said = Credentials.of(content).orOf(ofUrl);
            String why = said.password().isEmpty() ? "it has no password" : "";
            return new Look(said, content.isEmpty() ? "the file is empty" : why);
        } catch (CharacterCodingException _) {
            return new Look(Credentials.NONE, "the file is not UTF-8");
        } catch (IOException e) { // its message can hold no part of what it could not read
            return new Look(
                    Credentials.NONE, "the file cannot be read (" + e.getClass().getSimpleName() + ")");
        }
    }

    private void tell(String why, Consumer<String> trouble, Consumer<String> relief) {
        if (why.equals(complaint)) {
            return;
        }
        complaint = why;
        if (why.isEmpty()) {
            relief.accept(variable + ": " + path + ": the file is in order again, and what is in it is used");
        } else {
            trouble.accept(variable + ": " + path + ": " + why + "; what was in it before is used");
        }
    }
}
