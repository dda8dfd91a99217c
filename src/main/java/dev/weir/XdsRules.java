package dev.weir;

import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.InForce;
import dev.weir.rules.watch.RulesListener;
import dev.weir.rules.watch.RulesSource;
import dev.weir.rules.xds.XdsClient;
import dev.weir.rules.xds.XdsException;
import dev.weir.rules.xds.XdsListener;
import dev.weir.rules.xds.XdsOptions;
import dev.weir.words.Counted;
import dev.weir.words.OneLine;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Keeps in force what a control plane pushes, and writes into the log how it fares. */
final class XdsRules implements RulesSource, XdsListener {
    private static final Logger LOG = LoggerFactory.getLogger("weir");
    private static final double MILLIS_PER_SECOND = 1_000;

    private final String server;
    private final InForce inForce;
    private final XdsClient client;

    // Of the client's thread.
    private String lastReason = "";
    private String lastDoubt = "";
    private boolean isSilenceTold;

    private volatile boolean isConnected;

    /**
     * Creates the source; nobody is asked before it is started.
     *
     * @throws StartException if the files of TLS cannot be used as they are
     */
    XdsRules(XdsOptions options, RulesListener listener) throws StartException {
        server = options.server();
        inForce = new InForce(listener);
        try {
            client = new XdsClient(options, this);
        } catch (XdsException e) {
            throw new StartException(e.getMessage() + ".");
        }
    }

    @Override
    public void start() {
        LOG.info("rules come from the control plane at {}", server);
        client.start();
    }

    @Override
    public @Nullable RuleSet inForce() {
        return inForce.rules();
    }

    @Override
    public boolean hasSpoken() {
        return inForce.hasSpoken();
    }

    @Override
    public void accepted(Accepted set) {
        isSilenceTold = false;
        inForce.put(
                set.rules(),
                Counted.of(set.resources(), "resource") + ", \"" + OneLine.of(set.version())
                        + "\" of the control plane");
    }

    @Override
    public void refused(List<String> mistakes) {
        inForce.refuse(mistakes);
    }

    @Override
    public void connected() {
        isConnected = true;
        lastReason = "";
        lastDoubt = "";
        LOG.atLevel(isSilenceTold ? Level.DEBUG : Level.INFO).log("the control plane at {} answers", server);
    }

    /** As long as what it sends is refused, this comes once a minute: the log gets it once. */
    @Override
    public void silent() {
        isConnected = false;
        LOG.atLevel(isSilenceTold ? Level.DEBUG : Level.INFO)
                .log(
                        "nothing came from the control plane at {} after its set was refused: it is asked for all anew",
                        server);
        isSilenceTold = true;
    }

    /** An outage fails one attempt after the other: the log gets each reason once. */
    @Override
    public void lost(String reason, Duration wait) {
        isConnected = false;
        isSilenceTold = false;
        double seconds = wait.toMillis() / MILLIS_PER_SECOND;
        if (reason.equals(lastReason)) {
            LOG.debug("{}; trying again in {} s", reason, seconds);
        } else {
            lastReason = reason;
            LOG.warn(
                    "{}; {}; trying again in {} s, and on until it answers",
                    reason,
                    inForce.rules() == null ? "no rules are in force" : "the rules in force stay so",
                    seconds);
        }
    }

    /** The same one comes with each attempt, or with each set. */
    @Override
    public void doubted(String sentence) {
        if (!sentence.equals(lastDoubt)) {
            lastDoubt = sentence;
            LOG.warn("{}", sentence);
        }
    }

    /** Returns whether there is a stream on which the control plane has said something. */
    boolean isConnected() {
        return isConnected;
    }

    @Override
    public void close() {
        client.close();
    }
}
