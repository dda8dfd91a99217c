package dev.weir;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** README.md and the pages of docs: what they point at is there, and their lines can be read. */
final class DocumentsTest {
    private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final int WIDEST = 140;
    private static final Pattern MEASUREMENT = Pattern.compile("(?m)^(bench[a-z-]*):");

    static List<Path> pages() throws IOException {
        try (var docs = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), docs)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void every_link_leads_to_a_file_and_a_heading(Path page) {
        assertThat(matches(LINK, prose(page)).filter(link -> !link.group(1).contains("://")))
                .allSatisfy(link -> {
                    var target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                    assertThat(target).as(link.group()).exists();
                    if (link.group(2) != null) {
                        assertThat(headings(target)).as(link.group()).contains(link.group(2));
                    }
                });
    }

    /** A table's row is one line, however long; the page of the settings is written from tables. */
    @Test
    void prose_is_broken_where_an_editor_shows_it_whole() throws IOException {
        assertThat(pages())
                .filteredOn(page -> !page.endsWith("configuration.md"))
                .allSatisfy(page -> assertThat(prose(page).lines().filter(line -> !line.startsWith("|")))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDEST)));
    }

    @Test
    void every_measurement_of_the_makefile_is_on_its_page() {
        var page = text(Path.of("docs", "performance.md"));
        assertThat(matches(MEASUREMENT, text(Path.of("Makefile"))).map(target -> target.group(1)))
                .hasSizeGreaterThan(5)
                .allSatisfy(target -> assertThat(page).containsPattern("`(make )?" + target + "`"));
    }

    /** Returns the names by which GitHub lets headings be linked to. */
    private static Set<String> headings(Path page) {
        return matches(HEADING, prose(page))
                .map(heading -> heading.group(1)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\w\\- ]", "")
                        .replace(' ', '-'))
                .collect(toSet());
    }

    private static String prose(Path page) {
        return CODE.matcher(text(page)).replaceAll("");
    }

    private static Stream<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
