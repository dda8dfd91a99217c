package dev.weir.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.words.Counted;
import dev.weir.words.Unseen;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a check found.
 *
 * @param files how many files were read
 * @param domains how many domains they have; 0 if there are mistakes
 * @param rules how many rules they have; 0 if there are mistakes
 * @param mistakes by file, line and column
 * @param remarks on what is right but hardly meant, in the same order; none if there are mistakes
 */
record CheckReport(int files, int domains, int rules, List<Mistake> mistakes, List<Mistake> remarks) {

    static CheckReport fine(int files, RuleSet rules) {
        return new CheckReport(files, rules.domainNames().size(), rules.rules().size(), List.of(), rules.remarks());
    }

    static CheckReport wrong(int files, List<Mistake> mistakes) {
        return new CheckReport(files, 0, 0, mistakes, List.of());
    }

    String text() {
        if (!mistakes.isEmpty()) {
            return lines(mistakes);
        }
        String counts =
                Counted.of(files, "file") + ", " + Counted.of(domains, "domain") + ", " + Counted.of(rules, "rule");
        String beyond = remarks.isEmpty() ? "" : ", with " + Counted.of(remarks.size(), "remark");
        return lines(remarks) + counts + ": fine" + beyond + "\n";
    }

    private static String lines(List<Mistake> all) {
        return all.stream().map(each -> Unseen.shown(each.toString()) + "\n").collect(Collectors.joining());
    }

    String json() {
        var text = new StringWriter();
        try (var json = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter()) {
            json.writeStartObject();
            write(json, "mistakes", mistakes);
            write(json, "remarks", remarks);
            json.writeObjectFieldStart("summary");
            json.writeBooleanField("fine", mistakes.isEmpty());
            json.writeNumberField("files", files);
            json.writeNumberField("domains", domains);
            json.writeNumberField("rules", rules);
            json.writeNumberField("mistakes", mistakes.size());
            json.writeNumberField("remarks", remarks.size());
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a string writer cannot fail", e);
        }
        return text.append('\n').toString();
    }

    private static void write(JsonGenerator json, String name, List<Mistake> all) throws IOException {
        json.writeArrayFieldStart(name);
        for (Mistake each : all) {
            write(json, each);
        }
        json.writeEndArray();
    }

    private static void write(JsonGenerator json, Mistake mistake) throws IOException {
        json.writeStartObject();
        json.writeStringField("file", mistake.file());
        json.writeNumberField("line", mistake.line());
        json.writeNumberField("column", mistake.column());
        json.writeStringField("message", mistake.message());
        json.writeEndObject();
    }
}
