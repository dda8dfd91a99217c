package dev.weir.rules.yaml.scan;

import java.util.regex.Pattern;

/**
 * Takes lines of nothing but blanks and tabs for empty, as the Go service's parser does; the library's scanner takes a tab there
 * for indentation. In texts of several lines that keep their blanks, behind a bar or an arrow, such a line says something: where
 * one of those may stand nothing is changed.
 */
public final class EmptyLines {
    private static final Pattern TABS = Pattern.compile("^ *+\t[ \t]*+$", Pattern.MULTILINE);
    private static final Pattern TEXT_OF_LINES = Pattern.compile("[|>][-+0-9]{0,2}[ \t]*(#.*)?$", Pattern.MULTILINE);

    private EmptyLines() {}

    /** Returns a document with blanks in place of such tabs, so that lines and columns stay what they are. */
    public static String blank(String text) {
        if (text.indexOf('\t') < 0 || TEXT_OF_LINES.matcher(text).find()) {
            return text;
        }
        return TABS.matcher(text).replaceAll(line -> " ".repeat(line.end() - line.start()));
    }
}
