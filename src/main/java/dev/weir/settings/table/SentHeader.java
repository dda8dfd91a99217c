package dev.weir.settings.table;

import java.util.regex.Pattern;

/**
 * What a header that we send may be, over HTTP and gRPC alike. What a library refuses later it tells with the value, which is
 * most often a secret.
 */
public final class SentHeader {
    private static final Pattern NAME = Pattern.compile("[0-9A-Za-z_.-]+");
    private static final Pattern VALUE = Pattern.compile("[ -~]*");

    private SentHeader() {}

    /** Returns whether it is a name: of letters, digits, {@code -}, {@code _} and {@code .}. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns whether it is a value: of signs of ASCII that can be seen, and spaces. */
    public static boolean isValue(String text) {
        return VALUE.matcher(text).matches();
    }
}
