package dev.weir.bench;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Question;
import dev.weir.bench.request.RequestFrames;
import dev.weir.bench.request.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Notes what it hears of connections. */
final class HeardEnds implements ConnectionListener {
    static final int PLACES = 20;

    private final List<String> ends = new ArrayList<>();

    /** Returns a load that asks for one key. */
    static Load load(int connections, Load.Pacing pacing, Duration deadline) {
        var user = new Question.Descriptor(List.of(new Question.Entry("user", "ann")));
        var question = new Question("edge", List.of(user), 1);
        return new Load(question, new Keys.Uniform(1), connections, pacing, deadline, 1);
    }

    /** Returns a connection that this hears of. */
    Connection connection() {
        return connection(Connection.LAST_STREAM_ID);
    }

    /** Returns a connection that this hears of, and which has streams up to this number. */
    Connection connection(int lastStreamId) {
        var load = load(1, new Load.Pacing.Open(1), Duration.ZERO);
        var frames = RequestFrames.of(load, Route.inTheClear("here", 1));
        var outgoing = new Outgoing(frames, load.keys(), new SplittableRandom(1));
        return new Connection(outgoing, this, new Waiting.Places(PLACES), lastStreamId);
    }

    /** Returns what was heard since the last time. */
    List<String> ends() {
        var heard = List.copyOf(ends);
        ends.clear();
        return heard;
    }

    @Override
    public void answered(Connection connection, long startNanos, boolean isOver) {
        ends.add((isOver ? "over " : "within ") + startNanos);
    }

    @Override
    public void late(Connection connection, long startNanos) {
        ends.add("late " + startNanos);
    }

    @Override
    public void failed(Connection connection, Failure failure) {
        ends.add(failure.kind() + ": " + failure.sentence());
    }

    @Override
    public void busy(Connection connection) {}

    @Override
    public void unsent(Connection connection) {
        ends.add("unsent");
    }

    @Override
    public void leaving(Connection connection) {
        ends.add("leaving");
    }

    @Override
    public void dismissed(Connection connection, Failure error) {
        ends.add("dismissed: " + error.sentence());
    }

    @Override
    public void lost(Connection connection) {
        ends.add("lost");
    }
}
