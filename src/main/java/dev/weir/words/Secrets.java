package dev.weir.words;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What we tell others and nobody else may hear. Who is told it may repeat it, in an error for instance, whose words then are left out:
 * all but the first, for to hide the secret alone would show where it stands in words that everybody knows.
 *
 * @param texts passwords, users, values of headers; what is shorter than four characters could stand anywhere, and is none
 */
public record Secrets(List<String> texts) {
    private static final int LEAST_CHARS = 4;
    private static final Pattern PATH = Pattern.compile("\\.{0,2}/"); // a secret may have a slash further on

    public Secrets {
        texts = List.copyOf(texts);
    }

    /** Returns whether what should name a file with a secret in it begins like a path: it may be the secret itself. */
    public static boolean isPath(String text) {
        return PATH.matcher(text).lookingAt();
    }

    /** Returns those among these texts; of a value like {@code Bearer abcd} also what stands behind the blank. */
    public static Secrets among(Collection<String> texts) {
        return new Secrets(texts.stream()
                .flatMap(text -> Stream.of(text, text.substring(text.lastIndexOf(' ') + 1)))
                .filter(text -> text.length() >= LEAST_CHARS)
                .distinct()
                .toList());
    }

    /** Returns what somebody said, if it may be shown; or of it what may. */
    public String leftOut(String said) {
        if (!areIn(said)) {
            return said;
        }
        String first = said.strip().split("\\s", 2)[0];
        return (areIn(first) ? "" : first + " ") + "(what else is said repeats a secret, and is left out)";
    }

    /** Returns the first line of what somebody said, as far as it may be shown. */
    public String firstLineOf(String said) {
        return OneLine.of(leftOut(said.lines().findFirst().orElse("")));
    }

    private boolean areIn(String said) {
        return texts.stream().anyMatch(said::contains);
    }

    /** Without the secrets. */
    @Override
    public String toString() {
        return "Secrets[" + texts.size() + "]";
    }
}
