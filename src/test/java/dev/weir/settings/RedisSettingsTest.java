package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.settings.redis.RedisSettings;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.redis.RedisSettings.Layout;
import dev.weir.settings.redis.RedisSettings.Tls;
import dev.weir.settings.table.SettingsException;
import dev.weir.testing.SignedFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Redis is, in each of its layouts, who we are to it, and each way to say that wrongly. */
final class RedisSettingsTest {
    private static final String ENCRYPTED = "REDIS_URL=rediss://a:1";

    private static SignedFiles files;

    @BeforeAll
    static void create() {
        files = SignedFiles.create();
    }

    @AfterAll
    static void end() {
        files.close();
    }

    @Test
    void sentinels_are_named_behind_their_master() throws Exception {
        var redis = read("REDIS_TYPE=Sentinel", "REDIS_URL=mymaster,a:1, [::1]:2", "REDIS_SENTINEL_AUTH=jo:s:t");
        assertThat(redis.layout()).isEqualTo(Layout.SENTINEL);
        assertThat(redis.master()).isEqualTo("mymaster");
        assertThat(redis.addresses()).hasToString("[a:1, [::1]:2]");
        assertThat(redis.sentinelCredentials()).isEqualTo(new Credentials("jo", "s:t"));
        assertThat(redis.credentials()).isEqualTo(Credentials.NONE);
        assertThat(redis.place()).isEqualTo("mymaster of the sentinels a:1, [::1]:2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "REDIS_TYPE=SENTINEL REDIS_URL=a:1,b:2 | REDIS_URL is \"a:1,b:2\": give the master's name and its"
                        + " sentinels as `master,host:port,host:port`.",
                "REDIS_TYPE=SENTINEL | REDIS_URL is \"/var/run/nutcracker/ratelimit.sock\": give the master's name and its"
                        + " sentinels as `master,host:port,host:port`.",
                "REDIS_URL=mymaster,a:1 | REDIS_URL is \"mymaster,a:1\": give `host:port` throughout, or `SENTINEL` as"
                        + " `REDIS_TYPE`.",
                "REDIS_TYPE=CLUSTER REDIS_URL=mymaster,a:1 | REDIS_URL is \"mymaster,a:1\": give `host:port` throughout, or"
                        + " `SENTINEL` as `REDIS_TYPE`.",
                "REDIS_TYPE=SENTINEL REDIS_URL=foo,redis://u:p@a/1 | REDIS_URL is \"foo,redis://***@a/1\": give no database,"
                        + " for the addresses are those of sentinels.",
                "REDIS_URL=redis://u:p@a,redis://u:p@b:2 | REDIS_URL is \"redis://***@a,redis://***@b:2\": give one"
                        + " address, or `CLUSTER` as `REDIS_TYPE`.",
                "USE_PROMETHEUS=true PROMETHEUS_ADDR=http://u:p@a:1 | PROMETHEUS_ADDR is \"http://***@a:1\": give `host:port` or `:port`.",
                "REDIS_TYPE=REPLICATED | REDIS_TYPE is \"REPLICATED\": give `single` or `sentinel` or `cluster`.",
                "REDIS_TLS=on | REDIS_TLS is \"on\": give `true` or `false`.",
                "REDIS_TLS=true | REDIS_TLS is \"true\": give `false`, for a Unix socket is not encrypted.",
                "REDIS_TIMEOUT=10 | REDIS_TIMEOUT is \"10\": give a duration from 1ms; longer than 1h is that, and so is `0`, as in `15ms` or `1m30s`.",
                "REDIS_PERSECOND=yes | REDIS_PERSECOND is \"yes\": give `true` or `false`.",
                "REDIS_PERSECOND=true REDIS_PERSECOND_URL=a:1,b:2 | REDIS_PERSECOND_URL is \"a:1,b:2\": give one address,"
                        + " or `CLUSTER` as `REDIS_PERSECOND_TYPE`.",
                "REDIS_PERSECOND=true REDIS_PERSECOND_TLS=on | REDIS_PERSECOND_TLS is \"on\": give `true` or `false`.",
                "REDIS_PERSECOND=true REDIS_PERSECOND_TIMEOUT=1us | REDIS_PERSECOND_TIMEOUT is \"1us\": give a duration from 1ms; longer than 1h is that, and so is `0`.",
                "REDIS_PERSECOND=true REDIS_PERSECOND_SOCKET_TYPE=udp | REDIS_PERSECOND_SOCKET_TYPE is \"udp\": give `tcp` or `unix` or"
                        + " nothing.",
                "REDIS_TLS_SKIP_HOSTNAME_VERIFICATION=no | REDIS_TLS_SKIP_HOSTNAME_VERIFICATION is \"no\": give `true` or"
                        + " `false`."
            })
    void a_wrong_value_is_told_with_what_is_allowed(String variables, String sentence) {
        assertThat(mistakes(variables.split(" "))).containsExactly(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://u:secret@127.0.0.1:7000,redis://u:secret@127.0.0.1:7001 | u | secret | false"
                        + " | [127.0.0.1:7000, 127.0.0.1:7001]",
                "rediss://:s%2Ct@a, rediss://:s%2Ct@[::1]:2/ | '' | s,t | true | [a:6379, [::1]:2]",
                "redis://a:1?password=s+t,redis://a:2/?password=s%20t | '' | s t | false | [a:1, a:2]",
                "a:1,b:2 | '' | '' | false | [a:1, b:2]"
            })
    void a_cluster_may_be_a_list_of_urls(
            String url, String user, String password, boolean isEncrypted, String addresses) throws Exception {
        var redis = read("REDIS_TYPE=CLUSTER", "REDIS_URL=" + url);
        assertThat(redis.addresses()).hasToString(addresses);
        assertThat(redis.credentials()).isEqualTo(new Credentials(user, password));
        assertThat(redis.tls() != null).isEqualTo(isEncrypted);
    }

