package dev.weir.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.settings.table.SettingsException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of variables that were set in vain. */
final class MisspeltTest {
    @ParameterizedTest
    @CsvSource({
        "REDIS_URI, REDIS_URL",
        "STORE_TIMEOT, STORE_TIMEOUT",
        "LOGLEVEL, LOG_LEVEL",
        "STORE_TIMEOUTS, STORE_TIMEOUT",
        "XSTORE_TIMEOUT, STORE_TIMEOUT",
        "LOG_LEVLE, LOG_LEVEL",
        "redis_url, REDIS_URL",
        "WEIR_HEPA, WEIR_HEAP"
    })
    void one_slip_is_seen(String name, String meant) throws SettingsException {
        assertThat(Settings.read(Map.of(name, "secret")).remarks())
                .containsExactly(name + " is set, which is no variable of Weir: is `" + meant + "` meant?");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"REDIS_HOST", "WEIR_PORT", "REDIS_PORT", "HOSTNAME", "STORE_TIMEO", "OST", "PROT", "LOG_LVLE"})
    void names_of_others_are_none_of_ours(String name) throws SettingsException {
        assertThat(Settings.read(Map.of(name, "any")).remarks()).isEmpty();
    }

    @Test
    void a_name_is_another_ones_where_the_one_like_it_is_set() throws SettingsException {
        assertThat(Settings.read(Map.of("LOGLEVEL", "info", "LOG_LEVEL", "info"))
                        .remarks())
                .isEmpty();
    }

    @Test
    void no_name_of_ours_is_taken_for_another_of_ours() throws SettingsException {
        var all = new HashMap<String, String>();
        UnusedSettings.NAMES.forEach(name -> all.put(name, ""));
        assertThat(Settings.read(all).remarks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GRPC_SERVER_TLS_KEY | callers speak in the clear all the same, for GRPC_SERVER_USE_TLS is not set",
                "GRPC_CLIENT_TLS_SAN | callers speak in the clear all the same, for GRPC_SERVER_USE_TLS is not set",
                "REDIS_TLS_CACERT | Redis is spoken to in the clear all the same, for there is neither REDIS_TLS=true nor a URL with rediss://",
                "REDIS_SENTINEL_AUTH | not used, for REDIS_TYPE is not SENTINEL",
                "REDIS_PERSECOND_URL | not used, for REDIS_PERSECOND is not set"
            })
    void what_waits_for_a_switch_that_nobody_set_is_remarked(String name, String remark) throws SettingsException {
        assertThat(Settings.read(Map.of(name, "a.pem", "REDIS_URL", "redis:6379"))
                        .remarks())
                .hasSize(1)
                .first()
                .asString()
                .startsWith(name + " is ")
                .endsWith(": " + remark);
    }

    @ParameterizedTest
    @CsvSource({
        "GRPC_SERVER_TLS_KEY, GRPC_SERVER_USE_TLS, false",
        "REDIS_PERSECOND_URL, REDIS_PERSECOND, false",
        "GRPC_SERVER_TLS_CERT, GRPC_SERVER_TLS_CERT, ''"
    })
    void what_was_switched_off_or_left_empty_is_not(String name, String other, String value) throws SettingsException {
        var variables = new HashMap<>(Map.of(name, "a:1"));
        variables.put(other, value);
        assertThat(Settings.read(variables).remarks()).isEmpty();
    }
}
