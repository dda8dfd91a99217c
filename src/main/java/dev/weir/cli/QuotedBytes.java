package dev.weir.cli;

/** Bytes as redis-cli reads them between double quotes. */
final class QuotedBytes {
    private QuotedBytes() {}

    /**
     * Returns the bytes in double quotes. Whatever is not plain ASCII is escaped, the single quote too: the whole can stand
     * in a shell's single quotes.
     */
    static String of(byte[] bytes) {
        var text = new StringBuilder("\"");
        for (byte b : bytes) {
            if (b >= ' ' && b <= '~' && b != '"' && b != '\'' && b != '\\') {
                text.append((char) b);
            } else {
                text.append("\\x%02x".formatted(b));
            }
        }
        return text.append('"').toString();
    }
}
