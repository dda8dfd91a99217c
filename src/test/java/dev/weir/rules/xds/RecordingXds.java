package dev.weir.rules.xds;

import dev.weir.limit.Charge;
import dev.weir.rules.RuleSet;
import dev.weir.testing.AdsServer;
import dev.weir.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps what a client tells, and which rules would be in force. */
final class RecordingXds implements XdsListener {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<Duration> waits = new CopyOnWriteArrayList<>();
    private volatile @Nullable RuleSet inForce;

    /** Returns the options of a client that comes back at once, and waits for good. */
    static XdsOptions options(AdsServer ads, XdsOptions.@Nullable Tls tls) {
        return options(ads.address(), tls, LONG, LONG);
    }

    /** Returns the options of a client of a server at an address. */
    static XdsOptions options(String server, XdsOptions.Tls tls) {
        return options(server, tls, LONG, LONG);
    }

    /** Returns the options of a client that leaves a peer without a word after a second. */
    static XdsOptions impatient(String server) {
        return options(server, null, Duration.ofSeconds(1), LONG);
    }

    /** Returns the options of a client that soon asks anew where nothing comes after a refusal. */
    static XdsOptions restless(String server) {
        return options(server, null, LONG, Duration.ofMillis(20));
    }

    private static XdsOptions options(
            String server, XdsOptions.@Nullable Tls tls, Duration patience, Duration silence) {
        return new XdsOptions(
                server,
                new XdsOptions.Node("envoy-ratelimit", Map.of("zone", "eu-1")),
                Map.of("authorization", "Bearer sesame"),
                0,
                tls,
                patience,
                Backoff.even(Duration.ofMillis(2), 0),
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(8), 2, 0),
                silence,
                new XdsOptions.Reading(false, Charge.ALWAYS, 10_000));
    }

    List<String> told() {
        return told;
    }

    /** Returns how long the client waited after each stream that it lost. */
    List<Duration> waits() {
        return waits;
    }

    List<String> domainsInForce() {
        var rules = inForce;
        return rules == null ? List.of("(no rules)") : rules.domainNames();
    }

    /** Waits until something was told that begins so. */
    void await(String beginning) {
        try {
            Eventually.await(beginning, () -> told.stream().anyMatch(line -> line.startsWith(beginning)));
        } catch (AssertionError e) {
            throw new AssertionError("told " + told, e);
        }
    }

    @Override
    public void accepted(Accepted set) {
        inForce = set.rules();
        told.add("accepted %s: %d resources".formatted(set.version(), set.resources()));
    }

    @Override
    public void refused(List<String> mistakes) {
        told.add("refused " + mistakes);
    }

    @Override
    public void connected() {
        told.add("connected");
    }

    @Override
    public void silent() {
        told.add("silent");
    }

    @Override
    public void lost(String reason, Duration wait) {
        waits.add(wait);
        told.add("lost " + reason);
    }

    @Override
    public void doubted(String sentence) {
        told.add("doubted " + sentence);
    }
}
