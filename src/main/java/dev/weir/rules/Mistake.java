package dev.weir.rules;

/**
 * One thing that is wrong in the rules, said so that the operator can mend it; or a remark on what is right, but hardly meant.
 *
 * @param file the file (or resource) it stands in
 * @param line its line, from 1; 0 where there is none
 * @param column its column, from 1; 0 where there is none
 * @param message what is wrong, and what to write instead
 */
public record Mistake(String file, int line, int column, String message) {
    private static final int MOST_QUOTED = 200;

    /** Returns a text as a mistake quotes it: a thousand mistakes that quote what fills a message would fill the heap. */
    public static String quoted(String text) {
        return text.length() <= MOST_QUOTED ? text : text.substring(0, MOST_QUOTED) + "...";
    }

    @Override
    public String toString() {
        return line == 0 ? file + ": " + message : file + ":" + line + ":" + column + ": " + message;
    }
}
