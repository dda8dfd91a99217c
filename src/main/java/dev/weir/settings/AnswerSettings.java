package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Feature;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import dev.weir.settings.table.SettingsException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What answers look like.
 *
 * @param isShadow whether nothing is refused, whatever the rules say
 * @param isQuota whether every descriptor counts as one of quota mode
 * @param isChargingOnAdmit whether fixed windows that state no charge count only what is admitted
 * @param onStoreFailure what is answered when the store fails, where neither a rule nor its domain says it
 * @param hasMetadata whether answers carry dynamic metadata
 * @param headers the headers of answers
 * @param retryAfterHeader the name of the header of refusals with the seconds until their limits admit again, or null for none
 */
public record AnswerSettings(
        boolean isShadow,
        boolean isQuota,
        boolean isChargingOnAdmit,
        String onStoreFailure,
        boolean hasMetadata,
        Headers headers,
        @Nullable String retryAfterHeader) {
    private static final Rows ROWS = new Rows(Group.ANSWERS);
    private static final Rows OF_HEADERS = ROWS.of(Feature.HEADERS);

    private static final Setting<Boolean> SHADOW_MODE =
            ROWS.add("SHADOW_MODE", "false", Kind.SWITCH, "Count and report, but refuse nothing.");
    private static final Setting<Boolean> QUOTA_MODE =
            ROWS.add("QUOTA_MODE", "false", Kind.SWITCH, "Refuse only if all descriptors of a request are over.");
    private static final Setting<Boolean> STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT = ROWS.add(
            "STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT",
            "false",
            Kind.SWITCH,
            "Leave the counters of a refused request alone: fixed windows that state no `charge` have `on_admit` in place"
                    + " of `always`.");
    private static final Setting<String> ON_STORE_FAILURE = ROWS.add(
            "ON_STORE_FAILURE",
            "error",
            Kind.word(List.of("error", "allow", "deny", "local"), List.of(), word -> word),
            "What is answered when the store fails or more comes than can be answered, where neither the rule nor its domain says"
                    + " `on_store_failure`: an error, that the request passes, that it is refused, or what this replica's own counters say of its share.");
    private static final Setting<Boolean> RESPONSE_DYNAMIC_METADATA =
            ROWS.add("RESPONSE_DYNAMIC_METADATA", "false", Kind.SWITCH, "Answer with dynamic metadata.");
    private static final Setting<Boolean> LIMIT_RESPONSE_HEADERS_ENABLED =
            ROWS.add("LIMIT_RESPONSE_HEADERS_ENABLED", "false", Kind.SWITCH, "Answer with the three headers below.");
    private static final Setting<String> LIMIT_LIMIT_HEADER = OF_HEADERS.add(
            "LIMIT_LIMIT_HEADER", "RateLimit-Limit", Kind.HEADER.orNothing("RateLimit-Limit"), "The limit.");
    private static final Setting<String> LIMIT_REMAINING_HEADER = OF_HEADERS.add(
            "LIMIT_REMAINING_HEADER",
            "RateLimit-Remaining",
            Kind.HEADER.orNothing("RateLimit-Remaining"),
            "What is left of it.");
    private static final Setting<String> LIMIT_RESET_HEADER = OF_HEADERS.add(
            "LIMIT_RESET_HEADER",
            "RateLimit-Reset",
            Kind.HEADER.orNothing("RateLimit-Reset"),
            "Seconds until it resets.");
    private static final Setting<Optional<String>> LIMIT_RETRY_AFTER_HEADER = ROWS.add(
            "LIMIT_RETRY_AFTER_HEADER",
            "",
            Kind.HEADER_OR_NONE,
            "The header of a refusal with the seconds until its limits admit again, as `Retry-After`; also without the three above. Not"
                    + " set: none.");

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

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
        boolean isChargingOnAdmit = environment.read(STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT);
        environment.throwMistakes();
        return isChargingOnAdmit;
    }

    static AnswerSettings of(Environment environment) {
        return new AnswerSettings(
                environment.read(SHADOW_MODE),
                environment.read(QUOTA_MODE),
                environment.read(STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT),
                environment.read(ON_STORE_FAILURE),
                environment.read(RESPONSE_DYNAMIC_METADATA),
                new Headers(
                        environment.read(LIMIT_RESPONSE_HEADERS_ENABLED),
                        environment.read(LIMIT_LIMIT_HEADER),
                        environment.read(LIMIT_REMAINING_HEADER),
                        environment.read(LIMIT_RESET_HEADER)),
                environment.read(LIMIT_RETRY_AFTER_HEADER).orElse(null));
    }
}
