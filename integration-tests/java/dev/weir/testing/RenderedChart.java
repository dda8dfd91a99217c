package dev.weir.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * What a real Helm makes of our chart.
 *
 * @param objects the objects of Kubernetes
 */
public record RenderedChart(List<JsonNode> objects) {
    /** Where our chart lies. */
    public static final Path CHART = Path.of("helm", "weir");

    /** Renders with these values, each as {@code --set} would have it. */
    public static RenderedChart of(Map<String, String> values) {
        var template = new Helm(CHART).template().withName("limits");
        values.forEach(template::set);
        return new RenderedChart(Yaml.documents(template.call()));
    }

    /** Renders with a file of values. */
    public static RenderedChart of(Path values) {
        var template = new Helm(CHART).template().withName("limits").withValuesFile(values);
        return new RenderedChart(Yaml.documents(template.call()));
    }

    /** Returns the kinds of all objects, sorted. */
    public List<String> kinds() {
        return objects.stream()
                .map(object -> object.get("kind").asText())
                .sorted()
                .toList();
    }

    /** Returns the first object of a kind. */
    public JsonNode the(String kind) {
        return objects.stream()
                .filter(object -> object.get("kind").asText().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    /** Returns what the Deployment says of its pods. */
    public JsonNode pod() {
        return the("Deployment").at("/spec/template/spec");
    }

    /** Returns Weir's container. */
    public JsonNode container() {
        return pod().at("/containers/0");
    }

    /** Returns the variables of the container, those from a Secret as its kind and name; one given twice fails. */
    public Map<String, String> environment() {
        return StreamSupport.stream(container().get("env").spliterator(), false)
                .collect(Collectors.toMap(
                        variable -> variable.get("name").asText(),
                        variable -> variable.has("value")
                                ? variable.get("value").asText()
                                : "Secret "
                                        + variable.at("/valueFrom/secretKeyRef/name")
                                                .asText(),
                        (one, other) -> {
                            throw new AssertionError("given twice: %s, %s".formatted(one, other));
                        },
                        TreeMap::new));
    }
}
