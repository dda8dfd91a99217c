package dev.weir.rules.yaml.scan;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Constant;

/**
 * A text for the library's scanner, which lies there as a whole. The library's own reader has it in pieces, and for each kilobyte that it reads on copies what is
 * not passed yet: with a comment or a value of some megabytes it takes minutes. Its marks keep these pieces as well, and nobody asks for them here.
 */
class TextReader extends StreamReader {
    private static final String NAME = "a text";
    private static final int BYTE_ORDER_MARK = 0xFEFF;
    private static final int[] NO_PIECE = {};

    private final String text;

    /** Of a text in which some take two places; else empty. */
    private final int[] characters;

    private final int length;

    /** Where the first character stands that no YAML has. */
    private final int readable;

    private int index;
    private int documentIndex;
    private int line;
    private int column;

    TextReader(String text) {
        super("");
        this.text = text;
        this.length = text.codePointCount(0, text.length());
        this.characters = length == text.length() ? NO_PIECE : text.codePoints().toArray();
        int end = 0;
        while (end < length && isPrintable(characterAt(end))) {
            end++;
        }
        this.readable = end;
    }

    private int characterAt(int place) {
        return characters.length == 0 ? text.charAt(place) : characters[place];
    }

    private boolean isEnd(int place) {
        if (place >= readable && readable < length) {
            throw new ReaderException(NAME, readable, characterAt(readable), "special characters are not allowed");
        }
        return place >= length;
    }

    @Override
    public int peek() {
        return at(index);
    }

    @Override
    public int peek(int distance) {
        return at(index + distance);
    }

    private int at(int place) {
        return isEnd(place) ? 0 : characterAt(place);
    }

    @Override
    public void forward() {
        pass(1);
    }

    @Override
    public void forward(int distance) {
        pass(distance);
    }

    private void pass(int distance) {
        for (int i = 0; i < distance && !isEnd(index); i++) {
            int passed = characterAt(index);
            moveOn(1);
            if (Constant.LINEBR.has(passed) || (passed == '\r' && !isEnd(index) && characterAt(index) != '\n')) {
                line++;
                column = 0;
            } else if (passed != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }

    private void moveOn(int distance) {
        index += distance;
        documentIndex += distance;
    }

    @Override
    public String prefix(int most) {
        int end = index + most;
        if (isEnd(end - 1)) {
            end = length;
        }
        return characters.length == 0 ? text.substring(index, end) : new String(characters, index, end - index);
    }

    @Override
    public String prefixForward(int most) {
        String prefix = prefix(most);
        moveOn(most);
        column += most;
        return prefix;
    }

    @Override
    public Mark getMark() {
        return new Mark(NAME, index, line, column, NO_PIECE, 0);
    }

    @Override
    public int getIndex() {
        return index;
    }

    @Override
    public int getDocumentIndex() {
        return documentIndex;
    }

    @Override
    public void resetDocumentIndex() {
        documentIndex = 0;
    }

    @Override
    public int getLine() {
        return line;
    }

    @Override
    public int getColumn() {
        return column;
    }
}
