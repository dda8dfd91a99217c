package dev.weir.grpc;

import dev.weir.call.Outcome;
import dev.weir.call.Replies;
import java.util.ArrayList;
import java.util.List;

/** Notes how calls of one answer end. */
final class NotedOutcomes implements Replies {
    final List<Outcome> outcomes = new ArrayList<>();

    /** What happens when a call is answered. */
    Runnable atAnswer = () -> {};

    @Override
    public void answer(byte[] message) {
        atAnswer.run();
        outcomes.add(Outcome.OK);
    }

    @Override
    public void send(byte[] message, Runnable written) {
        throw new AssertionError("a message");
    }

    @Override
    public void close(Outcome outcome) {
        outcomes.add(outcome);
    }

    @Override
    public void ready() {}
}
