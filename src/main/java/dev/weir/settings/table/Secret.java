package dev.weir.settings.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
        return new Secret(
                rows.add(name, "", kind, meaning + " A secret."),
                rows.add(
                        name + "_FILE",
                        "",
                        Kind.PATH,
                        "A file that holds what `" + name
                                + "` would; read once, a line break at its end does not count."));
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
        Path file = environment.read(fileRow);
        if (file.toString().isEmpty()) {
            return said;
        }
        if (!said.isEmpty()) {
            environment.contradict(fileRow, "give either this or `" + row.name() + "`");
            return said;
        }
        try {
            String secret = LAST_LINE_BREAK.matcher(Files.readString(file)).replaceFirst("");
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
