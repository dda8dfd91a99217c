package dev.weir.http;

import java.util.LinkedHashSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The callers of a port, and what all of them together may make us hold. A place that is missing is taken from those who let us
 * wait, so that probes are answered while others crowd in; room is not. Belongs to the thread of the port.
 */
final class Crowd {
    /** What is no longer is always written: a probe's answer, or why there is no other. */
    private static final int SHORT_ANSWER_BYTES = 1 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(Crowd.class);

    private final int places;
    private final long bodyBytes;
    private final long answerBytes;

    /** Those for whom we wait, the longest first. */
    private final LinkedHashSet<Caller> awaited = new LinkedHashSet<>();

    private int present;
    private long bodies;
    private long answers;

    /**
     * Creates an empty one.
     *
     * @param places connections that there may be
     * @param bodyBytes that bodies of requests may have, with what is not read yet
     * @param answerBytes that answers may have which sockets have not taken
     */
    Crowd(int places, long bodyBytes, long answerBytes) {
        this.places = places;
        this.bodyBytes = bodyBytes;
        this.answerBytes = answerBytes;
    }

    /** Returns whether there is room for one more, who must leave then; one who lets us wait may have to go for it. */
    boolean comes() {
        if (present >= places) {
            var longest = awaited.iterator();
            if (!longest.hasNext()) {
                return false;
            }
            Caller leaving = longest.next();
            longest.remove();
            LOG.debug("{} connections are all that are taken: one that is not used is closed", places);
            leaving.end();
        }
        present++;
        return true;
    }

    void leaves(Caller caller) {
        awaited.remove(caller);
        present--;
    }

    /** We wait for a caller from now on. */
    void awaits(Caller caller) {
        awaited.remove(caller);
        awaited.add(caller);
    }

    /** A caller waits for us from now on. */
    void serves(Caller caller) {
        awaited.remove(caller);
    }

    /** Returns whether there is room for so much of a body, or of what is not read yet; it must be given back then. */
    boolean holdsBody(int bytes) {
        if (bodies + bytes > bodyBytes) {
            return false;
        }
        bodies += bytes;
        return true;
    }

    void giveBackBody(int bytes) {
        bodies -= bytes;
    }

    /** Returns whether there is room for an answer; it must be given back then. One answer is never too large, and a short one never too much. */
    boolean holdsAnswer(int bytes) {
        if (bytes > SHORT_ANSWER_BYTES && answers > 0 && answers + bytes > answerBytes) {
            return false;
        }
        answers += bytes;
        return true;
    }

    void giveBackAnswer(int bytes) {
        answers -= bytes;
    }
}
