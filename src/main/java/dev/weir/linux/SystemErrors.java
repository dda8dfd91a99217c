package dev.weir.linux;

import java.util.regex.Pattern;

/** What the system says of a call that failed, as Netty hands it on. */
public final class SystemErrors {
    private static final Pattern CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-?\\d+\\): ");

    private SystemErrors() {}

    /** Returns a message without the system's name for the call and the number of the error, which are of no use to an operator. */
    public static String words(String message) {
        return CALL.matcher(message).replaceFirst("");
    }
}
