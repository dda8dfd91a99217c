package dev.weir.http2;

import dev.weir.call.Call;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import java.util.List;

/**
 * A call that may be turned away, and is answered when the test likes.
 *
 * @param path of its method
 * @param heard is told what happens to it
 * @param unanswered takes its replies once it is asked
 */
record GatedCall(String path, boolean isGated, Replies replies, List<String> heard, List<Replies> unanswered)
        implements Call {
    static final Outcome EXHAUSTED = new Outcome(Outcome.RESOURCE_EXHAUSTED, "too many");

    @Override
    public void message(byte[] bytes) {}

    @Override
    public void halfClose() {
        heard.add("asked " + path);
        unanswered.add(replies);
    }

    @Override
    public void turnAway() {
        heard.add("turned away");
        replies.close(EXHAUSTED);
    }

    @Override
    public void cancel() {
        heard.add("cancelled");
    }

    @Override
    public void broken(Outcome told) {
        heard.add("broken: " + told.message());
    }
}
