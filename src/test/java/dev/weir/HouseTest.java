package dev.weir;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.conditions.ArchConditions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of rooms and the walls between them: who may enter where, and which room a library lives in. */
final class HouseTest {
    private static final String ROOT = "dev.weir";

    /** Each room with the rooms that it may enter. The root and the command line may enter every room. */
    private static final Map<String, List<String>> ROOMS = Map.ofEntries(
            Map.entry(
                    "settings",
                    List.of("settings.redis", "settings.otlp", "settings.table", "metrics.statsd", "tls", "words")),
            Map.entry("settings.otlp", List.of("settings.table", "telemetry")),
            Map.entry("settings.redis", List.of("settings.table", "tls")),
            Map.entry("tls", List.of("upkeep")),
            Map.entry("words", List.of()),
            Map.entry("settings.table", List.of("tls", "words")),
            Map.entry("upkeep", List.of()),
            Map.entry("limit", List.of()),
            Map.entry("request", List.of("limit")),
            Map.entry("rules", List.of("request", "limit")),
            Map.entry("rules.yaml", List.of("rules.yaml.scan", "rules", "limit", "words")),
            Map.entry("rules.yaml.scan", List.of()),
            Map.entry("rules.explain", List.of("rules", "request", "limit", "words")),
            Map.entry("rules.kept", List.of("rules", "rules.watch", "store", "words")),
            Map.entry("rules.watch", List.of("rules", "linux", "jvm", "upkeep", "words")),
            Map.entry("rules.xds", List.of("rules", "limit", "tls", "linux", "words")),
            Map.entry("store", List.of("limit")),
            Map.entry("store.memory", List.of("store", "limit", "upkeep")),
            Map.entry(
                    "store.redis",
                    List.of(
                            "store.redis.plain",
                            "store.redis.failure",
                            "store.redis.shelf",
                            "store",
                            "limit",
                            "loop",
                            "tls",
                            "upkeep",
                            "words")),
            Map.entry("store.redis.shelf", List.of("store")),
            Map.entry("store.redis.failure", List.of("store", "linux", "words")),
            Map.entry("store.redis.plain", List.of("store.redis.failure", "store", "limit")),
            Map.entry("store.layer", List.of("store", "limit", "upkeep")),
            Map.entry("busiest", List.of("store", "limit")),
            Map.entry("decide", List.of("decide.key", "request", "rules", "store", "limit")),
            Map.entry("decide.key", List.of("request", "rules", "store", "limit")),
            Map.entry("call", List.of()),
            Map.entry("loop", List.of()),
            Map.entry("linux", List.of()),
            Map.entry("socket", List.of()),
            Map.entry("handshake", List.of("socket", "tls", "words")),
            Map.entry(
                    "http2",
                    List.of("http2.bound", "http2.header", "http2.message", "http2.opening", "call", "loop", "socket")),
            Map.entry("http2.bound", List.of("http2.message")),
            Map.entry("http2.header", List.of("http2.message")),
            Map.entry("http2.message", List.of("call")),
            Map.entry("http2.opening", List.of("http2.header", "call")),
            Map.entry(
                    "grpc",
                    List.of(
                            "call",
                            "http2",
                            "http2.opening",
                            "linux",
                            "loop",
                            "socket",
                            "tls",
                            "request",
                            "decide",
                            "limit")),
            Map.entry("telemetry", List.of("call", "store", "meter", "words")),
            Map.entry("warmup", List.of()),
            Map.entry("meter", List.of()),
            Map.entry("jvm", List.of("meter")),
            Map.entry("live", List.of("meter", "words")),
            Map.entry(
                    "metrics",
                    List.of(
                            "call",
                            "handshake",
                            "decide",
                            "rules",
                            "request",
                            "store",
                            "limit",
                            "meter",
                            "jvm",
                            "live",
                            "metrics.statsd",
                            "upkeep")),
            Map.entry("metrics.statsd", List.of()),
            Map.entry("logging", List.of("settings", "words")),
            Map.entry("bench", List.of("bench.load", "bench.request", "handshake", "linux", "tls")),
            Map.entry("bench.load", List.of()),
            Map.entry("bench.request", List.of("bench.load", "grpc", "request", "tls")),
            Map.entry("bench.report", List.of("bench", "bench.load", "words")),
            Map.entry(
                    "admin",
                    List.of(
                            "http",
                            "loop",
                            "socket",
                            "rules",
                            "rules.kept",
                            "rules.explain",
                            "store",
                            "decide",
                            "decide.key",
                            "busiest",
                            "live",
                            "request",
                            "limit",
                            "words")),
            Map.entry("http", List.of("loop", "socket", "linux")));

    /** Each library with the rooms it lives in; the root may touch all of them to wire. */
    private static final Map<String, List<String>> WALLS = Map.ofEntries(
            Map.entry("io.grpc..", List.of("grpc", "rules.xds", "telemetry")),
            Map.entry("io.opentelemetry..", List.of("telemetry")),
            Map.entry("com.google.protobuf..", List.of("grpc", "rules.xds")),
            Map.entry("io.envoyproxy..", List.of("grpc", "rules.xds")),
            Map.entry("com.google.rpc..", List.of("rules.xds")),
            Map.entry(
                    "org.redisson..",
                    List.of("store.redis", "store.redis.plain", "store.redis.failure", "store.redis.shelf")),
            Map.entry(
                    "io.netty..",
                    List.of(
                            "store.redis",
                            "store.redis.plain",
                            "store.redis.failure",
                            "http",
                            "http2",
                            "http2.bound",
                            "http2.header",
                            "http2.message",
                            "http2.opening",
                            "socket",
                            "handshake",
                            "loop",
                            "bench",
                            "bench.request",
                            "warmup")),
            Map.entry("org.HdrHistogram..", List.of("bench")),
            Map.entry("com.github.benmanes.caffeine..", List.of("store.layer")),
            Map.entry("com.google.re2j..", List.of("metrics", "metrics.statsd", "settings")),
            Map.entry("org.yaml..", List.of("rules.yaml", "rules.yaml.scan", "metrics")),
            Map.entry("io.micrometer..", List.of("metrics")),
            Map.entry("picocli..", List.of("cli")),
            Map.entry("ch.qos.logback..", List.of("logging")),
            Map.entry(
                    "com.fasterxml.jackson..",
                    List.of("cli", "grpc", "logging", "rules.kept", "bench.report", "live")));

