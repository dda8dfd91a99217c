package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.words.Unseen;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command {@code weir}: it serves, unless one of its subcommands is named. */
@Command(
        name = "weir",
        description = "The rate limit service for Envoy. Without a command it serves.",
        footer = "%nSettings are read from the environment: see docs/configuration.md.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
public final class CommandLineInterface implements Callable<Integer> {
    private final ServeCommand serve;

    private CommandLineInterface(ServeCommand serve) {
        this.serve = serve;
    }

    /**
     * Runs the command that the arguments name. What an operator gets wrong is answered in a sentence, never with a stack
     * trace.
     *
     * @param variables the environment
     * @param out for what was asked for
     * @param err for what went wrong
     * @return the exit code of the process: 0 all is well, 1 not so, 2 wrongly called, 3 over the limit, 4 no rule
     */
    public static int run(String[] args, Map<String, String> variables, PrintStream out, PrintStream err, Serve serve) {
        var serveCommand = new ServeCommand(variables, serve);
        var line = new CommandLine(new CommandLineInterface(serveCommand))
                .addSubcommand(serveCommand)
                .addSubcommand(new CheckCommand(variables))
                .addSubcommand(new ExplainCommand(variables))
                .addSubcommand(new HitCommand())
                .addSubcommand(new BenchCommand())
                .addSubcommand(new CommandLine.HelpCommand())
                // A value may begin with @ without naming a file.
                .setExpandAtFiles(false)
                .setParameterExceptionHandler(CommandLineInterface::told)
                .setOut(new PrintWriter(out, true, UTF_8))
                .setErr(new PrintWriter(err, true, UTF_8));
        int exitCode = line.execute(args);
        if (line.getOut().checkError()) { // a full disk is told by nobody else
            line.getErr().println("could not write the output");
            return ExitCode.FAILED;
        }
        return exitCode;
    }

    /** The usage would carry off what is said of the mistake. */
    private static int told(ParameterException mistake, String[] args) {
        CommandLine command = mistake.getCommandLine();
        command.getErr().println(Unseen.shown(String.valueOf(mistake.getMessage())));
        UnmatchedArgumentException.printSuggestions(mistake, command.getErr());
        command.getErr().println("How to call it: " + command.getCommandSpec().qualifiedName() + " --help");
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    @Override
    public Integer call() {
        return serve.call();
    }
}
