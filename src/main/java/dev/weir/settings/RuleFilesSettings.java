package dev.weir.settings;

import java.nio.file.Path;
import java.util.Map;

/**
 * Where rule files lie and how they are read.
 *
 * @param root the directory whose swap (a symbolic link that changes) is noticed
 * @param subdirectory the directory below it; may be empty
 * @param appDirectory the directory below that; may be empty
 * @param isIgnoringDotFiles whether names that begin with a dot are passed over
 * @param isWatchingRoot whether a change of the root brings a reload, in place of a change of a file
 * @param isMergingDomains whether several files may write rules for one domain
 */
public record RuleFilesSettings(
        Path root,
        String subdirectory,
        String appDirectory,
        boolean isIgnoringDotFiles,
        boolean isWatchingRoot,
        boolean isMergingDomains) {

    static RuleFilesSettings of(Environment environment) {
        return new RuleFilesSettings(
                environment.read(SettingsTable.RUNTIME_ROOT),
                environment.read(SettingsTable.RUNTIME_SUBDIRECTORY),
                environment.read(SettingsTable.RUNTIME_APPDIRECTORY),
                environment.read(SettingsTable.RUNTIME_IGNOREDOTFILES),
                environment.read(SettingsTable.RUNTIME_WATCH_ROOT),
                environment.read(SettingsTable.MERGE_DOMAIN_CONFIG));
    }

    /**
     * Reads {@code MERGE_DOMAIN_CONFIG} alone, for a check of rule files that needs no other setting.
     *
     * @throws SettingsException if it is neither true nor false
     */
    public static boolean isMergingDomains(Map<String, String> variables) throws SettingsException {
        var environment = new Environment(variables);
        boolean isMerging = environment.read(SettingsTable.MERGE_DOMAIN_CONFIG);
        environment.throwMistakes();
        return isMerging;
    }
}
