package dev.weir.http2;

import dev.weir.call.Call;
import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import java.util.List;

/** Writes down what a call is told, and ends it at the second message. */
record NotedCall(List<String> heard, Replies replies) implements Call {
    static final Outcome ONE_TOO_MANY = new Outcome(Outcome.INTERNAL, "one message too many");

    @Override
    public void message(byte[] bytes) {
        heard.add("message of " + bytes.length);
        if (heard.size() == 2) {
            replies.close(ONE_TOO_MANY);
        }
    }

    @Override
    public void halfClose() {
        heard.add("asked");
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
