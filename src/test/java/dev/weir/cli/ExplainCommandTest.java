package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir explain}: the way, the rule, its limit and counter, and what nearly matched. */
final class ExplainCommandTest {
    private static final String SHOP = """
            domain: shop
            descriptors:
              - key: path
                value: /login
                rate_limit: {unit: minute, requests_per_unit: 5, name: login}
              - key: path
                value: /api/*
                share_threshold: true
                rate_limit: {unit: hour, requests_per_unit: 1000, replaces: [{name: login}]}
              - key: tier
                value: free
                descriptors:
                  - key: user
                    shadow_mode: true
                    rate_limit: {unit: day, requests_per_unit: 10}
              - key: staff
                rate_limit: {unlimited: true}
              - {key: id, value: '1', rate_limit: {unit: second, requests_per_unit: 1}}
              - {key: id, value: '2', rate_limit: {unit: second, requests_per_unit: 1}}
              - {key: id, value: '3', rate_limit: {unit: second, requests_per_unit: 1}}
              - {key: id, value: '4', rate_limit: {unit: second, requests_per_unit: 1}}
              - {key: id, value: '5', rate_limit: {unit: second, requests_per_unit: 1}}
              - {key: id, value: '6', rate_limit: {unit: second, requests_per_unit: 1}}
            """;

    private final Terminal terminal = new Terminal();

    @TempDir
    private Path directory;

    private Path shop;

    @BeforeEach
    void write() throws IOException {
        shop = Files.writeString(directory.resolve("shop.yaml"), SHOP);
    }

    @Test
    void a_rule_is_told_with_its_way_its_limit_and_its_counter() {
        assertThat(explain("path=/api/cart")).isZero();
        assertThat(terminal.out()).isEqualTo("""
                domain       shop
                way          path=/api/cart  the pattern `/api/*`, whose values share one counter
                rule         path=/api/*
                             replaces in the same request: login
                limit        1,000 an hour, fixed window; refused hits count too
                  counter    shop; path=/api/* (one counter for all that fit); algorithm 1; window 3600 s
                  in Redis   "{4i4}\\x00\\x00\\x04shop\\x00\\x00\\x04path\\x01\\x00\\x06/api/*\\x01\\x00\\x00\\x0e\\x10"
                near misses  none

                Nothing was counted.
                """);
        assertThat(terminal.err()).isEmpty();
    }

    @Test
    void the_way_has_a_line_for_each_entry() {
        assertThat(explain("tier=free,user=anna")).isZero();
        assertThat(terminal.out()).startsWith("""
                domain       shop
                way          tier=free  the exact value
                             user=anna  the bare key `user`: any value
                rule         tier=free,user
                             shadow: refuses nothing
                limit        10 a day, fixed window; refused hits count too
                """);
    }

    @Test
    void a_descriptor_without_a_rule_is_told_what_is_near_and_exits_with_4() {
        assertThat(explain("path=/Login")).isEqualTo(4);
        assertThat(terminal.out()).isEqualTo("""
                domain       shop
                way          path=/Login  nowhere: no such value here, but `/login`, `/api/*`
                rule         none: the descriptor passes, uncounted
                near misses  path=/login  `/login` and `/Login` differ in upper and lower case only
                             path=/api/*  `/api/*` does not fit `/Login`

                Nothing was counted.
                """);
    }

    @Test
    void an_unlimited_rule_is_a_rule_without_a_counter() {
        assertThat(explain("staff=root")).isZero();
        assertThat(terminal.out()).isEqualTo("""
                domain       shop
                way          staff=root  the bare key `staff`: any value
                rule         staff
                limit        unlimited: everything passes uncounted
                near misses  none

                Nothing was counted.
                """);
    }

    @Test
    void of_many_near_misses_the_nearest_are_told() {
        assertThat(explain("id=7")).isEqualTo(4);
        assertThat(terminal.out()).contains("""
                             id=5  asks for `5`, not `7`
                             and 1 more

                Nothing was counted.
                """);
    }

