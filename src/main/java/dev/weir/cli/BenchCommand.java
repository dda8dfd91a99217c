package dev.weir.cli;

import dev.weir.bench.Generator;
import dev.weir.bench.Stopwatch;
import dev.weir.bench.Totals;
import dev.weir.bench.load.BenchException;
import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.bench.load.ZipfKeys;
import dev.weir.bench.report.Report;
import dev.weir.bench.request.Route;
import dev.weir.grpc.AskFailedException;
import dev.weir.grpc.RateLimitClient;
import dev.weir.logging.Logs;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.Request;
import dev.weir.settings.Logging;
import dev.weir.settings.table.GoSyntax;
import dev.weir.tls.ClientTls;
import dev.weir.words.Unseen;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code weir bench}: puts a load on a running service, Weir or another, and tells how it answers. */
@Command(
        name = "bench",
        description = {
            "Measure a running service that speaks Envoy's protocol. Every request counts there.",
            "Exits with 0 if it answered, 1 if it could not be asked or gave no verdict at all, 2 if wrongly called."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class)
final class BenchCommand implements Callable<Integer> {
    private static final int PRESET_KEYS = 100_000;
    private static final int PRESET_STREAMS = 16;
    private static final Duration LOOKS_WITHIN = Duration.ofSeconds(5);

    @Parameters(
            paramLabel = "KEY=VALUE[,KEY=VALUE...]",
            arity = "1..*",
            description =
                    "Descriptors of every request, as for `weir hit`. In a value, %%d stands for the number of the key,"
                            + " %%%% for a percent sign.")
    private List<String> descriptors = new ArrayList<>();

    @Option(names = "--domain", required = true, description = "The domain to ask.")
    private String domain = "";

    @Option(names = "--hits", defaultValue = "1", description = "Hits of each request (default: ${DEFAULT-VALUE}).")
    private long hits;

    @Option(
            names = "--address",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8081",
            description = "The gRPC port of the service (default: ${DEFAULT-VALUE}).")
    private String address = "";

    @Option(
            names = "--keys",
            paramLabel = "WHICH",
            description = "Which numbers the keys have: uniform, zipf:EXPONENT as zipf:1.1, or one (default: uniform if"
                    + " there is a %%d).")
    private @Nullable String keys;

    @Option(
            names = "--key-count",
            paramLabel = "COUNT",
            description = "How many keys there are, numbered from 0 (default: " + PRESET_KEYS
                    + ", or as many as the digits in values tell apart).")
    private @Nullable Integer keyCount;

    @Option(names = "--seed", defaultValue = "1", description = "Of the keys (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
            names = "--connections",
            defaultValue = "4",
            description = "HTTP/2 connections, up to 65535 (default: ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--streams",
            description =
                    "Closed loop: requests that each connection keeps under way (default: " + PRESET_STREAMS + ").")
    private @Nullable Integer streams;

    @Option(
            names = "--rate",
            description = "Open loop: requests a second over all connections, whatever became of those before.")
    private @Nullable Integer rate;

    @Option(
            names = "--deadline",
            defaultValue = "0",
            description = "Sent along with each request, as 20ms; an answer that is later is an error (default: none).")
    private String deadline = "";

    @Option(
            names = "--warmup",
            defaultValue = "5s",
            description = "Time under the same load before it is measured (default: ${DEFAULT-VALUE}).")
    private String warmup = "";

    @Option(names = "--duration", defaultValue = "10s", description = "Time measured (default: ${DEFAULT-VALUE}).")
    private String duration = "";

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean isJson;

    @Mixin
    private TlsOptions tls = new TlsOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        var load = load();
        var there = TypedAddress.read(address, spec.commandLine());
        var clientTls = tls.read(spec.commandLine());
        var route = new Route(there.host(), there.port(), clientTls);
        var warmingUp = duration("--warmup", warmup);
        var measured = duration("--duration", duration);
        if (measured.isZero()) {
            throw wrong("--duration is '" + duration + "': give a duration as 10s");
        }
        // What went wrong is told in one sentence; the libraries need not add theirs.
        Logs.start(new Logging(Logging.Level.ERROR, Logging.Format.TEXT));
        var err = spec.commandLine().getErr();
        try (var generator = Generator.connect(load, route)) {
            boolean isWithoutLimit = isWithoutLimit(load.question(), there, clientTls);
            if (isWithoutLimit) {
                err.println(
                        "the service has no limit on this: requests pass uncounted, and no more than that is measured;"
                                + " `weir explain` tells why");
            }
            var watch = Stopwatch.begin(generator);
            var _ = watch.next(warmingUp, progress(err, "warm-up"));
            var stretch = watch.next(measured, progress(err, "measured"));
            var tail = generator.finish();
            return tell(new Report(
                    there.text(),
                    route.tls() != null,
                    descriptors,
                    isWithoutLimit,
                    load,
                    warmingUp,
                    stretch,
                    stretch.totals().plus(tail)));
        } catch (BenchException e) {
            err.println(Unseen.shown(String.valueOf(e.getMessage())));
            return ExitCode.FAILED;
        }
    }

    /** Looks once, at key 0 and without a hit, what an answer shows: the generator reads too little of them, to be quick. */
    private static boolean isWithoutLimit(Question question, TypedAddress there, @Nullable ClientTls clientTls) {
        var looks = question.descriptors().stream().map(BenchCommand::look).toList();
        try (var client = RateLimitClient.of(there.text(), clientTls)) {
            var statuses = client.ask(new Request(question.domain(), looks, 0), LOOKS_WITHIN)
                    .statuses();
            return !statuses.isEmpty() && statuses.stream().allMatch(status -> status.limit() == null);
        } catch (AskFailedException _) {
            return false; // how requests fail is what the measurement tells
        }
    }

    private static Descriptor look(Question.Descriptor descriptor) {
        var entries = descriptor.entries().stream()
                .map(entry -> new Entry(entry.key(), entry.value(width -> "0".repeat(Math.max(1, width)))))
                .toList();
        return new Descriptor(entries, null, 0, false);
    }

    private static Stopwatch.Progress progress(PrintWriter err, String what) {
        return (second, totals, seconds) -> err.println(Report.progress(what, second, totals, seconds));
    }

    private int tell(Report report) {
        var out = spec.commandLine().getOut();
        out.print(isJson ? report.json() : report.text());
        out.flush();
        Totals totals = report.totals();
        if (totals.verdicts() > 0) {
            return ExitCode.OK;
        }
        String why = totals.firstError() == null ? "nothing was answered" : totals.firstError();
        spec.commandLine().getErr().println(Unseen.shown("no request got a verdict: " + why));
        return ExitCode.FAILED;
    }

    private Load load() {
        try {
            var asked = descriptors.stream().map(this::descriptor).toList();
            var question = new Question(domain, asked, hits);
            return new Load(question, keys(question), connections, pacing(), duration("--deadline", deadline), seed);
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private Load.Pacing pacing() {
        if (rate == null) {
            return new Load.Pacing.Closed(streams == null ? PRESET_STREAMS : streams);
        }
        if (streams != null) {
            throw wrong("--streams is of a closed loop, and --rate makes an open one: give one of them");
        }
        return new Load.Pacing.Open(rate);
    }

    private Question.Descriptor descriptor(String text) {
        return new Question.Descriptor(TypedEntries.read(text, spec.commandLine()).stream()
                .map(entry -> new Question.Entry(entry.key(), entry.value()))
                .toList());
    }

    private Keys keys(Question question) {
        String which = keys == null ? (question.hasNumber() ? "uniform" : "one") : keys;
        if (keyCount != null && which.equals("one")) {
            throw wrong(
                    keys == null
                            ? "--key-count needs a %d in a value, in the place of the number of the key"
                            : "--key-count is for several keys, and --keys is 'one': give one of them");
        }
        if (keyCount != null && keyCount < 1) {
            throw wrong("--key-count must be at least 1, not " + keyCount);
        }
        int preset = question.hasNumber() ? Math.min(PRESET_KEYS, question.mostKeys()) : PRESET_KEYS;
        int count = keyCount == null ? preset : keyCount;
        try {
            return switch (which) {
                case "one" -> new Keys.One();
                case "uniform" -> new Keys.Uniform(count);
                case String zipf
                when zipf.startsWith("zipf:") ->
                    new ZipfKeys(count, Double.parseDouble(zipf.substring("zipf:".length())));
                default -> throw unknownKeys(which);
            };
        } catch (NumberFormatException _) {
            throw unknownKeys(which);
        }
    }

    private ParameterException unknownKeys(String given) {
        return wrong("--keys is '" + given + "': give uniform, one, or zipf with its exponent as zipf:1.1");
    }

    private Duration duration(String option, String text) {
        var length = GoSyntax.duration(text);
        if (length == null || length.isNegative()) {
            throw wrong(option + " is '" + text + "': give a duration as 5s or 20ms");
        }
        return length;
    }

    private ParameterException wrong(String sentence) {
        return new ParameterException(spec.commandLine(), sentence);
    }
}
