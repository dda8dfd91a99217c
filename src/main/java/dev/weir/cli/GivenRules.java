package dev.weir.cli;

import dev.weir.jvm.Heap;
import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.watch.RuleFiles;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.RuleFilesSettings;
import dev.weir.settings.table.SettingsException;
import dev.weir.words.Unseen;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the commands that read rule files have in common. */
final class GivenRules {
    @Option(
            names = "--merge-domains",
            negatable = true,
            description =
                    "Let several files write rules for one domain; MERGE_DOMAIN_CONFIG decides if it is not given.")
    private @Nullable Boolean isMerging;

    /**
     * Returns how they are read: as the service would, with its heap.
     *
     * @param fixedWindowCharge of limits that state none
     */
    YamlRules.Options reading(Map<String, String> variables, Charge fixedWindowCharge) throws SettingsException {
        boolean merges = isMerging == null ? RuleFilesSettings.isMergingDomains(variables) : isMerging;
        return new YamlRules.Options(merges, fixedWindowCharge, Heap.roomForDescriptors(), YamlRules.Options.AT_ONCE);
    }

    /** Returns whether all paths are there, and tells those that are not. */
    static boolean areThere(List<Path> paths, PrintWriter err) {
        var missing = paths.stream()
                .filter(path -> isEmpty(path) || !Files.exists(path))
                .toList();
        missing.forEach(path -> err.println(
                isEmpty(path)
                        ? "a path is empty: is a variable not set? The current directory is ."
                        : Unseen.shown(path + ": there is no such file or directory")));
        return missing.isEmpty();
    }

    /** To Java that is the current directory; hardly anybody means it. */
    private static boolean isEmpty(Path path) {
        return path.toString().isEmpty();
    }

    /** Tells how to leave dot files out, if mistakes stand in some: once, for the folder of a repository has thousands. */
    static void hint(List<Mistake> mistakes, List<Path> paths, PrintWriter err) {
        String hint = RuleFiles.hint(mistakes, paths);
        if (hint != null) {
            err.println(hint + ", here and in the service");
        }
    }
}
