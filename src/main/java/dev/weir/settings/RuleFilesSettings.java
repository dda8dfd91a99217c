package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import dev.weir.settings.table.SettingsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Where rule files lie and how they are read.
 *
 * @param root the directory whose swap (a symbolic link that changes) is noticed
 * @param subdirectory the directory below it; may be empty
 * @param appDirectory the directory below that; where the root is watched, also how names beside it begin, before a dot
 * @param isIgnoringDotFiles whether names that begin with a dot are passed over
 * @param isWatchingRoot whether also those files beside {@code appDirectory} are read whose names begin with its name and a dot
 * @param isMergingDomains whether several files may write rules for one domain
 * @param areAlsoInStore whether rules that are kept in the store stand in place of theirs
 */
public record RuleFilesSettings(
        Path root,
        String subdirectory,
        String appDirectory,
        boolean isIgnoringDotFiles,
        boolean isWatchingRoot,
        boolean isMergingDomains,
        boolean areAlsoInStore) {
    private static final Rows ROWS = new Rows(Group.RULES);

    private static final Setting<Path> RUNTIME_ROOT = ROWS.add(
            "RUNTIME_ROOT", "/srv/runtime_data/current", Kind.PATH, "The directory that holds the rule files.");
    private static final Setting<String> RUNTIME_SUBDIRECTORY =
            ROWS.add("RUNTIME_SUBDIRECTORY", "", Kind.TEXT, "A directory below the root.");
    private static final Setting<String> RUNTIME_APPDIRECTORY = ROWS.add(
            "RUNTIME_APPDIRECTORY",
            "config",
            Kind.TEXT,
            "A directory below that: those files are read that are in it, or with `RUNTIME_WATCH_ROOT=true` also those"
                    + " beside it that begin with its name and a dot.");
    private static final Setting<Boolean> RUNTIME_IGNOREDOTFILES =
            ROWS.add("RUNTIME_IGNOREDOTFILES", "false", Kind.SWITCH, "Pass over names that begin with a dot.");
    private static final Setting<Boolean> RUNTIME_WATCH_ROOT = ROWS.add(
            "RUNTIME_WATCH_ROOT",
            "true",
            Kind.SWITCH,
            "Which files are read. `true`: those below the root and its subdirectory whose path begins with"
                    + " `RUNTIME_APPDIRECTORY` and a dot or `/`; `false`: those in it. Changes are seen either way.");
    private static final Setting<Boolean> MERGE_DOMAIN_CONFIG =
            ROWS.add("MERGE_DOMAIN_CONFIG", "false", Kind.SWITCH, "Let several files write rules for one domain.");

    private static final Setting<Boolean> RULES_IN_STORE = ROWS.add(
            "RULES_IN_STORE",
            "false",
            Kind.SWITCH,
            "Keep [rules that are put while the service runs](debug-port.md#rules-without-a-rollout) in the store, and let them stand in"
                    + " place of what files say of their domains. Needs rules from files, not from a control plane.");

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static RuleFilesSettings of(Environment environment) {
        return new RuleFilesSettings(
                environment.read(RUNTIME_ROOT),
                environment.read(RUNTIME_SUBDIRECTORY),
                environment.read(RUNTIME_APPDIRECTORY),
                environment.read(RUNTIME_IGNOREDOTFILES),
                environment.read(RUNTIME_WATCH_ROOT),
                environment.read(MERGE_DOMAIN_CONFIG),
                environment.read(RULES_IN_STORE));
    }

    static void check(Environment environment) {
        if (environment.read(RULES_IN_STORE)) {
            if (XdsSettings.of(environment).isUsed()) {
                environment.contradict(
                        RULES_IN_STORE, "leave it out where rules come from a control plane (CONFIG_TYPE)");
            } else if (Backend.of(environment).type() == Backend.Type.MEMORY) {
                environment.remark(RULES_IN_STORE, "rules that are put end with this process (BACKEND_TYPE=memory)");
            }
        }
    }

    /**
     * Reads {@code MERGE_DOMAIN_CONFIG} alone, for a check of rule files that needs no other setting.
     *
     * @throws SettingsException if it is neither true nor false
     */
    public static boolean isMergingDomains(Map<String, String> variables) throws SettingsException {
        return isOn(MERGE_DOMAIN_CONFIG, variables);
    }

    /**
     * Reads {@code RUNTIME_IGNOREDOTFILES} alone, for the same.
     *
     * @throws SettingsException as above
     */
    public static boolean isIgnoringDotFiles(Map<String, String> variables) throws SettingsException {
        return isOn(RUNTIME_IGNOREDOTFILES, variables);
    }

    private static boolean isOn(Setting<Boolean> setting, Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        boolean isOn = environment.read(setting);
        environment.throwMistakes();
        return isOn;
    }
}