    @Test
    void each_of_several_limits_has_its_counter_and_its_lock() throws Exception {
        Files.writeString(shop, """
                domain: shop
                descriptors:
                  - key: user
                    rate_limits:
                      - {unit: second, requests_per_unit: 20, algorithm: sliding_log, block_for: 30m}
                      - {unit: minute, requests_per_unit: 600, algorithm: sliding_window, precision: 10s, name: steady}
                """);
        terminal.variables.put("REDIS_HASH_TAGS", "1");
        assertThat(explain("user=7")).isZero();
        assertThat(terminal.out()).isEqualTo("""
                domain       shop
                way          user=7  the bare key `user`: any value
                rule         user
                limit        20 a second, sliding log, locked 30 min after a refusal; counts only what is admitted
                  counter    shop; user=7; algorithm 4; window 1 s
                  in Redis   "{fjl}\\x00\\x00\\x04shop\\x00\\x00\\x04user\\x00\\x00\\x017\\x04\\x00\\x00\\x00\\x01"
                  its lock   "{fjl}\\x00\\x00\\x04shop\\x00\\x00\\x04user\\x00\\x00\\x017\\x04\\x00\\x00\\x00\\x01L"
                limit        steady: 600 a minute, sliding window in 6 parts of 10 s; counts only what is admitted
                  counter    shop; user=7; algorithm 3; window 60 s in 6 parts
                  in Redis   "{fjl}\\x00\\x00\\x04shop\\x00\\x00\\x04user\\x00\\x00\\x017\\x03\\x00\\x00\\x00<\\x06"
                near misses  none

                Nothing was counted.
                """);
    }

    @Test
    void counters_of_an_atomic_domain_have_one_hash_tag() throws Exception {
        Files.writeString(shop, "atomic: domain\n" + SHOP);
        assertThat(explain("path=/login")).isZero();
        assertThat(explain("id=1")).isZero();
        assertThat(explain("tier=free,user=anna")).isZero();
        var tags = terminal.out()
                .lines()
                .filter(line -> line.contains("in Redis"))
                .map(line -> line.substring(0, line.indexOf('}')))
                .toList();
        assertThat(tags).hasSize(3).containsOnly(tags.getFirst());
    }

    @Test
    void fixed_windows_charge_as_the_service_is_told() {
        terminal.variables.put("STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT", "true");
        assertThat(explain("path=/login")).isZero();
        assertThat(terminal.out()).contains("login: 5 a minute, fixed window; counts only what is admitted\n");
    }

    @Test
    void several_arguments_are_one_descriptor_and_a_comma_of_a_value_has_a_backslash() {
        assertThat(explain("tier=free", "user=a\\,b\\c")).isZero();
        assertThat(terminal.out()).contains("  user=a,b\\c  the bare key", "shop; tier=free; user=a,b\\c; algorithm 1");
    }

    @Test
    void where_only_the_arguments_by_themselves_have_rules_that_is_told() {
        assertThat(explain("path=/login", "tier=free,user=anna")).isEqualTo(4);
        assertThat(terminal.out())
                .endsWith("\nNothing was counted.\n"
                        + "As 2 descriptors, which they are to `weir hit`, the arguments have the rules path=/login and"
                        + " tier=free,user: explain them one by one.\n");
        assertThat(explain("path=/login", "user=anna")).isEqualTo(4);
        assertThat(terminal.out()).endsWith("\nNothing was counted.\n");
    }

    @Test
    void limits_per_second_may_be_in_a_redis_of_their_own() {
        terminal.variables.put("REDIS_PERSECOND", "true");
        assertThat(explain("path=/login")).isZero();
        assertThat(terminal.out()).doesNotContain("REDIS_PERSECOND");
        assertThat(explain("id=1")).isZero();
        assertThat(terminal.out())
                .containsPattern("  in Redis   \".*\"\n             in the Redis of REDIS_PERSECOND_URL\nnear misses");
    }

    @Test
    void the_key_follows_the_settings_of_the_service() {
        terminal.variables.put("CACHE_KEY_PREFIX", "edge:");
        terminal.variables.put("REDIS_HASH_TAGS", "1");
        assertThat(explain("path=/login")).isZero();
        assertThat(terminal.out()).containsPattern("in Redis {3}\"edge:\\{\\w+}\\\\x00\\\\x00\\\\x04shop");
        terminal.variables.put("REDIS_HASH_TAGS", "3");
        assertThat(explain("path=/login")).isEqualTo(1);
        assertThat(terminal.err()).isEqualTo("REDIS_HASH_TAGS is \"3\": give a power of two from 1 to 4096.\n");
    }

