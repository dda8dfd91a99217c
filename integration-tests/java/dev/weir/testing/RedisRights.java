package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What docs/redis.md tells operators to give to Weir's user of Redis. */
public final class RedisRights {
    /** The rights, separated by spaces, as {@code ACL SETUSER} takes them. */
    public static final String OF_THE_PAGE = read();

    private RedisRights() {}

    private static String read() {
        try {
            Matcher rights = Pattern.compile("'~weir:\\*' (\\+ping .*?)\n\n", Pattern.DOTALL)
                    .matcher(Files.readString(Path.of("docs", "redis.md")));
            if (!rights.find()) {
                throw new AssertionError("docs/redis.md names no rights");
            }
            return rights.group(1).replaceAll("['\\\\\\s]+", " ").strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
