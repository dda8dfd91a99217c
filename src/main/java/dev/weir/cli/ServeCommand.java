package dev.weir.cli;

import dev.weir.logging.Logs;
import dev.weir.settings.Logging;
import dev.weir.settings.Settings;
import dev.weir.settings.SettingsDocument;
import dev.weir.settings.table.SettingsException;
import dev.weir.words.Unseen;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir serve}: reads the settings, sets the log up, and serves. */
@Command(
        name = "serve",
        description = "Serve until told to end.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
final class ServeCommand implements Callable<Integer> {
    private final Map<String, String> variables;
    private final Serve serve;

    @Option(names = "--help-settings", description = "Tell every variable that is read, and end.")
    private boolean isAskedForSettings;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    ServeCommand(Map<String, String> variables, Serve serve) {
        this.variables = variables;
        this.serve = serve;
    }

    @Override
    public Integer call() {
        if (isAskedForSettings) {
            var out = spec.commandLine().getOut();
            out.print(SettingsDocument.plain());
            out.flush();
            return ExitCode.OK;
        }
        Settings settings;
        try {
            settings = Settings.read(variables);
        } catch (SettingsException e) {
            tell(e.mistakes());
            return ExitCode.FAILED;
        }
        Logs.start(settings.logging());
        return serve.serve(settings);
    }

    private void tell(List<String> mistakes) {
        if (Logging.isJson(variables)) {
            // Who collects lines of JSON would lose any other.
            Logs.start(new Logging(Logging.Level.ERROR, Logging.Format.JSON));
            var log = LoggerFactory.getLogger("weir");
            mistakes.forEach(mistake -> log.error("Weir does not start: {}", mistake));
            return;
        }
        var err = spec.commandLine().getErr();
        err.println("Weir does not start, because of what its environment says:");
        mistakes.forEach(mistake -> err.println("  " + Unseen.shown(mistake)));
    }
}
