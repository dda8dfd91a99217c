package dev.weir.rules.yaml.scan;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.scanner.ScannerException;

/**
 * Reads a text for the library's scanner, and comes between at some escapes in double quotes: a backslash before a single quote
 * or a tab, which the Go service's parser takes and the scanner does not; one before a slash, which JSON has and YAML has not;
 * and numbers that no character has, over which the scanner fails without a place. And at a colon within brackets that ends a
 * text, as in {@code {value: 2001:db8::}}: to the Go service it is of the text if no blank follows.
 *
 * <p>The scanner is final, but it asks in an order of its own. Behind the backslash of an escape it peeks right before itself,
 * and everywhere else behind a backslash at a distance first. To that peek a quote is shown as {@code x27}, which takes as much
 * room as the quote does. To see what is behind a colon it peeks one further than the peek before, as it does nowhere else where
 * a comma or a bracket behind a colon means anything, but in a tag that ends in a colon; to that peek such a sign is shown as a letter, and to the next as it is.
 */
public final class EscapeReader extends TextReader {
    /** How the scanner calls what it reads then. */
    private static final String CONTEXT = "while scanning a double-quoted scalar";

    /** What ends a text within brackets. */
    private static final String FLOW_SIGNS = ",[]{}";

    private static final int NOWHERE = -1;

    private final boolean isJson;
    private State state = State.ELSEWHERE;

    /** How far from here the sign behind a colon is, if the last peek was at the colon. */
    private int behindColon = NOWHERE;

    /** Where the escape begins, if there is one. */
    private @Nullable Mark backslash;

    /** What is shown in place of what stands in the text. */
    private String shownDigits = "";

    /**
     * Creates a reader of a text.
     *
     * @param isJson whether a slash may be escaped
     */
    public EscapeReader(String text, boolean isJson) {
        super(text);
        this.isJson = isJson;
    }

    @Override
    public int peek() {
        var before = state;
        int c = super.peek();
        return switch (before) {
            case BEHIND_BACKSLASH -> begin(c);
            case SHOWING -> 'x';
            case ELSEWHERE, AT_CODE, IN_CODE, SHOWING_DIGITS -> c;
        };
    }

    private int begin(int c) {
        if (c == '\'' || c == '\t' || (c == '/' && isJson)) {
            state = State.SHOWING;
            shownDigits = HexFormat.of().toHexDigits((byte) c);
            return 'x';
        }
        state = "xuU".indexOf(c) >= 0 ? State.AT_CODE : State.ELSEWHERE;
        return c;
    }

    @Override
    public int peek(int index) {
        state = State.ELSEWHERE;
        int c = super.peek(index);
        boolean isBehindColon = index == behindColon;
        behindColon = c == ':' ? index + 1 : NOWHERE;
        return isBehindColon && FLOW_SIGNS.indexOf(c) >= 0 ? 'x' : c;
    }

    @Override
    public void forward() {
        behindColon = NOWHERE;
        if (state == State.SHOWING) {
            state = State.SHOWING_DIGITS; // the sign itself is passed over with the digits
            return;
        }
        boolean isBackslash = state == State.ELSEWHERE && super.peek() == '\\';
        if (isBackslash) {
            backslash = getMark();
        }
        var next = isBackslash ? State.BEHIND_BACKSLASH : state == State.AT_CODE ? State.IN_CODE : State.ELSEWHERE;
        super.forward();
        state = next;
    }

    @Override
    public void forward(int length) {
        behindColon = NOWHERE;
        super.forward(state == State.SHOWING_DIGITS ? 1 : length);
        state = State.ELSEWHERE;
    }

    @Override
    public String prefix(int length) {
        if (state == State.SHOWING_DIGITS) {
            return shownDigits;
        }
        String prefix = super.prefix(length);
        if (state == State.IN_CODE) {
            refuseNoCharacter(prefix, length);
        }
        return prefix;
    }

    @Override
    public String prefixForward(int length) {
        state = State.ELSEWHERE;
        behindColon = NOWHERE;
        return super.prefixForward(length);
    }

    /** What holds other signs than digits is the scanner's to refuse. */
    private void refuseNoCharacter(String digits, int length) {
        if (digits.length() < length) {
            throw new ScannerException(CONTEXT, backslash, "found unexpected end of stream", getMark());
        }
        boolean isNumber = digits.chars().allMatch(HexFormat::isHexDigit);
        if (isNumber && Long.parseLong(digits, 16) > Character.MAX_CODE_POINT) {
            throw new ScannerException(CONTEXT, null, "found no character with the number " + digits, backslash);
        }
    }

    /** Where in an escape the scanner is. */
    private enum State {
        ELSEWHERE,
        BEHIND_BACKSLASH,
        /** Before the letter that says how many digits follow. */
        AT_CODE,
        IN_CODE,
        /** As {@link #AT_CODE}, with a sign in place of letter and digits. */
        SHOWING,
        SHOWING_DIGITS
    }
}
