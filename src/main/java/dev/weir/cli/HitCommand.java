package dev.weir.cli;

import dev.weir.grpc.AskFailedException;
import dev.weir.grpc.RateLimitClient;
import dev.weir.limit.Quota;
import dev.weir.logging.Logs;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.settings.Logging;
import dev.weir.settings.table.GoSyntax;
import dev.weir.words.Unseen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir hit}: asks a running service, as Envoy would, and prints its answer for people. */
@Command(
        name = "hit",
        description = {
            "Ask a running service. The hits count, unless there are 0: that only looks.",
            "Exits with 0 if the request may pass, 3 if it is over the limit, 1 if there was no answer or no verdict, 2 if wrongly called."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
final class HitCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "KEY=VALUE[,KEY=VALUE...]",
            arity = "1..*",
            description =
                    "Descriptors: each is a list of entries, in the order of the rules. A comma of a value is \\,.")
    private List<String> descriptors = new ArrayList<>();

    @Option(names = "--domain", required = true, description = "The domain to ask.")
    private String domain = "";

    @Option(names = "--hits", defaultValue = "1", description = "How many hits to ask for (default: ${DEFAULT-VALUE}).")
    private long hits;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8081",
            description = "The gRPC port of the service (default: ${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--timeout",
            defaultValue = "5s",
            description = "How long to wait for the answer (default: ${DEFAULT-VALUE}).")
    private String timeout = "";

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    @Override
    public Integer call() {
        var asked = descriptors.stream().map(this::descriptor).toList();
        within(hits);
        // Asked for by each descriptor, because 0 for the whole request would mean 1.
        var request = new Request(domain, asked, 0);
        var patience = patience();
        var there = TypedAddress.read(address, spec.commandLine());
        var clientTls = tls.read(spec.commandLine());
        // What went wrong is told in one sentence; the libraries need not add theirs.
        Logs.start(new Logging(Logging.Level.ERROR, Logging.Format.TEXT));
        try (var client = RateLimitClient.of(there.text(), clientTls)) {
            var answer = client.ask(request, patience);
            var out = spec.commandLine().getOut();
            out.print(AnswerText.of(asked, answer));
            out.flush();
            return answer.isOver() ? ExitCode.OVER_LIMIT : ExitCode.OK;
        } catch (AskFailedException e) {
            spec.commandLine().getErr().println(Unseen.shown(String.valueOf(e.getMessage())));
            return ExitCode.FAILED;
        }
    }

    private Descriptor descriptor(String text) {
        var entries = TypedEntries.read(text, spec.commandLine());
        return new Descriptor(entries, null, hits, false);
    }

    private void within(long number) {
        if (number < 0 || number > Quota.MAX_HITS) {
            throw wrong("--hits is " + number + ": give 0 to " + Quota.MAX_HITS);
        }
    }

    private Duration patience() {
        var length = GoSyntax.duration(timeout);
        if (length == null || !length.isPositive()) {
            throw wrong("--timeout is '" + timeout + "': give a duration as 1s or 500ms");
        }
        return length;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
