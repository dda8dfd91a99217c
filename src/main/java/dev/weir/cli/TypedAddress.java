package dev.weir.cli;

import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The address of a service as it is typed: {@code host:port}, an address of IPv6 in brackets.
 *
 * @param text as typed
 * @param host without brackets
 */
record TypedAddress(String text, String host, int port) {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)]|([^\\s:/]+)):(\\d{1,5})");

    private static final int LAST_PORT = 65_535;

    /**
     * Reads the value of {@code --address}.
     *
     * @throws ParameterException if it is no address
     */
    static TypedAddress read(String text, CommandLine command) {
        var address = ADDRESS.matcher(text);
        if (!address.matches() || Integer.parseInt(address.group(3)) > LAST_PORT) {
            throw new ParameterException(command, "--address is '" + text + "': give host:port");
        }
        String host = address.group(1) == null ? address.group(2) : address.group(1);
        return new TypedAddress(text, host, Integer.parseInt(address.group(3)));
    }
}
