package dev.weir.bench.suite;

import dev.weir.bench.load.Keys;
import dev.weir.bench.load.Load;
import dev.weir.bench.load.Load.Pacing;
import dev.weir.bench.load.Question;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The loads of the measurements: 4 connections and 16 requests under way on each, unless it says otherwise. */
final class Asked {
    private static final int CONNECTIONS = 4;
    private static final int STREAMS = 16;
    private static final int CONNECTIONS_OF_A_MESH = 400;
    private static final long SEED = 1;

    private Asked() {}

    /** Returns as many requests as are answered. */
    static Load closed(Question question, Keys keys) {
        return new Load(question, keys, CONNECTIONS, new Pacing.Closed(STREAMS), Duration.ZERO, SEED);
    }

    /** Returns as many requests as are answered to 400 callers with a connection and one request under way each. */
    static Load closedOfMesh(Question question, Keys keys) {
        return new Load(question, keys, CONNECTIONS_OF_A_MESH, new Pacing.Closed(1), Duration.ZERO, SEED);
    }

    /** Returns the same with keys in another order. */
    static Load with(long seed, Load load) {
        return new Load(load.question(), load.keys(), load.connections(), load.pacing(), load.deadline(), seed);
    }

    /** Returns the same, but so many requests a second; zero is no deadline. */
    static Load open(Load load, int rate, Duration deadline) {
        return new Load(load.question(), load.keys(), load.connections(), new Pacing.Open(rate), deadline, load.seed());
    }

    /** Returns so many requests a second; zero is no deadline. */
    static Load open(Question question, Keys keys, int rate, Duration deadline) {
        return open(closed(question, keys), rate, deadline);
    }

    /** Returns a question for one hit with these descriptors. */
    static Question of(String domain, Question.Descriptor... descriptors) {
        return new Question(domain, List.of(descriptors), 1);
    }

    /** Returns a descriptor whose entries are typed as {@code key=template}. */
    static Question.Descriptor descriptor(String... entries) {
        return new Question.Descriptor(Arrays.stream(entries)
                .map(entry -> {
                    int equals = entry.indexOf('=');
                    return new Question.Entry(entry.substring(0, equals), entry.substring(equals + 1));
                })
                .toList());
    }
}
