package dev.weir.settings;

import dev.weir.settings.table.Setting;
import java.util.regex.Pattern;

/**
 * Writes {@code docs/configuration.md} from the tables, so that it cannot say anything else than the program does, and the same
 * for a terminal.
 */
public final class SettingsDocument {
    private static final String HEAD = """
            # Configuration

            Weir reads its settings from the environment, with the names and defaults of envoyproxy/ratelimit wherever it
            has the same thing. This page is written from the program's own table (`SettingsTable.java`); a test compares
            the two.

            - Durations are written as in Go: `10s`, `150us`, `1h30m`, `0`.
            - Switches are `true` or `false` (also `1`, `t`, `T`, `TRUE`, `True`, `0`, `f`, `F`, `FALSE`, `False`).
            - A variable that is not set has its default. A wrong value stops the start, and so does an empty one where
              a value is needed. All wrong values are told at once; files that they name (keys, certificates) may be
              looked at one after the other, when the values are right. Of a feature that is off
              (`OTEL_EXPORTER_OTLP_ENDPOINT` where nothing is sent, `PROMETHEUS_ADDR` without `USE_PROMETHEUS`) a wrong
              value is a warning in the log.
            - No other name changes anything. One of seven signs or more that is a slip away from one of these
              (`REDIS_URI`) is a warning in the log, as are files of TLS without the switch that uses them.
              `KUBERNETES_SERVICE_HOST` is looked at to warn of counts in memory there.
            - The launcher, `bin/weir`, also reads `JAVA_HOME`, `WEIR_HEAP` (the heap, `112m`), `JAVA_OPTS` (flags of
              Java, which win) and `MALLOC_ARENA_MAX` (2): [operations.md](operations.md#memory-and-processors). Where no
              locale is set, it sets `LC_ALL=C.UTF-8`, lest Java read `ü` in arguments as `?`. Java itself reads
              `JDK_JAVA_OPTIONS`, `JAVA_TOOL_OPTIONS` and `_JAVA_OPTIONS`.
            - `weir serve --help-settings` prints all of this.
            """;

    private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)]\\([^)]+\\)");

    private SettingsDocument() {}

    /** Returns the whole page. */
    static String text() {
        var page = new StringBuilder(HEAD);
        for (Setting.Group group : Setting.Group.values()) {
            page.append("\n## ").append(group.title()).append("\n\n");
            if (!group.remark().isEmpty()) {
                page.append(group.remark()).append("\n\n");
            }
            page.append("| variable | default | allowed | meaning |\n| --- | --- | --- | --- |\n");
            SettingsTable.all().stream().filter(row -> row.group() == group).forEach(row -> page.append(line(row)));
        }
        page.append("\n## Accepted and not used\n\n")
                .append("Variables of the Go service that change no answer here. They may stay set; one line at start")
                .append(" names those that are.\n\n");
        UnusedSettings.NAMES.forEach(name -> page.append("- `").append(name).append("`\n"));
        return page.toString();
    }

    /** Returns every variable with its default, what is allowed and what it is for, as plain text. */
    public static String plain() {
        var text = new StringBuilder();
        for (Setting.Group group : Setting.Group.values()) {
            text.append(group.title()).append('\n');
            if (!group.remark().isEmpty()) {
                text.append("  ").append(plain(group.remark())).append("\n\n");
            }
            SettingsTable.all().stream().filter(row -> row.group() == group).forEach(row -> text.append(plain(row)));
            text.append('\n');
        }
        text.append("Accepted and not used\n");
        UnusedSettings.NAMES.forEach(name -> text.append("  ").append(name).append('\n'));
        return text.toString();
    }

    private static String plain(Setting<?> row) {
        String preset = row.preset().isEmpty() ? "no default" : "default " + row.preset();
        return plain("  %s (%s): %s\n      %s\n"
                .formatted(row.name(), preset, row.kind().allowed(), row.meaning()));
    }

    /** Takes the marks of Markdown away; of a link its text stays, which names the page. */
    private static String plain(String marked) {
        return LINK.matcher(marked).replaceAll("$1").replace("`", "");
    }

    private static String line(Setting<?> row) {
        String preset = row.preset().isEmpty() ? "" : "`" + row.preset() + "`";
        return "| `" + row.name() + "` | " + preset + " | " + row.kind().allowed() + " | " + row.meaning() + " |\n";
    }
}
