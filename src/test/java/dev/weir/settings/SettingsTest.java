package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.settings.redis.RedisSettings.Address;
import dev.weir.settings.redis.RedisSettings.Credentials;
import dev.weir.settings.redis.RedisSettings.Layout;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An environment becomes settings, or every mistake in it is told at once. */
final class SettingsTest {

    @Test
    void an_empty_environment_starts_with_the_defaults() throws Exception {
        var settings = Settings.read(Map.of());
        assertThat(settings.servers().http()).isEqualTo(new Servers.Listener("0.0.0.0", 8080));
        assertThat(settings.servers().grpc()).isEqualTo(new Servers.Listener("0.0.0.0", 8081));
        assertThat(settings.servers().debug()).isEqualTo(new Servers.Listener("127.0.0.1", 6070));
        assertThat(settings.logging()).isEqualTo(new Logging(Logging.Level.INFO, Logging.Format.TEXT));
        assertThat(settings.ruleFiles().root()).hasToString("/srv/runtime_data/current");
        assertThat(settings.backend().type()).isEqualTo(Backend.Type.MEMORY);
        assertThat(settings.backend().timeout()).hasMillis(15);
        assertThat(settings.bounds()).isEqualTo(new RequestBounds(64, 32, 1 << 20, 1_000_000_000));
        assertThat(settings.life().drain().delay()).hasSeconds(5);
        assertThat(settings.ignored()).isEmpty();
    }

    @Test
    void what_belongs_into_a_file_is_not_shown_where_its_path_is_wanted() {
        var variables = Map.of(
                "GRPC_SERVER_USE_TLS", "true",
                "GRPC_SERVER_TLS_CERT", "-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END PRIVATE KEY-----",
                "GRPC_SERVER_TLS_KEY", "/none.pem",
                "BACKEND_TYPE", "redis",
                "REDIS_SENTINEL_AUTH_FILE", "s3cr3t",
                "REDIS_AUTH_FILE", "c2Vj/s3cr3t");
        var mistake = catchThrowableOfType(SettingsException.class, () -> Settings.read(variables));
        assertThat(mistake)
                .hasMessageContaining(
                        "GRPC_SERVER_TLS_CERT is not shown here (it looks like what belongs into a file): ")
                .hasMessageContaining("REDIS_AUTH_FILE is not shown here (it looks like what belongs into a file): ")
                .hasMessageContaining(
                        "REDIS_SENTINEL_AUTH_FILE is not shown here (it looks like what belongs into a file): ")
                .message()
                .doesNotContain("s3cr3t");
    }

    @Test
    void the_token_of_operators_is_long_enough_and_shown_nowhere() throws Exception {
        assertThat(Settings.read(Map.of()).servers().adminToken().text()).isEmpty();
        String token = "0123456789abcde=";
        var settings = Settings.read(Map.of("ADMIN_TOKEN", token));
        assertThat(settings.servers().adminToken().text()).isEqualTo(token);
        assertThat(settings.toString()).doesNotContain(token);
        for (String wrong : List.of("s3cr3t", "s3cr3t=".repeat(3), "s3cr3t s3cr3t s3cr3t", "s3cr3t".repeat(40))) {
            assertThat(catchThrowableOfType(SettingsException.class, () -> Settings.read(Map.of("ADMIN_TOKEN", wrong))))
                    .as(wrong)
                    .hasMessageContaining("ADMIN_TOKEN is not shown here: give nothing, or 16 to 200 of the letters")
                    .message()
                    .doesNotContain("s3cr3t");
        }
    }

