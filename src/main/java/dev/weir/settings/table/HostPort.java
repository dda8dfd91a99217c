package dev.weir.settings.table;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An address to listen on, as Go writes it.
 *
 * @param host empty for every address
 * @param port 0 for any free one, to 65535
 */
public record HostPort(String host, int port) {
    private static final Pattern SYNTAX = Pattern.compile("(?:\\[([0-9A-Fa-f:.]*)]|([^\\s/:\\[\\]]*)):([0-9]{1,5})");
    private static final HostPort OF_NOTHING = new HostPort("", 9090);

    /** {@code :9090}, {@code 0.0.0.0:9090}, {@code [::]:9090}; nothing is the first of them. */
    public static final Kind<HostPort> KIND = Kind.of("`host:port` or `:port`", HostPort::read);

    private static @Nullable HostPort read(String text) {
        if (text.isEmpty()) {
            return OF_NOTHING;
        }
        var parts = SYNTAX.matcher(text);
        if (!parts.matches() || Integer.parseInt(parts.group(3)) > 65_535) {
            return null;
        }
        String host = parts.group(1) != null ? parts.group(1) : parts.group(2);
        return new HostPort(host, Integer.parseInt(parts.group(3)));
    }
}