    @Test
    void urls_behind_a_master_say_what_its_sentinels_ask_for() throws Exception {
        var variables = List.of("REDIS_TYPE=SENTINEL", "REDIS_URL=foo,redis://u:p@a,redis://u:p@b:1", "REDIS_AUTH=r");
        var redis = read(variables.toArray(new String[0]));
        assertThat(redis.master()).isEqualTo("foo");
        assertThat(redis.addresses()).hasToString("[a:26379, b:1]");
        assertThat(redis.sentinelCredentials()).isEqualTo(new Credentials("u", "p"));
        assertThat(redis.credentials()).isEqualTo(new Credentials("", "r"));
        var told = read("REDIS_TYPE=SENTINEL", "REDIS_URL=foo,redis://u:p@a", "REDIS_SENTINEL_AUTH=q");
        assertThat(told.sentinelCredentials()).isEqualTo(new Credentials("u", "q"));
        assertThat(told.credentials()).isEqualTo(Credentials.NONE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://a?db=3 | '' | '' | 3",
                "redis://a?username=jo&password=s%26t&db=3 | jo | s&t | 3",
                "redis://a/2?db=3 | '' | '' | 2",
                "redis://al:new@a/?db=3&username=jo&password=old | al | new | 3",
                "redis://al@a?username=jo&password=old | al | old | 0",
                "redis://a?password=s@t | '' | s@t | 0",
                "redis://a? | '' | '' | 0"
            })
    void a_query_says_what_the_rest_of_the_address_does_not(String url, String user, String password, int database)
            throws Exception {
        var redis = read("REDIS_URL=" + url);
        assertThat(redis.addresses()).hasToString("[a:6379]");
        assertThat(redis.credentials()).isEqualTo(new Credentials(user, password));
        assertThat(redis.database()).isEqualTo(database);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis://u:sesame@a:1,redis://u:other@b:2 | the same scheme",
                "redis://u:sesame@a:1,redis://v:sesame@b:2 | the same scheme",
                "redis://u:sesame@a:1,rediss://u:sesame@b:2 | the same scheme",
                "redis://u:sesame@a:1,redis://u:sesame@b:2/1 | the same scheme",
                "redis://u:sesame@a:1,redis://b:2 | the same scheme",
                "redis://u:sesame@a:1,b:2 | the same scheme",
                "a:1,redis://u:sesame@b:2 | the same scheme",
                "redis://u:ses,ame@a:1 | percent-encode a comma that belongs to a password",
                "redis://a:1,u:sesame@b:2 | with its scheme",
                "foo,u:sesame@b:2 | with its scheme",
                "redis://u:ses%ame@a:1 | `%` in a user or a password as `%25`",
                "redis://u:ses?ame@a:1 | `?` of a password as `%3F`",
                "redis://a:1?password=sesame&ssl=true | only `db`, `username` and `password`",
                "redis://a:1?password=sesame&password=other | each once",
                "redis://a:1?password=sesame#4 | only `db`, `username` and `password`",
                "redis://a:1?password | as `name=value`",
                "redis://a:1?db=sesame | `host:port`",
                "redis?password=sesame:1 | `host:port`",
                "foo?password=sesame,a:1 | `host:port`",
                "redis://u:sesame@a:1, | `host:port`",
                "//u:sesame@a:1 | `host:port`",
                "/u:sesame@a:1 | `host:port`",
                "/u:ses/ame@a | `host:port`",
                "/sesame@a:1 | `host:port`",
                "a:1 sesame | `host:port`",
                "/run/redis.sock,redis://u:sesame@a:1 | `host:port`",
                "/run/redis.sock?password=sesame | `host:port`"
            })
    void an_address_that_says_too_much_or_two_things_is_refused_and_its_secret_is_not_shown(String url, String advice) {
        for (String type : List.of("SINGLE", "SENTINEL", "CLUSTER")) {
            assertThat(mistakes("REDIS_TYPE=" + type, "REDIS_URL=" + url))
                    .singleElement()
                    .asString()
                    .contains(advice)
                    .doesNotContain("ses")
                    .doesNotContain("ame@");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "redis:6379, false, false",
        "redis:6379, true, true",
        "rediss://redis:6379, false, true",
        "rediss://redis:6379, true, true"
    })
    void connections_are_encrypted_where_the_address_or_the_switch_says_so(String url, String tls, boolean isEncrypted)
            throws Exception {
        assertThat(read("REDIS_URL=" + url, "REDIS_TLS=" + tls).tls() != null).isEqualTo(isEncrypted);
    }

    @Test
    void certificates_and_keys_are_looked_at_before_the_start() throws Exception {
        var pair = files.sign("weir", "weir.example");
        var redis = read(
                "REDIS_URL=rediss://jo:secret@redis/2",
                "REDIS_TLS_CACERT=" + files.authority(),
                "REDIS_TLS_CLIENT_CERT=" + pair.certificate(),
                "REDIS_TLS_CLIENT_KEY=" + pair.key(),
                "REDIS_TLS_SKIP_HOSTNAME_VERIFICATION=true");
        assertThat(redis.tls()).isEqualTo(new Tls(files.authority(), pair.certificate(), pair.key(), false));
        assertThat(redis.credentials()).isEqualTo(new Credentials("jo", "secret"));
        assertThat(redis.database()).isEqualTo(2);
    }

    @Test
    void each_file_that_cannot_be_used_is_told() {
        var pair = files.sign("weir", "weir.example");
        var other = files.sign("other", "weir.example");
        var expired = files.signExpired("expired", "weir.example");
        Path missing = files.file("missing.pem");
        assertMistake("REDIS_TLS_CACERT", missing, "there is no such file.", ENCRYPTED, "REDIS_TLS_CACERT=" + missing);
        assertMistake(
                "REDIS_TLS_CACERT",
                pair.key(),
                "the file holds no certificate in PEM form.",
                ENCRYPTED,
                "REDIS_TLS_CACERT=" + pair.key());
        assertMistake(
                "REDIS_TLS_CLIENT_CERT",
                missing,
                "there is no such file.",
                ENCRYPTED,
                "REDIS_TLS_CLIENT_CERT=" + missing,
                "REDIS_TLS_CLIENT_KEY=" + pair.key());
        assertMistake(
                "REDIS_TLS_CLIENT_KEY",
                missing,
                "there is no such file.",
                ENCRYPTED,
                "REDIS_TLS_CLIENT_CERT=" + pair.certificate(),
                "REDIS_TLS_CLIENT_KEY=" + missing);
        assertMistake(
                "REDIS_TLS_CLIENT_KEY",
                other.key(),
                "the key does not belong to the certificate in " + pair.certificate() + ".",
                ENCRYPTED,
                "REDIS_TLS_CLIENT_CERT=" + pair.certificate(),
                "REDIS_TLS_CLIENT_KEY=" + other.key());
        assertThat(mistakes(
                        ENCRYPTED,
                        "REDIS_TLS_CLIENT_CERT=" + expired.certificate(),
                        "REDIS_TLS_CLIENT_KEY=" + expired.key()))
                .singleElement()
                .asString()
                .startsWith("REDIS_TLS_CLIENT_CERT is \"" + expired.certificate() + "\": the certificate has expired");
        assertThat(mistakes(ENCRYPTED, "REDIS_TLS_CLIENT_CERT=" + pair.certificate()))
                .containsExactly("REDIS_TLS_CLIENT_KEY is empty: give the key of the certificate in"
                        + " `REDIS_TLS_CLIENT_CERT`.");
        assertThat(mistakes(ENCRYPTED, "REDIS_TLS_CLIENT_KEY=" + pair.key()))
                .containsExactly("REDIS_TLS_CLIENT_CERT is empty: give the certificate of the key in"
                        + " `REDIS_TLS_CLIENT_KEY`.");
    }

    @Test
    void files_for_connections_that_nobody_encrypts_may_be_missing() throws Exception {
        Path missing = files.file("missing.pem");
        String[] some = {"REDIS_TLS_CACERT=" + missing, "REDIS_TLS_CLIENT_CERT=" + missing};
        assertThat(read("REDIS_URL=a:1", some[0], some[1]).tls()).isNull();
        assertThat(mistakes("REDIS_PERSECOND=true", "REDIS_PERSECOND_URL=rediss://a:1", some[0], some[1]))
                .extracting(mistake -> mistake.substring(0, mistake.indexOf(' ')))
                .containsExactly("REDIS_TLS_CACERT", "REDIS_TLS_CLIENT_KEY");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"REDIS_AUTH", "REDIS_SENTINEL_AUTH", "REDIS_PERSECOND_AUTH", "REDIS_PERSECOND_SENTINEL_AUTH"})
    void a_secret_may_stand_in_a_file_and_is_never_shown(String name) throws Exception {
        Path file = files.write(name, "jo:ses:4me\n");
        var settings = Settings.read(variables("REDIS_PERSECOND=true", name + "_FILE=" + file));
        assertThat(List.of(
                        settings.redis().credentials(),
                        settings.redis().sentinelCredentials(),
                        perSecond(settings).credentials(),
                        perSecond(settings).sentinelCredentials()))
                .containsOnlyOnce(new Credentials("jo", "ses:4me"));
        assertThat(settings.toString()).doesNotContain("4me");
        assertThat(mistakes("REDIS_PERSECOND=true", name + "_FILE=" + file, name + "=jo:ses:4me", "PORT=http")
                        .toString())
                .contains(name + "_FILE is \"" + file + "\": give either this or `" + name + "`.")
                .doesNotContain("ses:4me");
        Path missing = files.file("missing");
        assertMistake(
                name + "_FILE", missing, "there is no such file.", "REDIS_PERSECOND=true", name + "_FILE=" + missing);
        Path empty = files.write("empty", "\n");
        assertMistake(name + "_FILE", empty, "the file is empty.", "REDIS_PERSECOND=true", name + "_FILE=" + empty);
        Path folder = files.file(".");
        assertMistake(
                name + "_FILE",
                folder,
                "the file cannot be read (IOException).",
                "REDIS_PERSECOND=true",
                name + "_FILE=" + folder);
    }

    @Test
    void of_a_file_only_the_last_line_break_is_no_part_of_the_secret() throws Exception {
        assertThat(passwordIn("sesame")).isEqualTo("sesame");
        assertThat(passwordIn("sesame\n")).isEqualTo("sesame");
        assertThat(passwordIn("sesame\r\n")).isEqualTo("sesame");
        assertThat(passwordIn("sesame\n\n")).isEqualTo("sesame\n");
        assertThat(passwordIn(" sesame \t\n")).isEqualTo(" sesame \t");
        assertThat(passwordIn(" \n")).isEqualTo(" ");
    }

    private String passwordIn(String text) throws SettingsException {
        return read("REDIS_AUTH_FILE=" + files.write("password", text))
                .credentials()
                .password();
    }

    @Test
    void a_second_redis_is_read_only_where_it_is_asked_for() throws Exception {
        assertThat(Settings.read(variables("REDIS_PERSECOND_URL=a:1,b:2")).redisPerSecond())
                .isNull();
        var second = perSecond(Settings.read(variables(
                "REDIS_PERSECOND=true",
                "REDIS_PERSECOND_TYPE=CLUSTER",
                "REDIS_PERSECOND_URL=a:1,b:2",
                "REDIS_PERSECOND_AUTH=secret",
                "REDIS_PERSECOND_TLS=true",
                "REDIS_PERSECOND_TIMEOUT=2s",
                "REDIS_HASH_TAGS=8")));
        assertThat(second.layout()).isEqualTo(Layout.CLUSTER);
        assertThat(second.addresses()).hasToString("[a:1, b:2]");
        assertThat(second.credentials()).isEqualTo(new Credentials("", "secret"));
        assertThat(second.tls()).isEqualTo(new Tls(null, null, null, true));
        assertThat(second.connectTimeout()).hasSeconds(2);
        assertThat(second.hashTags()).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({"0, 3600", "0s, 3600", "999h, 3600", "2s, 2"})
    void a_connection_that_may_take_for_ever_has_an_hour(String timeout, long seconds) throws Exception {
        assertThat(read("REDIS_TIMEOUT=" + timeout).connectTimeout()).hasSeconds(seconds);
        var both = Settings.read(variables("REDIS_PERSECOND=true", "REDIS_PERSECOND_TIMEOUT=" + timeout));
        assertThat(perSecond(both).connectTimeout()).hasSeconds(seconds);
    }

    private static RedisSettings perSecond(Settings settings) {
        return Objects.requireNonNull(settings.redisPerSecond());
    }

    private static RedisSettings read(String... assignments) throws SettingsException {
        return Settings.read(variables(assignments)).redis();
    }

    private static void assertMistake(String name, Path value, String advice, String... assignments) {
        assertThat(mistakes(assignments)).containsExactly(name + " is \"" + value + "\": " + advice);
    }

    @ParameterizedTest
    @CsvSource({
        "REDIS_PERSECOND=false REDIS_PERSECOND_URL=redis, limits per second have no Redis of their own",
        "BACKEND_TYPE=memory REDIS_PERSECOND=true REDIS_PERSECOND_TLS=on, limits per second have no Redis of their own",
        "BACKEND_TYPE=memory REDIS_TYPE=CLUSTER, counts live in memory",
        "BACKEND_TYPE=memory REDIS_AUTH_FILE=/none/sesame, counts live in memory",
        "BACKEND_TYPE=memory REDIS_URL=redis://jo:sesame@redis:http, counts live in memory",
        "BACKEND_TYPE=memory CACHE_KEY_PREFIX={weir}, counts live in memory",
        "CACHE_KEY_PREFIX={weir}, counts live in memory"
    })
    void a_wrong_value_is_only_told_where_that_redis_is_not_used(String assignments, String why) throws Exception {
        assertThat(Settings.read(variables(assignments.split(" "))).pardoned())
                .singleElement()
                .asString()
                .contains("; not used, for " + why + " (")
                .doesNotContain("jo:sesame");
    }

    private static List<String> mistakes(String... assignments) {
        return catchThrowableOfType(SettingsException.class, () -> Settings.read(variables(assignments)))
                .mistakes();
    }

    private static Map<String, String> variables(String... assignments) {
        return new HashMap<>(Stream.of(assignments)
                .collect(Collectors.toMap(
                        text -> text.substring(0, text.indexOf('=')), text -> text.substring(text.indexOf('=') + 1))));
    }
}
