package dev.weir.rules.yaml;

import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException.Mistakes;
import org.yaml.snakeyaml.error.Mark;

/**
 * Where the mistakes of one file go, and the remarks on it.
 *
 * @param file how the file is called
 * @param mistakes of all files
 * @param remarks of all files; nobody is told of them where there are mistakes
 */
record Report(String file, Mistakes mistakes, Mistakes remarks) {

    /** Notes a mistake at the beginning of a node. */
    void mistake(Node node, String message) {
        mistake(node.line(), node.column(), message);
    }

    void mistake(Mark mark, String message) {
        mistake(mark.getLine() + 1, mark.getColumn() + 1, message);
    }

    /** Notes a mistake at a line and a column, both from 1. */
    void mistake(int line, int column, String message) {
        mistakes.add(at(line, column, message));
    }

    /** Notes what is right, but hardly meant, at the beginning of a node. */
    void remark(Node node, String message) {
        remark(node.line(), node.column(), message);
    }

    void remark(int line, int column, String message) {
        remarks.add(at(line, column, message));
    }

    private Mistake at(int line, int column, String message) {
        // Texts of the file are quoted in messages, and a mistake is one line of a log.
        return new Mistake(file, line, column, message.replaceAll("\\R", " "));
    }

    /** Returns {@code file:line:column} of a node, to be named in the mistake at another one. */
    String place(Node node) {
        return place(node.line(), node.column());
    }

    String place(int line, int column) {
        return file + ":" + line + ":" + column;
    }
}
