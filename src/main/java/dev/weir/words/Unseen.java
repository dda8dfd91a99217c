package dev.weir.words;

import java.util.Locale;

/** Characters that nobody sees: in the text of others they could begin a line, turn it around, or speak to a terminal. */
public final class Unseen {
    private Unseen() {}

    /** Returns whether a character is one. */
    public static boolean is(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    /** Returns a character by its number, as in <code>&#92;u{1b}</code>. */
    public static String number(int point) {
        return String.format(Locale.ROOT, "\\u{%x}", point);
    }

    /** Returns a text in which each of them stands by its number; mostly it is the same. */
    public static String shown(String text) {
        if (text.codePoints().noneMatch(Unseen::is)) {
            return text;
        }
        var shown = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(point -> {
            if (is(point)) {
                shown.append(number(point));
            } else {
                shown.appendCodePoint(point);
            }
        });
        return shown.toString();
    }
}
