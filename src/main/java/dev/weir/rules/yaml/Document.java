package dev.weir.rules.yaml;

import dev.weir.rules.Mistake;
import dev.weir.rules.yaml.Node.Kind;
import dev.weir.rules.yaml.Node.Scalar;
import dev.weir.rules.yaml.scan.EmptyLines;
import dev.weir.rules.yaml.scan.EscapeReader;
import dev.weir.rules.yaml.scan.TabScanner;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** A file's text as a graph of nodes, each of which knows its line and column. */
final class Document {
    private static final String TOO_LARGE =
            "what the file holds until here needs more at once than this heap has room for; move the file elsewhere if it holds no"
                    + " rules, write less, or give Weir a larger heap by WEIR_HEAP";

    private static final Pattern JSON = Pattern.compile("\\s*\\{\\s*\"");

    private Document() {}

    /**
     * Returns the root of the file's only document, or null if there is none to be read; the mistake is reported.
     *
     * @param read the file
     * @param takers who takes elements of the lists in the root's map
     * @param mostBytes what nodes that are not taken may come to, asked before each
     * @param pauses of all files together
     */
    static @Nullable Node compose(
            String read, Composer.Takers takers, LongSupplier mostBytes, Composer.Pauses pauses, Report report) {
        String text = EmptyLines.blank(read);
        var options = new LoaderOptions();
        options.setCodePointLimit(Integer.MAX_VALUE);
        var reader = new EscapeReader(text, JSON.matcher(text).lookingAt());
        var parser = new ParserImpl(new TabScanner(text, reader, options));
        var composer = new Composer(parser, mostBytes, pauses);
        try {
            Node root = composer.hasNext() ? composer.next(takers) : null;
            refuseOthers(composer, report);
            if (root == null || isEmpty(root)) {
                report.mistake(
                        1, 1, "the file is empty; write `domain: <name>` and `descriptors:`, or remove the file");
                return null;
            }
            return root;
        } catch (MarkedYAMLException e) {
            report.mistake(markOf(e, reader), "not valid YAML: " + explain(e));
        } catch (Composer.TooDeepException _) {
            report.mistake(
                    markOf(parser, reader),
                    "nested deeper than %d lists and maps; write a flatter tree".formatted(Composer.MAX_NESTING));
        } catch (Composer.TooLargeException _) {
            report.mistake(markOf(parser, reader), TOO_LARGE);
        } catch (YAMLException _) {
            report.mistake(
                    markOf(parser, reader),
                    "not valid YAML here or just before; mend the indentation, the quotes or the brackets");
        }
        return null;
    }

    /** Reports the first further document; a mere {@code ---} at the end of a file hides nothing. */
    private static void refuseOthers(Composer composer, Report report) {
        while (composer.hasNext()) {
            Node other = composer.next(Composer.Takers.NOBODY);
            if (!isEmpty(other)) {
                report.mistake(other, "a second document begins here; put it into a file of its own");
                return;
            }
        }
    }

    private static boolean isEmpty(Node node) {
        return node instanceof Scalar scalar && scalar.kind() == Kind.NOTHING;
    }

    /** Where the mistake is to be mended: if the file ends too early, where that began which is never ended. */
    private static Mark markOf(MarkedYAMLException e, StreamReader reader) {
        Mark problem = e.getProblemMark();
        Mark context = e.getContextMark();
        if (problem == null || (context != null && (isUnfinished(e) || isAlias(e)))) {
            return context != null ? context : reader.getMark();
        }
        return problem;
    }

    /** Where a mistake is that comes without a mark: at the next event, or, if there is none, where reading stopped. */
    private static Mark markOf(ParserImpl parser, StreamReader reader) {
        try {
            return parser.peekEvent().getStartMark();
        } catch (YAMLException e) {
            return reader.getMark();
        }
    }

    private static boolean isUnfinished(MarkedYAMLException e) {
        String problem = String.valueOf(e.getProblem());
        return problem.contains("end of stream") || problem.contains("stream end");
    }

    /** A text that begins with a {@code *}, most likely a pattern, is taken for an alias with an odd name. */
    private static boolean isAlias(MarkedYAMLException e) {
        return "while scanning an alias".equals(e.getContext());
    }

    /** Says the parser's problem so that the operator knows what to do about it. */
    private static String explain(MarkedYAMLException e) {
        String problem = Mistake.quoted(String.valueOf(e.getProblem()));
        if (isUnfinished(e)) {
            return "what begins here is never ended; add the quote or the bracket that closes it";
        }
        if (problem.startsWith("found character '\\t(TAB)'")) {
            return "a tab stands here; indent with spaces";
        }
        if (problem.contains("but found \t") || problem.contains("but found '\t")) {
            return "a tab stands here; write a space in its place";
        }
        if (problem.startsWith("found no character")) {
            return problem.replace("found", "there is")
                    + ", the last is 10FFFF; write the number of another, or `\\\\` for a backslash";
        }
        if (problem.startsWith("found unknown escape character")) {
            return "no escape is written like this; write `\\\\` for a backslash, or put the text in single quotes";
        }
        if (problem.startsWith("expected escape sequence")) {
            return "digits from 0 to f are missing here, two behind `\\x`, four behind `\\u`, eight behind `\\U`; write them, or"
                    + " `\\\\` for a backslash";
        }
        if (problem.startsWith("found character") || isAlias(e)) {
            return "a text cannot begin like this; put it in quotes";
        }
        if (problem.startsWith("found unknown directive name")) {
            return "a line cannot begin with `%`; remove the line or put the text in quotes";
        }
        if (problem.startsWith("found undefined alias")) {
            return problem + "; define it above with `&`, or put the text in quotes if no alias is meant";
        }
        if (problem.startsWith("mapping values are not allowed")) {
            return "no `key: value` can stand here; indent it like its neighbours, or put a text with `: ` in quotes";
        }
        if (problem.startsWith("expected <block end>")) {
            return "this does not belong to the lines above; indent it like its neighbours";
        }
        return problem + (e.getContext() == null ? "" : " " + e.getContext()) + "; mend the YAML here";
    }
}
