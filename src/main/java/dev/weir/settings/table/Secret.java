package dev.weir.settings.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A secret: a variable that holds it, or another one that names a file with it. */
public final class Secret {
    /** Editors end a file with one; all else belongs to the secret. */
    private static final Pattern LAST_LINE_BREAK = Pattern.compile("\\r?\\n\\z");

    private final Setting<String> row;
    private final Setting<Path> fileRow;

    private Secret(Setting<String> row, Setting<Path> fileRow) {
        this.row = row;
        this.fileRow = fileRow;
    }

    /** Adds both variables: the second has the name of the first and {@code _FILE} behind it. */
    public static Secret add(Rows rows, String name, Kind<String> kind, String meaning) {
        return add(rows, name, kind, meaning, "once");
    }

    /**
     * Adds both variables.
     *
     * @param when the file is read
     */
    public static Secret add(Rows rows, String name, Kind<String> kind, String meaning, String when) {
        Setting<String> row = rows.add(name, "", kind, meaning + " A secret.");
        if (!row.isHidden()) {
            throw new IllegalStateException(
                    name + " would be shown in messages; end its name as those of other secrets");
        }
        return new Secret(
                row,
                rows.add(
                        name + "_FILE",
                        "",
                        Kind.PATH,
                        "A file that holds what `" + name + "` would; read " + when
                                + ", a line break at its end does not count."));
    }

    /** Returns what is in such a file. */
    public static String contentOf(Path file) throws IOException {
        return LAST_LINE_BREAK.matcher(Files.readString(file)).replaceFirst("");
    }

    /** Returns the file that is named, or null if none is. */
    public @Nullable Path file(Environment environment) {
        Path file = environment.read(fileRow);
        return file.toString().isEmpty() ? null : file;
    }

    /** Returns the name of the variable that names the file. */
    public String fileVariable() {
        return fileRow.name();
    }

    /** Keeps what is to be told of a secret that does less than it says, by whichever variable that is given. */
    public void remark(Environment environment, String what) {
        Stream.of(row, fileRow)
                .filter(environment::isGiven)
                .findFirst()
                .ifPresent(given -> environment.remark(given, what));
    }

    /** Returns the secret; empty if there is none, or none that is right. */
    public String read(Environment environment) {
        String said = environment.read(row);
        Path file = file(environment);
        if (file == null) {
            return said;
        }
        if (!said.isEmpty()) {
            environment.contradict(fileRow, "give either this or `" + row.name() + "`");
            return said;
        }
        try {
            String secret = contentOf(file);
            if (secret.isEmpty()) {
                environment.contradict(fileRow, "the file is empty");
            }
            return row.kind().parse(secret);
        } catch (WrongValueException wrong) {
            environment.contradict(fileRow, "what is in the file is wrong: " + wrong.advice());
        } catch (NoSuchFileException _) {
            environment.contradict(fileRow, "there is no such file");
        } catch (IOException e) { // its message can hold no part of what it could not read
            environment.contradict(
                    fileRow, "the file cannot be read (" + e.getClass().getSimpleName() + ")");
        }
        return "";
    }
}
