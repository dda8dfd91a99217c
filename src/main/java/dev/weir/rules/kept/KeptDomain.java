package dev.weir.rules.kept;

import dev.weir.rules.Mistake;
import dev.weir.rules.SourceFile;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The rules of one domain as they were put.
 *
 * @param name the domain's
 * @param text a rule file
 * @param since when it was put, in UTC as ISO 8601 has it
 * @param from the address of who did
 */
public record KeptDomain(String name, String text, String since, String from) {
    // Of what is beside name and text.
    private static final int WEIGHT = 256;

    /** A mistake begins with the name, in a line of its own. */
    private static final Pattern PLAIN = Pattern.compile("[^-._ \\p{L}\\p{N}]");

    SourceFile source() {
        return new SourceFile("kept/" + PLAIN.matcher(Mistake.quoted(name)).replaceAll("?"), bytes(text), true);
    }

    /** Returns how many bytes it takes, about. */
    long weight() {
        return bytes(text).length + (long) bytes(name).length + WEIGHT;
    }

    private static byte[] bytes(String of) {
        return of.getBytes(StandardCharsets.UTF_8);
    }
}
