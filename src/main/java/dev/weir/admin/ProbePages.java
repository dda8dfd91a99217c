package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Reply;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The pages of probes: {@code /healthcheck} as the Go service has it, and two that say why. {@code /livez} asks whether a new
 * start would help, {@code /readyz} whether requests should come; {@code /readyz?store} also asks for the store.
 */
record ProbePages(Probes probes) {
    private static final String STORE = "store";

    Map<String, Page> byPath() {
        return Map.of(
                "/healthcheck",
                _ -> health(),
                "/livez",
                _ -> told("alive", probes.stuck()),
                "/readyz",
                new OneParameter(
                        STORE,
                        STORE,
                        asked -> told(
                                "ready", probes.obstacles(asked.parameters().containsKey(STORE)))));
    }

    private Reply health() {
        return probes.obstacles(false).isEmpty() ? Reply.text(200, "OK") : Reply.text(500, "");
    }

    private static Reply told(String state, List<String> reasons) {
        return reasons.isEmpty()
                ? Reply.text(200, state + "\n")
                : Reply.text(
                        503,
                        reasons.stream()
                                .map(reason -> "not " + state + ": " + reason + "\n")
                                .collect(Collectors.joining()));
    }
}
