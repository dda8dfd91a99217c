package dev.weir.rules.kept;

import dev.weir.rules.SourceFile;
import java.nio.charset.StandardCharsets;

/**
 * The rules of one domain as they were put.
 *
 * @param name the domain's
 * @param text a rule file
 * @param since when it was put, in UTC as ISO 8601 has it
 * @param from the address of who did
 */
public record KeptDomain(String name, String text, String since, String from) {
    // Of what is beside the text; names and addresses are short.
    private static final int WEIGHT = 256;

    SourceFile source() {
        return new SourceFile("kept/" + name, text.getBytes(StandardCharsets.UTF_8), true);
    }

    /** Returns how much room it takes, about. */
    long weight() {
        return text.length() + (long) name.length() + WEIGHT;
    }
}
