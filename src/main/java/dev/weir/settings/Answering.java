package dev.weir.settings;

import java.util.Map;

/**
 * What answers look like.
 *
 * @param isShadow whether nothing is refused, whatever the rules say
 * @param isQuota whether every descriptor counts as one of quota mode
 * @param isChargingOnAdmit whether fixed windows that state no charge count only what is admitted
 * @param hasMetadata whether answers carry dynamic metadata
 * @param headers the headers of answers
 */
public record Answering(
        boolean isShadow, boolean isQuota, boolean isChargingOnAdmit, boolean hasMetadata, Headers headers) {

    /**
     * The headers that callers shall add to their responses.
     *
     * @param isEnabled whether there are any
     * @param limit the name of the one with the limit
     * @param remaining the name of the one with what is left
     * @param reset the name of the one with the seconds until the limit resets
     */
    public record Headers(boolean isEnabled, String limit, String remaining, String reset) {}

    /**
     * Reads {@code STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT} alone, for who reads rules and answers nobody.
     *
     * @throws SettingsException if it is neither true nor false
     */
    public static boolean isChargingOnAdmit(Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        boolean isChargingOnAdmit = environment.read(SettingsTable.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT);
        environment.throwMistakes();
        return isChargingOnAdmit;
    }

    static Answering of(Environment environment) {
        return new Answering(
                environment.read(SettingsTable.SHADOW_MODE),
                environment.read(SettingsTable.QUOTA_MODE),
                environment.read(SettingsTable.STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT),
                environment.read(SettingsTable.RESPONSE_DYNAMIC_METADATA),
                new Headers(
                        environment.read(SettingsTable.LIMIT_RESPONSE_HEADERS_ENABLED),
                        environment.read(SettingsTable.LIMIT_LIMIT_HEADER),
                        environment.read(SettingsTable.LIMIT_REMAINING_HEADER),
                        environment.read(SettingsTable.LIMIT_RESET_HEADER)));
    }
}
