package dev.weir.store.redis;

import dev.weir.store.Batch;
import dev.weir.store.CounterKey;
import dev.weir.store.Merged;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreException;
import dev.weir.testing.RespConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Calls of a script on one connection, one at a time, and what Redis says that they cost. */
final class ScriptCalls implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern COST = Pattern.compile("cmdstat_evalsha:calls=(\\d+),usec=(\\d+)");
    private static final HashTags TAGS = new HashTags("", 1);

    private final RespConnection connection;

    ScriptCalls(int port) throws IOException {
        connection = new RespConnection("127.0.0.1", port, PATIENCE);
    }

    /** Returns the key under which Redis keeps a counter. */
    static byte[] redisKey(CounterKey key) {
        return TAGS.redisKey(key);
    }

    /** Gives Redis a script; returns what it is called by. */
    String load(String text) throws IOException {
        return String.valueOf(connection.ask("SCRIPT", "LOAD", text));
    }

    /** Empties the database. */
    void flush() throws IOException {
        connection.ask("FLUSHALL");
    }

    /** Returns the words of a call that takes these plans. */
    static String[] call(String sha, List<Plan> plans) {
        var batch = new Batch();
        plans.forEach(plan -> batch.add(plan, Nobody.INSTANCE));
        return words(sha, batch.checks(), Wire.pack(batch.checks()));
    }

    private static String[] words(String sha, List<Merged> checks, byte[] packed) {
        var keys = new ArrayList<byte[]>();
        for (Merged merged : checks) {
            byte[] key = redisKey(merged.check().key());
            keys.add(key);
            if (merged.check().limit().blockSeconds() > 0) {
                keys.add(HashTags.lockKey(key));
            }
        }
        var words = new ArrayList<>(List.of("EVALSHA", sha, Integer.toString(keys.size())));
        keys.forEach(key -> words.add(text(key)));
        words.add(text(packed));
        return words.toArray(String[]::new);
    }

    /** Returns the bytes as a connection of the tests takes them. */
    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Makes some of the calls, round and round; returns Redis's microseconds for each. */
    double microsOf(List<String[]> calls, int times) throws IOException {
        connection.ask("CONFIG", "RESETSTAT");
        for (int i = 0; i < times; i++) {
            connection.ask(calls.get(i % calls.size()));
        }
        var cost = COST.matcher(String.valueOf(connection.ask("INFO", "commandstats")));
        if (!cost.find() || Integer.parseInt(cost.group(1)) != times) {
            throw new IllegalStateException("Redis does not say what " + times + " calls cost");
        }
        return Double.parseDouble(cost.group(2)) / times;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    /** Answers go nowhere. */
    private enum Nobody implements Batch.Receiver {
        INSTANCE;

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void answered(int position, Reading reading, long at) {}

        @Override
        public void failed(int position, StoreException failure) {
            throw failure;
        }

        @Override
        public void scattered() {
            throw new IllegalStateException("one tag, and checks that do not share it");
        }
    }
}
