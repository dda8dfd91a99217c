package dev.weir.rules.xds;

import dev.weir.rules.RuleSet;
import java.time.Duration;
import java.util.List;

/** Is told what the control plane sends and how it fares, always on the same thread. */
public interface XdsListener {

    /** A good set of rules came. It must be in force when this returns: the control plane is told so next. */
    void accepted(Accepted set);

    /**
     * A set came that cannot be put in force. What is wrong is told once, as long as nothing else is and no good set comes.
     *
     * @param mistakes each with its resource and field, and what to do about it; at least one
     */
    void refused(List<String> mistakes);

    /** A stream is open: the control plane has answered for the first time on it. */
    void connected();

    /**
     * There is no stream.
     *
     * @param reason a sentence without its full stop
     * @param wait until the next attempt
     */
    void lost(String reason, Duration wait);

    /** Nothing came after a refusal: there is no stream, and another one is opened at once. */
    void silent();

    /** Something is not as it should be, and is done all the same. */
    void doubted(String sentence);

    /**
     * All rules that there are from now on.
     *
     * @param rules without domains, if that is what the control plane wants
     * @param resources how many the rules come from
     * @param version what the control plane calls this state of them
     */
    record Accepted(RuleSet rules, int resources, String version) {}
}
