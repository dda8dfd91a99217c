package dev.weir.cli;

import dev.weir.request.Entry;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The entries of a descriptor as they are typed: {@code key=value,key=value}. */
final class TypedEntries {
    private TypedEntries() {}

    /**
     * Reads entries between commas; {@code \,} is a comma of a value, and any other backslash is itself.
     *
     * @throws ParameterException if one of them is no entry
     */
    static List<Entry> read(String text, CommandLine command) {
        List<Entry> entries = new ArrayList<>();
        var entry = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && text.startsWith(",", i + 1)) {
                entry.append(',');
                i++;
            } else if (c == ',') {
                entries.add(entry(entry.toString(), command));
                entry.setLength(0);
            } else {
                entry.append(c);
            }
        }
        entries.add(entry(entry.toString(), command));
        return entries;
    }

    private static Entry entry(String text, CommandLine command) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new ParameterException(
                    command,
                    "'" + text + "' is no entry: give key=value, and commas between the entries of a descriptor;"
                            + " a comma of a value is \\,");
        }
        return new Entry(text.substring(0, equals), text.substring(equals + 1));
    }
}
