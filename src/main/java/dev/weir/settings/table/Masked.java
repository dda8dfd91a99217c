package dev.weir.settings.table;

import java.util.regex.Pattern;

/**
 * Addresses without their secrets. What is shown is what is known to hold none; a text that reads in no way as addresses
 * may have a sign of its password where it looks like a host, so little of it is shown.
 */
final class Masked {
    private static final String HIDDEN = "***";
    private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*://";
    private static final String PLACE = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::\\d{1,5})?(?:/[\\w.-]*)*";
    private static final String URL = "\\s*(" + SCHEME + ")([^/@?#,\\s]*@)?(" + PLACE + ")(\\?[^,@\\s]*)?\\s*";

    /** The last is what stands in the place of a port: a password, where the user and it were taken for an address. */
    private static final Pattern ANY_SECRET =
            Pattern.compile("//|[@?=]|[^\\s,]\\s+[^\\s,]|:(?!\\s*\\d{1,5}\\s*(?:[/,]|$))");

    private static final Pattern IN_BRACKETS = Pattern.compile("\\[[0-9A-Fa-f:.]+]");
    private static final Pattern ONE_URL = Pattern.compile(URL);
    private static final Pattern URLS = Pattern.compile("(?:[\\w.-]+,)?" + URL + "(?:," + URL + ")*");
    private static final Pattern BEGIN = Pattern.compile("\\A" + SCHEME);
    private static final Pattern END = Pattern.compile("@" + PLACE + "\\z");

    private Masked() {}

    /** Returns what may be shown of one address or some with commas between them, right or wrong ones. */
    static String of(String text) {
        if (!ANY_SECRET.matcher(IN_BRACKETS.matcher(text).replaceAll("")).find()) {
            return text;
        }
        if (URLS.matcher(text).matches()) {
            return ONE_URL.matcher(text)
                    .replaceAll(url -> url.group(1)
                            + (url.group(2) == null ? "" : HIDDEN + "@")
                            + url.group(3)
                            + (url.group(4) == null ? "" : "?" + HIDDEN));
        }
        var begin = BEGIN.matcher(text);
        var end = END.matcher(text);
        boolean hasPlace = text.indexOf('?') < 0 && end.find(Math.max(0, text.lastIndexOf('@')));
        return (begin.find() ? begin.group() : "") + HIDDEN + (hasPlace ? end.group() : "");
    }
}
