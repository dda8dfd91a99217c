package dev.weir.meter;

import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;

/** Writes the lines of one metric after the other, without anything that stays of them. */
public final class PrometheusLines {
    /** Below it each whole number is a double, and has its digits as they are. */
    private static final long MOST_WHOLE = 1L << 53;

    private final Writer to;
    private final StringBuilder line = new StringBuilder();
    private char[] characters = new char[256];
    private String metric = "";
    private String type = "";
    private boolean isBegun;

    PrometheusLines(Writer to) {
        this.to = to;
    }

    /** The next lines are those of another metric. One without a line is not shown. */
    void begin(String next, String nextType) {
        metric = next;
        type = nextType;
        isBegun = false;
    }

    /**
     * Writes a line.
     *
     * @param labels in braces; empty for none
     */
    public void sample(CharSequence labels, double value) throws IOException {
        head();
        line.append(metric).append(labels).append(' ');
        if (value == (long) value && Math.abs(value) < MOST_WHOLE) {
            line.append((long) value);
        } else {
            line.append(text(value));
        }
        line.append('\n');
        flush();
    }

    /** Writes lines as they are. */
    void written(StringBuilder lines) throws IOException {
        head();
        line.append(lines);
        flush();
    }

    private void head() {
        if (isBegun) {
            return;
        }
        isBegun = true;
        String help = Help.of(metric);
        if (!help.isEmpty()) {
            line.append("# HELP ").append(metric).append(' ').append(help).append('\n');
        }
        line.append("# TYPE ").append(metric).append(' ').append(type).append('\n');
    }

    private void flush() throws IOException {
        int length = line.length();
        if (characters.length < length) {
            characters = new char[2 * length];
        }
        line.getChars(0, length, characters, 0);
        to.write(characters, 0, length);
        line.setLength(0);
    }

    /** Writes no exponent, which some readers do not know; what is no number is written as the format wants it. */
    static String text(double value) {
        if (!Double.isFinite(value)) {
            return Double.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
        }
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }

    /** Adds a label to others, with the brace or the comma before it; who has added the last one closes the brace. */
    public static void label(StringBuilder labels, String name, CharSequence value) {
        label(labels, name, value, 0, value.length());
    }

    /** Adds a label whose value is a part of a text. */
    public static void label(StringBuilder labels, String name, CharSequence text, int from, int to) {
        labels.append(labels.isEmpty() ? '{' : ',').append(name).append("=\"");
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\\' -> labels.append("\\\\");
                case '"' -> labels.append("\\\"");
                case '\n' -> labels.append("\\n");
                default -> labels.append(c);
            }
        }
        labels.append('"');
    }
}
