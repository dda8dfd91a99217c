package dev.weir.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a Dockerfile tells to do, stage by stage. Reads the part of the language that ours is written in: one instruction a
 * line, continued by a backslash; no heredocs and no parser directives.
 *
 * @param stages the instructions of each stage, of which the first is its FROM
 */
public record Dockerfile(List<List<Instruction>> stages) {
    private static final Set<String> KEYWORDS = Set.of(
            "FROM", "WORKDIR", "COPY", "RUN", "LABEL", "ENV", "USER", "EXPOSE", "HEALTHCHECK", "CMD", "ENTRYPOINT");

    /**
     * An instruction.
     *
     * @param keyword its first word
     * @param arguments the rest, on one line
     */
    public record Instruction(String keyword, String arguments) {}

    /** Reads a file. */
    public static Dockerfile read(Path file) {
        try {
            return parse(Files.readAllLines(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the arguments of all instructions of the last stage, which is the image, with this keyword. */
    public List<String> ofImage(String keyword) {
        return stages.getLast().stream()
                .filter(instruction -> instruction.keyword().equals(keyword))
                .map(Instruction::arguments)
                .toList();
    }

    /** Returns all instructions, from the first stage to the last. */
    public Stream<Instruction> instructions() {
        return stages.stream().flatMap(List::stream);
    }

    private static Dockerfile parse(List<String> lines) {
        var stages = new ArrayList<List<Instruction>>();
        var gathered = new StringBuilder();
        for (var line : lines) {
            var text = line.strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            boolean goesOn = text.endsWith("\\");
            gathered.append(goesOn ? text.substring(0, text.length() - 1) : text);
            if (!goesOn) {
                var instruction = instruction(gathered.toString());
                gathered.setLength(0);
                if (instruction.keyword().equals("FROM")) {
                    stages.add(new ArrayList<>());
                }
                stages.getLast().add(instruction);
            }
        }
        if (!gathered.isEmpty()) {
            throw new AssertionError("the last instruction ends with a backslash: " + gathered);
        }
        return new Dockerfile(stages);
    }

    private static Instruction instruction(String text) {
        int space = text.indexOf(' ');
        if (space < 0 || !KEYWORDS.contains(text.substring(0, space))) {
            throw new AssertionError("not an instruction that is known here: " + text);
        }
        return new Instruction(
                text.substring(0, space), text.substring(space + 1).strip());
    }
}