    @Test
    void an_unknown_domain_lets_everything_pass() {
        assertThat(terminal.run("explain", "--rules", shop.toString(), "--domain", "shops", "path=/login"))
                .isEqualTo(4);
        assertThat(terminal.out())
                .isEqualTo("There are no rules for the domain `shops`: every descriptor of it passes."
                        + " The domains are: shop\n");
    }

    @Test
    void where_there_are_no_rules_no_domain_is_named() throws Exception {
        Path none = Files.createDirectory(shop.resolveSibling("none"));
        assertThat(terminal.run("explain", "--rules", none.toString(), "--domain", "shop", "path=/login"))
                .isEqualTo(4);
        assertThat(terminal.out()).isEqualTo("There are no rules at all.\n");
    }

    @Test
    void mistakes_in_the_rules_are_told_as_a_check_tells_them() throws Exception {
        Files.writeString(shop, SHOP.replace("minute", "fortnight"));
        assertThat(explain("path=/login")).isEqualTo(1);
        assertThat(terminal.out()).isEmpty();
        var told = terminal.err();
        terminal.run("check", directory.toString());
        assertThat(terminal.out()).isEqualTo(told).startsWith(shop + ":5:");
    }

    @Test
    void mistakes_in_dot_files_are_told_with_what_passes_over_them() throws Exception {
        Files.writeString(directory.resolve(".shop.yaml.swp"), "b0VIM");
        assertThat(terminal.run("explain", "--rules", directory.toString(), "--domain", "shop", "path=/login"))
                .isEqualTo(1);
        assertThat(terminal.err()).contains("\n1 mistake stands in", "RUNTIME_IGNOREDOTFILES=true passes over it");
    }

    @Test
    void files_of_one_domain_are_merged_on_demand() throws Exception {
        Files.writeString(directory.resolve("more.yaml"), """
                domain: shop
                descriptors: [{key: more, rate_limit: {unit: day, requests_per_unit: 1}}]
                """);
        assertThat(explain("more=1")).isEqualTo(1);
        assertThat(explain("--merge-domains", "more=1")).isZero();
        terminal.variables.put("MERGE_DOMAIN_CONFIG", "true");
        assertThat(explain("more=1")).isZero();
    }

    @Test
    void the_pages_show_what_is_printed() throws Exception {
        var rules = Files.readString(Path.of("docs/rules.md"));
        assertThat(rules).contains(shown("tier=free,user=7"), shown("user=7,tier=free"));
        var readme = shown("path=/Login").lines().skip(2).limit(4).collect(Collectors.joining("\n"));
        assertThat(Files.readString(Path.of("README.md"))).contains(readme);
    }

    /** The command and its output on the samples, as a page shows them. */
    private static String shown(String descriptor) {
        var terminal = new Terminal();
        terminal.run("explain", "--rules", "descriptors", "--domain", "edge", descriptor);
        return "$ weir explain --rules descriptors --domain edge " + descriptor + "\n" + terminal.out();
    }

    @Test
    void a_wrong_call_is_told_with_what_is_missing() {
        assertThat(explain("path")).isEqualTo(2);
        assertThat(explain("path=/a,b")).isEqualTo(2);
        assertThat(terminal.run("explain", "--domain", "shop", "path=/a")).isEqualTo(2);
        assertThat(terminal.run("explain", "--rules", "gone", "--domain", "shop", "path=/a"))
                .isEqualTo(2);
        assertThat(terminal.err())
                .contains("'path' is no entry: give key=value")
                .contains("'b' is no entry: give key=value", "a comma of a value is \\,")
                .contains("Missing required option: '--rules=PATH'")
                .contains("gone: there is no such file or directory\n")
                .doesNotContain("\tat ");
    }

    private int explain(String... more) {
        var args = new ArrayList<>(List.of("explain", "--rules", directory.toString(), "--domain", "shop"));
        args.addAll(List.of(more));
        return terminal.run(args.toArray(String[]::new));
    }
}
