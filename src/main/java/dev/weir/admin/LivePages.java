package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Reply;
import dev.weir.live.LiveView;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/**
 * {@code /live}: a page for a browser that shows what happens just now, with the other pages at hand. It asks this port only, and what
 * it needs comes from here: where Weir runs there may be no way to anywhere else.
 */
final class LivePages {
    private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";
    private static final String CSS = "text/css; charset=utf-8";
    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** Names of rules come from callers, too: whatever they are, no browser runs any of them or asks anybody else. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private LivePages() {}

    static Map<String, Page> byPath(LiveView view) {
        return Map.of(
                "/live",
                _ -> asset("text/html; charset=utf-8", "live.html").with("Content-Security-Policy", POLICY),
                "/live/now",
                _ -> Reply.packed("application/json", to -> to.write(view.json())),
                "/live/icon.svg",
                _ -> asset("image/svg+xml", "live.svg"),
                "/live/style.css",
                _ -> asset(CSS, "live.css"),
                "/live/chart.js",
                _ -> asset(SCRIPT, "live-chart.js"),
                "/live/script.js",
                _ -> asset(SCRIPT, "live.js"),
                "/live/uplot.css",
                _ -> asset(CSS, UPLOT + "uPlot.min.css"),
                "/live/uplot.js",
                _ -> asset(SCRIPT, UPLOT + "uPlot.iife.min.js"));
    }

    private static Reply asset(String type, String name) {
        return Reply.packed(type, to -> {
            InputStream bytes = Objects.requireNonNull(LivePages.class.getResourceAsStream(name), name);
            try (var from = new InputStreamReader(bytes, StandardCharsets.UTF_8)) {
                from.transferTo(to);
            }
        });
    }
}
