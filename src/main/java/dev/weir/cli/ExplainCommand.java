package dev.weir.cli;

import dev.weir.limit.Charge;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.Tree;
import dev.weir.rules.explain.Explanation;
import dev.weir.rules.explain.ExplanationText;
import dev.weir.rules.explain.RuleWords;
import dev.weir.rules.watch.RuleFiles;
import dev.weir.rules.yaml.YamlRules;
import dev.weir.settings.AnswerSettings;
import dev.weir.settings.RuleFilesSettings;
import dev.weir.settings.redis.RedisSettings;
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

/** {@code weir explain}: tells why a descriptor meets a rule, or none, and where it would be counted. */
@Command(
        name = "explain",
        description = {
            "Tell the way of a descriptor through rule files, its rule, those that nearly matched, and the counter's key."
                    + " Nothing is counted, and no service is asked.",
            "Exits with 0 if there is a rule, 4 if there is none, 1 if files or variables have mistakes, 2 if a file does not exist."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
final class ExplainCommand implements Callable<Integer> {
    private final Map<String, String> variables;

    @Parameters(
            paramLabel = "KEY=VALUE[,KEY=VALUE...]",
            arity = "1..*",
            description =
                    "The entries of one descriptor, in the order of the request; several arguments are put one after"
                            + " the other. A comma of a value is \\,.")
    private List<String> arguments = new ArrayList<>();

    @Option(
            names = "--rules",
            paramLabel = "PATH",
            required = true,
            description = "A file, or a directory with files below it; may be given several times.")
    private List<Path> paths = new ArrayList<>();

    @Option(names = "--domain", required = true, description = "The domain that the caller asks for.")
    private String domain = "";

    @Mixin
    private GivenRules given = new GivenRules();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    ExplainCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() {
        var err = spec.commandLine().getErr();
        var typed = arguments.stream()
                .map(argument -> TypedEntries.read(argument, spec.commandLine()))
                .toList();
        if (!GivenRules.areThere(paths, err)) {
            return ExitCode.USAGE;
        }
        try {
            var keys = RedisSettings.keys(variables);
            var charge = AnswerSettings.isChargingOnAdmit(variables) ? Charge.ON_ADMIT : Charge.ALWAYS;
            var files = RuleFiles.given(paths, RuleFilesSettings.isIgnoringDotFiles(variables));
            var rules = YamlRules.read(files, given.reading(variables, charge));
            return explain(rules, typed, keys);
        } catch (RulesException e) {
            e.mistakes().forEach(mistake -> err.println(Unseen.shown(mistake.toString())));
            GivenRules.hint(e.mistakes(), paths, err);
            return ExitCode.FAILED;
        } catch (SettingsException e) {
            e.mistakes().forEach(mistake -> err.println(Unseen.shown(mistake)));
            return ExitCode.FAILED;
        }
    }

    private int explain(RuleSet rules, List<List<Entry>> typed, RedisSettings.Keys keys) {
        var out = spec.commandLine().getOut();
        var tree = rules.domain(domain);
        if (tree == null) {
            out.print(ExplanationText.withoutRules(rules, domain));
            out.flush();
            return ExitCode.NO_RULE;
        }
        var descriptor = descriptor(typed.stream().flatMap(List::stream).toList());
        var explanation = Explanation.of(tree, descriptor);
        out.print(ExplanationText.of(tree, explanation, new CounterLines(tree, descriptor, keys)::of));
        out.print("\nNothing was counted.\n");
        if (explanation.rule() == null && typed.size() > 1) {
            out.print(apart(tree, typed));
        }
        out.flush();
        return explanation.rule() == null ? ExitCode.NO_RULE : ExitCode.OK;
    }

    /** Several arguments are one descriptor here and several of them to {@code weir hit}: says where only those have rules. */
    private static String apart(Tree tree, List<List<Entry>> typed) {
        List<String> places = new ArrayList<>();
        for (var entries : typed) {
            var rule = tree.match(descriptor(entries));
            if (rule == null) {
                return "";
            }
            places.add(RuleWords.place(rule));
        }
        return "As " + places.size() + " descriptors, which they are to `weir hit`, the arguments have the rules "
                + Unseen.shown(String.join(" and ", places)) + ": explain them one by one.\n";
    }

    private static Descriptor descriptor(List<Entry> entries) {
        return Descriptor.of(entries.toArray(Entry[]::new));
    }
}
