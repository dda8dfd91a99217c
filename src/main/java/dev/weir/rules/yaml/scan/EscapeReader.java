package dev.weir.rules.yaml.scan;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.ScannerException;

/**
 * Reads a text for the library's scanner, and comes between at escapes in double quotes whose numbers no character has, over
 * which the scanner fails without a place.
 *
 * <p>The scanner is final, but it asks in an order of its own: behind the backslash of an escape it peeks right before itself,
 * and everywhere else behind a backslash at a distance first.
 */
public final class EscapeReader extends StreamReader {
    /** How the scanner calls what it reads then. */
    private static final String CONTEXT = "while scanning a double-quoted scalar";

    private State state = State.ELSEWHERE;

    /** Where the escape begins, if there is one. */
    private @Nullable Mark backslash;

    /** Creates a reader of a text. */
    public EscapeReader(String text) {
        super(text);
    }

    @Override
    public int peek() {
        boolean isEscape = state == State.BEHIND_BACKSLASH;
        int c = super.peek();
        if (isEscape) {
            state = "xuU".indexOf(c) >= 0 ? State.AT_CODE : State.ELSEWHERE;
        }
        return c;
    }

    @Override
    public int peek(int index) {
        state = State.ELSEWHERE;
        return super.peek(index);
    }

    @Override
    public void forward() {
        boolean isBackslash = state == State.ELSEWHERE && super.peek() == '\\';
        if (isBackslash) {
            backslash = getMark();
        }
        var next = isBackslash
                ? State.BEHIND_BACKSLASH
                : state == State.AT_CODE ? State.IN_CODE : State.ELSEWHERE;
        super.forward();
        state = next;
    }

    @Override
    public void forward(int length) {
        super.forward(length);
        state = State.ELSEWHERE;
    }

    @Override
    public String prefix(int length) {
        String prefix = super.prefix(length);
        if (state == State.IN_CODE) {
            refuseNoCharacter(prefix, length);
        }
        return prefix;
    }

    @Override
    public String prefixForward(int length) {
        state = State.ELSEWHERE;
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
        IN_CODE
    }
}
