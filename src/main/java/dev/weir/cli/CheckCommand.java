package dev.weir.cli;

import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import dev.weir.rules.watch.RuleFiles;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.RuleFilesSettings;
import dev.weir.settings.table.SettingsException;
import dev.weir.words.Unseen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir check}: reads rule files as the service would, and tells every mistake in them, or what is hardly meant. */
@Command(
        name = "check",
        description =
                "Check rule files. Exits with 0 if they are fine, 1 if not, if a variable is wrong or if there are none, 2 if a path is '' or does not exist.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
final class CheckCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Files, and directories with files below them.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--json", description = "Print the mistakes, the remarks and a summary as JSON.")
    private boolean isJson;

    @Mixin
    private GivenRules given = new GivenRules();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    CheckCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() {
        var err = spec.commandLine().getErr();
        if (!GivenRules.areThere(paths, err)) {
            return ExitCode.USAGE;
        }
        try {
            // What limits charge by default makes no file right or wrong.
            var report =
                    report(given.reading(variables, Charge.ALWAYS), RuleFilesSettings.isIgnoringDotFiles(variables));
            var out = spec.commandLine().getOut();
            out.print(isJson ? report.json() : report.text());
            out.flush();
            GivenRules.hint(report.mistakes(), paths, err);
            return report.mistakes().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
        } catch (SettingsException e) {
            e.mistakes().forEach(mistake -> err.println(Unseen.shown(mistake)));
            return ExitCode.FAILED;
        }
    }

    private CheckReport report(YamlRules.Options reading, boolean ignoringDotFiles) {
        int fileCount = 0;
        try {
            var files = RuleFiles.given(paths, ignoringDotFiles);
            fileCount = files.size();
            if (files.isEmpty()) {
                return CheckReport.wrong(
                        fileCount, paths.stream().map(CheckCommand::without).toList());
            }
            return CheckReport.fine(fileCount, YamlRules.read(files, reading));
        } catch (RulesException e) {
            return CheckReport.wrong(fileCount, e.mistakes());
        }
    }

    /** To the service that is a good set of no rules; who checks some looks for them in the wrong place. */
    private static Mistake without(Path path) {
        return new Mistake(
                path.toString(), 0, 0, "there are no rule files in this directory, so everything would pass");
    }
}