    private static final Pattern ABOUT = Pattern.compile("/\\*\\* (.*) \\*/");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(ROOT);

    @Test
    void every_package_is_a_room_and_every_room_a_package() {
        var rooms = Stream.concat(
                        Stream.of(ROOT),
                        Stream.concat(ROOMS.keySet().stream(), Stream.of("cli")).map(room -> ROOT + "." + room))
                .toList();
        assertThat(CLASSES.stream().map(JavaClass::getPackageName).distinct())
                .containsExactlyInAnyOrderElementsOf(rooms);
    }

    static Stream<String> rooms() {
        return ROOMS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("rooms")
    void a_room_enters_the_rooms_that_its_row_names_and_no_other(String room) {
        String here = ROOT + "." + room;
        var entered = CLASSES.stream()
                .filter(from -> from.getPackageName().equals(here))
                .flatMap(from -> from.getDirectDependenciesFromSelf().stream())
                .map(step -> step.getTargetClass().getPackageName())
                .filter(to -> (to + ".").startsWith(ROOT + ".") && !to.equals(here))
                .map(to -> to.substring(Math.min(to.length(), ROOT.length() + 1)))
                .distinct();
        assertThat(entered).containsExactlyInAnyOrderElementsOf(ROOMS.getOrDefault(room, List.of()));
    }

    /** A row: its name, what its package says of itself, and whom it enters. */
    @ParameterizedTest
    @MethodSource("rooms")
    void a_room_has_its_row_on_the_page_about_the_code(String room) throws IOException {
        String itself =
                Files.readString(Path.of("src/main/java/dev/weir", room.replace('.', '/'), "package-info.java"));
        var about = ABOUT.matcher(itself);
        assertThat(about.find()).isTrue();
        String enters = ROOMS.getOrDefault(room, List.of()).stream()
                .sorted()
                .map(each -> "`" + each + "`")
                .collect(Collectors.joining(", "));
        assertThat(Files.readAllLines(Path.of("docs", "code.md")))
                .containsOnlyOnce("| `" + room + "` | " + about.group(1).replaceAll("\\{@code ([^}]*)}", "`$1`") + " | "
                        + (enters.isEmpty() ? "-" : enters) + " |");
    }

    static Stream<String> libraries() {
        return WALLS.keySet().stream().sorted();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void a_library_lives_in_the_rooms_that_its_row_names_and_in_no_other(String library) {
        var isOfIt = resideInAPackage(library);
        var homes = CLASSES.stream()
                .filter(from -> from.getDirectDependenciesFromSelf().stream()
                        .anyMatch(step -> isOfIt.test(step.getTargetClass())))
                .map(JavaClass::getPackageName)
                .filter(home -> !home.equals(ROOT))
                .map(home -> home.substring(ROOT.length() + 1))
                .distinct();
        assertThat(homes).containsExactlyInAnyOrderElementsOf(WALLS.getOrDefault(library, List.of()));
    }

    @Test
    void nobody_enters_the_root() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT)
                .should()
                .dependOnClassesThat(resideInAPackage(ROOT))
                .check(CLASSES);
    }

    @Test
    void there_are_no_cycles() {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void the_arithmetic_knows_numbers_and_nothing_that_changes_by_itself() {
        var dice = JavaClass.Predicates.belongToAnyOf(Random.class, SplittableRandom.class, Timer.class, UUID.class);
        classes()
                .that()
                .resideInAPackage(ROOT + ".limit")
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                                ROOT + ".limit",
                                "java.lang",
                                "java.lang.invoke",
                                "java.lang.runtime",
                                "java.util",
                                "java.util.function",
                                "java.util.stream",
                                "org.jspecify..")
                        .and(not(dice)))
                .andShould(notCall(Math.class, "random"))
                .andShould(notCall(System.class, "currentTimeMillis"))
                .andShould(notCall(System.class, "nanoTime"))
                .check(CLASSES);
    }

    private static ArchCondition<JavaClass> notCall(Class<?> owner, String method) {
        return ArchConditions.never(ArchConditions.callMethod(owner, method));
    }

    @Test
    void a_room_is_no_hall() {
        var sizes = CLASSES.stream()
                .filter(c -> c.isTopLevelClass() && !c.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).allSatisfy((room, size) -> assertThat(size).as(room).isLessThan(20));
    }

    @Test
    void the_words_that_mean_nothing_are_not_used() {
        var empty = List.of(
                "Manager",
                "Helper",
                "Util",
                "Processor",
                "Impl",
                "Base",
                "Abstract",
                "Common",
                "Handler",
                "Data",
                "Info",
                "Context");
        assertThat(CLASSES.stream().map(JavaClass::getSimpleName))
                .noneMatch(name -> empty.stream().anyMatch(name::contains));
    }
}
