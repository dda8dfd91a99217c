package dev.weir.rules.xds;

import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException.Mistakes;
import dev.weir.words.OneLine;

/**
 * Where the mistakes in one message of a resource go.
 *
 * @param resource how the resource is called
 * @param path the fields down to the message, as in {@code descriptors[2].}; empty for the resource itself
 * @param mistakes those of all resources
 */
record Report(String resource, String path, Mistakes mistakes) {

    /** Notes a mistake in a field of the message. */
    void mistake(String field, String message) {
        // Texts of the resource are quoted in messages, and a mistake is one line of a log.
        String line = OneLine.all(path + field + ": " + message);
        mistakes.add(new Mistake(resource, 0, 0, line));
    }

    /** Returns the report for the message in a field of this one. */
    Report in(String field) {
        return new Report(resource, path + field + ".", mistakes);
    }

    /** Returns the report for a message in a list. */
    Report in(String field, int index) {
        return in(field + "[" + index + "]");
    }

    /** Returns how the message is called in the mistake at another one. */
    String place() {
        return path.isEmpty() ? resource : resource + ": " + path.substring(0, path.length() - 1);
    }
}
