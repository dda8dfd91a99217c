package dev.weir.words;

/** What others say, as part of a line of the log: it can neither make that long nor more than one, nor speak to the terminal. */
public final class OneLine {
    private static final int MOST_CHARS = 200;

    private OneLine() {}

    /** Returns its beginning, in one line. */
    public static String of(String text) {
        return text.length() <= MOST_CHARS ? all(text) : all(text.substring(0, MOST_CHARS)) + "...";
    }

    /** Returns all of it, in one line; for what is short already. */
    public static String all(String text) {
        var line = new StringBuilder(text.length());
        text.codePoints().map(point -> Unseen.is(point) ? ' ' : point).forEach(line::appendCodePoint);
        return line.toString();
    }
}
