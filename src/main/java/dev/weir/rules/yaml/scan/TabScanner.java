package dev.weir.rules.yaml.scan;

import java.util.Set;
import java.util.function.Supplier;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Scanner;
import org.yaml.snakeyaml.scanner.ScannerException;
import org.yaml.snakeyaml.scanner.ScannerImpl;
import org.yaml.snakeyaml.tokens.DirectiveToken;
import org.yaml.snakeyaml.tokens.Token;

/**
 * Passes over tabs between tokens, as the Go service's parser does; the library's scanner finds a mistake there. Only where
 * it finds one is something passed over, so what stands in texts is left alone, and lines and columns stay what they are. A
 * tab that indents stays a mistake.
 *
 * <p>So is a line that begins with a {@code %} and is no directive, as it is there; the library would leave it out.
 */
public final class TabScanner implements Scanner {
    /** What a line can stand behind: the line breaks of YAML, and a byte order mark. */
    private static final String LINE_STARTS = "\n\r\u0085\u2028\u2029\ufeff";

    private static final Set<String> KNOWN_DIRECTIVES = Set.of("YAML", "TAG");

    private final String text;
    private final StreamReader reader;
    private final Scanner scanner;

    /** The last tab that was met, as the reader counts and as the text does: signs beyond 16 bits take two places there. */
    private int lastIndex;

    private int lastOffset;

    /**
     * Creates a scanner.
     *
     * @param text what the reader reads
     */
    public TabScanner(String text, StreamReader reader, LoaderOptions options) {
        this.text = text;
        this.reader = reader;
        this.scanner = new ScannerImpl(reader, options);
    }

    @Override
    public boolean checkToken(Token.ID... choices) {
        return beyondTabs(() -> scanner.checkToken(choices));
    }

    @Override
    public boolean checkToken(Token.ID choice) {
        return beyondTabs(() -> scanner.checkToken(choice));
    }

    @Override
    public Token peekToken() {
        return beyondTabs(scanner::peekToken);
    }

    @Override
    public Token getToken() {
        Token token = scanner.getToken();
        if (token instanceof DirectiveToken<?> directive && !KNOWN_DIRECTIVES.contains(directive.getName())) {
            throw new ScannerException(
                    "while scanning a directive",
                    token.getStartMark(),
                    "found unknown directive name",
                    token.getStartMark());
        }
        return token;
    }

    @Override
    public void resetDocumentIndex() {
        scanner.resetDocumentIndex();
    }

    private <T> T beyondTabs(Supplier<T> look) {
        while (true) {
            try {
                return look.get();
            } catch (ScannerException e) {
                if (!e.getProblem().contains("cannot start any token") || !isBlank() || isIndenting()) {
                    throw e;
                }
                while (isBlank()) {
                    reader.forward();
                }
            }
        }
    }

    /** Within brackets the scanner passes over tabs by itself, and then finds a mistake in a space behind them. */
    private boolean isBlank() {
        return reader.peek() == '\t' || reader.peek() == ' ';
    }

    /** Returns whether a tab moves the first token of an element, by which its column is told. */
    private boolean isIndenting() {
        lastOffset = text.offsetByCodePoints(lastOffset, reader.getIndex() - lastIndex);
        lastIndex = reader.getIndex();
        int i = lastOffset - 1;
        while (i >= 0 && "\t -?:".indexOf(text.charAt(i)) >= 0) {
            i--;
        }
        boolean isAtLineStart = i < 0 || LINE_STARTS.indexOf(text.charAt(i)) >= 0;
        return reader.peek() == '\t' && isAtLineStart && !text.startsWith("---", i + 1);
    }
}