    @Test
    void a_file_may_hold_the_token_of_operators(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("token"), "0123456789abcdef\n");
        assertThat(Settings.read(Map.of("ADMIN_TOKEN_FILE", file.toString()))
                        .servers()
                        .adminToken()
                        .text())
                .isEqualTo("0123456789abcdef");
        for (String misplaced : List.of("s3cr3t/s3cr3t/s3cr3t", "/s3cr3ts3cr3ts3cr3t")) {
            assertThat(catchThrowableOfType(
                            SettingsException.class, () -> Settings.read(Map.of("ADMIN_TOKEN_FILE", misplaced))))
                    .hasMessageContaining(
                            "ADMIN_TOKEN_FILE is not shown here (it may be the token itself): there is no such file")
                    .message()
                    .doesNotContain("s3cr3t");
        }
        Files.writeString(file, "s3cr3t\n");
        assertThat(catchThrowableOfType(
                        SettingsException.class, () -> Settings.read(Map.of("ADMIN_TOKEN_FILE", file.toString()))))
                .hasMessageContaining(": what is in the file is wrong: give nothing, or 16 to 200")
                .message()
                .doesNotContain("s3cr3t");
    }

    @Test
    void fixed_windows_count_refused_hits_unless_told_otherwise() throws Exception {
        String name = "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT";
        assertThat(Settings.read(Map.of()).answering().isChargingOnAdmit()).isFalse();
        assertThat(Settings.read(Map.of(name, "false")).answering().isChargingOnAdmit())
                .isFalse();
        assertThat(Settings.read(Map.of(name, "t")).answering().isChargingOnAdmit())
                .isTrue();
    }

    @Test
    void room_for_remembering_is_ours_to_choose_unless_it_is_set() throws Exception {
        String name = "LOCAL_CACHE_SIZE_IN_BYTES";
        assertThat(Settings.read(Map.of()).backend().overLimitBytes()).isEmpty();
        assertThat(Settings.read(Map.of(name, "")).backend().overLimitBytes()).isEmpty();
        assertThat(Settings.read(Map.of(name, "0")).backend().overLimitBytes()).hasValue(0);
        assertThat(Settings.read(Map.of(name, "8589934592")).backend().overLimitBytes())
                .hasValue(8_589_934_592L);
        assertThat(Settings.read(Map.of(name, "-1")).backend().overLimitBytes()).hasValue(0);
        for (String wrong : List.of("8MB", "1.5")) {
            assertThat(mistakes(Map.of(name, wrong)))
                    .containsExactly(name + " is \"" + wrong + "\": give a whole number of bytes, or nothing.");
        }
    }

    @Test
    void every_default_is_allowed_where_it_stands() {
        assertThat(SettingsTable.all())
                .allSatisfy(setting ->
                        assertThat(setting.fallback()).as(setting.name()).isNotNull());
    }

    @Test
    void names_are_told_once_and_none_of_ours_is_one_that_kubernetes_sets() {
        assertThat(SettingsTable.all().stream().map(Setting::name))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(UnusedSettings.NAMES)
                .noneMatch(name -> name.matches("WEIR_.*(PORT|HOST|ADDR).*"));
    }

    @Test
    void what_the_go_services_libraries_read_and_weir_does_not_is_named() throws SettingsException {
        var set = Map.of("OTEL_BSP_MAX_QUEUE_SIZE", "4096", "OTEL_BSP_SCHEDULE_DELAY", "100", "REDIS_POOL_SIZE", "5");
        assertThat(Settings.read(set).ignored())
                .containsExactly("OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_SCHEDULE_DELAY", "REDIS_POOL_SIZE");
    }

    @Test
    void all_mistakes_are_told_at_once_each_with_its_variable_value_and_what_is_allowed() {
        assertThat(mistakes(Map.of(
                        "PORT", "http",
                        "GRPC_PORT", "",
                        "LOG_LEVEL", "loud",
                        "SHADOW_MODE", "yes",
                        "STORE_TIMEOUT", "15",
                        "CACHE_KEY_PREFIX", "{weir}",
                        "REDIS_HASH_TAGS", "12",
                        "LIMIT_RESPONSE_HEADERS_ENABLED", "true",
                        "LIMIT_LIMIT_HEADER", "Rate Limit",
                        "MAX_HITS", "1000000001")))
                .containsExactly(
                        "CACHE_KEY_PREFIX is \"{weir}\": give a text without `{` and `}`, which would move the counters of a"
                                + " Redis Cluster.",
                        "GRPC_PORT is empty: give a port from 0 (any free one) to 65535.",
                        "LIMIT_LIMIT_HEADER is \"Rate Limit\": give the name of a header, or nothing for `RateLimit-Limit`.",
                        "LOG_LEVEL is \"loud\": give `panic` or `fatal` or `error` or `warn` or `warning` or `info` or"
                                + " `debug` or `trace`.",
                        "MAX_HITS is \"1000000001\": give a whole number from 1 to 1000000000.",
                        "PORT is \"http\": give a port from 0 (any free one) to 65535.",
                        "REDIS_HASH_TAGS is \"12\": give a power of two from 1 to 4096.",
                        "SHADOW_MODE is \"yes\": give `true` or `false`.",
                        "STORE_TIMEOUT is \"15\": give a duration from 1ms to 1m, as in `15ms` or `1m30s`.");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "LOG_FORMAT",
                "LIMIT_LIMIT_HEADER",
                "LIMIT_REMAINING_HEADER",
                "LIMIT_RESET_HEADER",
                "STATSD_HOST",
                "STATSD_PROTOCOL",
                "OTEL_METRICS_EXPORTER",
                "OTEL_METRIC_EXPORT_INTERVAL",
                "OTEL_EXPORTER_OTLP_PROTOCOL",
                "OTEL_EXPORTER_OTLP_COMPRESSION",
                "OTEL_EXPORTER_OTLP_TIMEOUT"
            })
    void a_text_that_go_takes_empty_is_then_the_one_of_a_variable_that_is_not_set(String name) throws Exception {
        var id = Map.of("TRACING_SERVICE_INSTANCE_ID", "one", "TRACING_ENABLED", "true");
        var variables = new HashMap<>(id);
        variables.put(name, "");
        assertThat(Settings.read(variables)).isEqualTo(Settings.read(id));
    }

    @Test
    void a_format_of_the_log_that_is_none_is_told() {
        assertThat(mistakes(Map.of("LOG_FORMAT", "jsn")))
                .containsExactly("LOG_FORMAT is \"jsn\": give `text` or `json`, or nothing for `text`.");
    }

    @Test
    void a_header_that_is_not_sent_may_be_called_anything() throws Exception {
        assertThat(Settings.read(Map.of("LIMIT_LIMIT_HEADER", "Rate Limit")).pardoned())
                .containsExactly(
                        "LIMIT_LIMIT_HEADER is \"Rate Limit\": give the name of a header, or nothing for"
                                + " `RateLimit-Limit`; not used, for answers have no headers (`LIMIT_RESPONSE_HEADERS_ENABLED`)");
    }

    @Test
    void a_header_of_refusals_may_be_sent_alone_and_has_to_be_one() throws Exception {
        assertThat(Settings.read(Map.of()).answering().retryAfterHeader()).isNull();
        assertThat(Settings.read(Map.of("LIMIT_RETRY_AFTER_HEADER", "Retry-After"))
                        .answering()
                        .retryAfterHeader())
                .isEqualTo("Retry-After");
        assertThat(mistakes(Map.of("LIMIT_RETRY_AFTER_HEADER", "Retry After")))
                .containsExactly("LIMIT_RETRY_AFTER_HEADER is \"Retry After\": give the name of a header, or nothing.");
    }

    @Test
    void a_port_that_kubernetes_injected_is_told_with_the_way_out() {
        assertThat(mistakes(Map.of("GRPC_PORT", "tcp://10.0.0.1:8081")))
                .singleElement()
                .asString()
                .contains("enableServiceLinks: false");
    }

    @Test
    void names_of_no_table_are_not_looked_at() throws Exception {
        var settings = Settings.read(Map.of("REDIS_PORT", "tcp://10.0.0.1:6379", "REDIS_SERVICE_HOST", "10.0.0.1"));
        assertThat(settings.backend().type()).isEqualTo(Backend.Type.MEMORY);
        assertThat(settings.backend().isAssumed()).isTrue();
        assertThat(settings.ignored()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "REDIS_URL, localhost:6379, REDIS",
        "REDIS_POOL_SIZE, 5, REDIS",
        "REDIS_TLS, false, REDIS",
        "PORT, 80, MEMORY"
    })
    void a_backend_that_nobody_names_follows_from_what_is_set(String name, String text, Backend.Type type)
            throws Exception {
        var backend = Settings.read(Map.of(name, text)).backend();
        assertThat(backend.type()).isEqualTo(type);
        assertThat(backend.isAssumed()).isTrue();
        assertThat(backend.passedOver()).isEmpty();
        assertThat(Settings.read(Map.of(name, text, "BACKEND_TYPE", "")).backend())
                .isEqualTo(backend);
    }

    @Test
    void a_backend_that_is_named_is_not_assumed() throws Exception {
        var backend = Settings.read(Map.of("REDIS_URL", "localhost:6379", "BACKEND_TYPE", "memory"))
                .backend();
        assertThat(backend.type()).isEqualTo(Backend.Type.MEMORY);
        assertThat(backend.isAssumed()).isFalse();
        assertThat(backend.passedOver()).containsExactly("REDIS_URL");
    }

    @Test
    void what_would_change_answers_if_it_were_ignored_stops_the_start() {
        assertThat(mistakes(Map.of("BACKEND_TYPE", "memcache")))
                .singleElement()
                .asString()
                .startsWith("BACKEND_TYPE is \"memcache\": ")
                .contains("only the Go service knows this; give `redis` or `memory` or nothing");
    }

    @Test
    void what_changes_no_answer_is_accepted_and_named() throws Exception {
        var settings =
                Settings.read(Map.of("REDIS_POOL_SIZE", "", "MEMCACHE_SRV", "?", "EXPIRATION_JITTER_MAX_SECONDS", "0"));
        assertThat(settings.ignored())
                .containsExactly("EXPIRATION_JITTER_MAX_SECONDS", "MEMCACHE_SRV", "REDIS_POOL_SIZE");
    }

    @ParameterizedTest
    @CsvSource({
        "redis:6379, redis, 6379, '', '', 0",
        "redis_master:7000, redis_master, 7000, '', '', 0",
        "[::1]:6379, ::1, 6379, '', '', 0",
        "redis://redis, redis, 6379, '', '', 0",
        "redis://redis:7000/, redis, 7000, '', '', 0",
        "redis://jo:s%40cret@redis:7000/3, redis, 7000, jo, s@cret, 3",
        "redis://:a+b@redis/3, redis, 6379, '', a+b, 3"
    })
    void an_address_says_host_port_user_password_and_database(
            String url, String host, int port, String user, String password, int database) throws Exception {
        var redis = Settings.read(Map.of("REDIS_URL", url)).redis();
        assertThat(redis.layout()).isEqualTo(Layout.SINGLE);
        assertThat(redis.addresses()).containsExactly(new Address.Tcp(host, port));
        assertThat(redis.credentials()).isEqualTo(new Credentials(user, password));
        assertThat(redis.database()).isEqualTo(database);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "redis", "redis:0", "redis:70000", "a:1,", "a:1,b", "http://redis:6379", "redis://redis/x"})
    void a_text_that_is_no_address_is_refused(String url) {
        assertThat(mistakes(Map.of("REDIS_URL", url)))
                .singleElement()
                .asString()
                .contains("`host:port`");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CLUSTER | a:1,b:2, [::1]:3 | a:1 b:2 [::1]:3",
                "cluster | redis_0:7000 | redis_0:7000",
                "Cluster | redis://jo:secret@a:1/ | a:1"
            })
    void a_cluster_is_named_by_some_of_its_nodes(String type, String url, String addresses) throws Exception {
        var redis = Settings.read(Map.of("REDIS_TYPE", type, "REDIS_URL", url)).redis();
        assertThat(redis.layout()).isEqualTo(Layout.CLUSTER);
        assertThat(redis.addresses().stream().map(Address::toString)).containsExactly(addresses.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SINGLE | a:1,b:2 | give one address, or `CLUSTER` as `REDIS_TYPE`.",
                "CLUSTER | /run/redis.sock | give nodes of the cluster as `host:port,host:port`.",
                "CLUSTER | redis://a:1/2 | give no database, for a cluster has only one."
            })
    void an_address_must_go_with_the_layout(String type, String url, String advice) {
        assertThat(mistakes(Map.of("REDIS_TYPE", type, "REDIS_URL", url)))
                .containsExactly("REDIS_URL is \"" + url + "\": " + advice);
    }

    @Test
    void a_cluster_has_no_address_by_default() {
        assertThat(mistakes(Map.of("REDIS_TYPE", "CLUSTER")))
                .singleElement()
                .asString()
                .endsWith("give nodes of the cluster as `host:port,host:port`.");
    }

    @Test
    void the_socket_type_must_go_with_the_address() throws Exception {
        assertThat(Settings.read(Map.of("REDIS_SOCKET_TYPE", "unix")).redis().addresses())
                .containsExactly(new Address.Socket("/var/run/nutcracker/ratelimit.sock"));
        assertThat(Settings.read(Map.of("REDIS_SOCKET_TYPE", "tcp", "REDIS_URL", "redis:6379"))
                        .redis()
                        .addresses())
                .hasToString("[redis:6379]");
        assertThat(mistakes(Map.of("REDIS_SOCKET_TYPE", "unix", "REDIS_URL", "redis:6379")))
                .containsExactly(
                        "REDIS_SOCKET_TYPE is \"unix\": give `REDIS_URL` as the path of a socket, or `tcp` here.");
        assertThat(mistakes(Map.of("REDIS_SOCKET_TYPE", "tcp"))).hasSize(1);
        assertThat(mistakes(Map.of("REDIS_SOCKET_TYPE", "tcp", "REDIS_URL", "http://redis")))
                .as("of what is not read as a path")
                .singleElement()
                .asString()
                .startsWith("REDIS_URL is ");
        assertThat(mistakes(Map.of("GRPC_UDS", "@weir")))
                .singleElement()
                .asString()
                .contains("cannot be had");
    }

    @Test
    void what_redis_auth_says_wins_over_the_address() throws Exception {
        var variables = new HashMap<>(Map.of("REDIS_URL", "redis://jo:old@redis", "REDIS_AUTH", "new"));
        assertThat(Settings.read(variables).redis().credentials()).isEqualTo(new Credentials("jo", "new"));
        variables.put("REDIS_AUTH", "al:n:w");
        assertThat(Settings.read(variables).redis().credentials()).isEqualTo(new Credentials("al", "n:w"));
    }

    @Test
    void no_secret_is_ever_shown() throws Exception {
        var settings = Settings.read(Map.of("REDIS_URL", "redis://jo:sesame@redis:6379", "REDIS_AUTH", "sesame"));
        assertThat(settings.toString()).doesNotContain("sesame").contains("redis:6379");
        assertThat(mistakes(Map.of("REDIS_URL", "redis://jo:ses\name@redis:http")))
                .containsExactly(
                        "REDIS_URL is \"redis://***\": give `host:port` (of a cluster `host:port,host:port`, of"
                                + " sentinels `master,host:port,host:port`), `redis://[user:password@]host[:port][/database]` in"
                                + " place of every `host:port`, `rediss://` for TLS, or the path of a socket.");
    }

    @Test
    void an_empty_host_is_every_address_and_so_is_ipv6s() throws Exception {
        var servers = Settings.read(Map.of("HOST", "", "GRPC_HOST", "::")).servers();
        assertThat(servers.http().host()).isEqualTo("0.0.0.0");
        assertThat(servers.grpc().host()).isEqualTo("::");
    }

    @Test
    void connections_of_callers_get_as_old_as_with_the_go_service_unless_told_otherwise() throws Exception {
        var preset = Settings.read(Map.of()).grpc();
        assertThat(preset.maxAge()).hasHours(24);
        assertThat(preset.grace()).hasHours(1);
        assertThat(preset.socket()).isEmpty();
        var told = Settings.read(Map.of(
                        "GRPC_MAX_CONNECTION_AGE", "0",
                        "GRPC_MAX_CONNECTION_AGE_GRACE", "1m30s",
                        "GRPC_UDS", "/run/weir.sock"))
                .grpc();
        assertThat(told.maxAge()).isZero();
        assertThat(told.grace()).hasSeconds(90);
        assertThat(told.socket()).isEqualTo("/run/weir.sock");
        assertThat(mistakes(Map.of("GRPC_MAX_CONNECTION_AGE", "-1s")))
                .containsExactly(
                        "GRPC_MAX_CONNECTION_AGE is \"-1s\": give a duration from 0; longer than 87600h is" + " that.");
        assertThat(Settings.read(Map.of("GRPC_MAX_CONNECTION_AGE", "999999h"))
                        .grpc()
                        .maxAge())
                .hasHours(87_600);
    }

    @Test
    void rules_are_kept_in_the_store_beside_files_and_not_beside_a_control_plane() throws Exception {
        assertThat(Settings.read(Map.of()).ruleFiles().areAlsoInStore()).isFalse();
        var inMemory = Settings.read(Map.of("RULES_IN_STORE", "true"));
        assertThat(inMemory.ruleFiles().areAlsoInStore()).isTrue();
        assertThat(inMemory.remarks())
                .containsExactly(
                        "RULES_IN_STORE is \"true\": rules that are put end with this process (BACKEND_TYPE=memory)");
        assertThat(Settings.read(Map.of("RULES_IN_STORE", "true", "REDIS_URL", "redis:6379"))
                        .remarks())
                .isEmpty();
        assertThat(mistakes(Map.of("RULES_IN_STORE", "true", "CONFIG_TYPE", "GRPC_XDS_SOTW")))
                .containsExactly(
                        "RULES_IN_STORE is \"true\": leave it out where rules come from a control plane (CONFIG_TYPE).");
    }

    @Test
    void a_check_of_rule_files_reads_one_variable_alone() throws Exception {
        assertThat(RuleFilesSettings.isMergingDomains(Map.of("MERGE_DOMAIN_CONFIG", "1", "PORT", "http")))
                .isTrue();
    }

    private static List<String> mistakes(Map<String, String> variables) {
        return catchThrowableOfType(SettingsException.class, () -> Settings.read(variables))
                .mistakes();
    }
}
