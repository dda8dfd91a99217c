package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Queued;
import dev.weir.store.Reading;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.handler.CommandBatchEncoder;
import org.redisson.client.handler.CommandDecoder;
import org.redisson.client.handler.CommandEncoder;
import org.redisson.client.handler.CommandsQueue;
import org.redisson.client.protocol.CommandData;
import org.redisson.client.protocol.RedisCommands;
import org.redisson.config.DefaultCommandMapper;

/** Plain calls on a connection that Redisson's own commands use, too. */
final class PlainCodecTest {
    private static final long NOON = StoreContract.NOON_MICROS;
    private static final String TIME =
            "*2\r\n$10\r\n%d\r\n$6\r\n%06d\r\n".formatted(NOON / 1_000_000, NOON % 1_000_000);
    private static final long WINDOW = (NOON / 60_000_000 % 1_023 + 1) << 43;

    private final long startNanos = System.nanoTime();
    private final ShortWay shortWay = new ShortWay();
    private final EmbeddedChannel channel = new EmbeddedChannel(
            new CommandEncoder(new DefaultCommandMapper()),
            CommandBatchEncoder.INSTANCE,
            new CommandsQueue(),
            new CommandDecoder("redis"));

    PlainCodecTest() {
        PlainCodec.install(channel, "redis");
        shortWay.told(NOON, startNanos, startNanos);
        for (String counter : List.of("a", "b", "bc", "gone", "old", "list", "there", "late")) {
            shortWay.counted(hits(counter, 1), WINDOW | 1, NOON, startNanos);
        }
    }

    @AfterEach
    void close() {
        assertThat(channel.finishAndReleaseAll()).as("something was left").isFalse();
    }

    /** A batch on its way, and what became of it. */
    private final class Asked {
        private final List<String> answers = new ArrayList<>();
        private final Batch batch = new Batch();
        private final PlainCall call;
        private boolean isWaitedFor = true;

        Asked(Check... checks) {
            for (Check check : checks) {
                batch.add(check, new Noted(answers::add, () -> !isWaitedFor), batch.size());
            }
            call = new PlainCall(batch.checks(), shortWay, ServerClock.production(), "{a}", key -> key.bytes());
            assertThat(channel.writeOutbound(call)).isTrue();
        }

        List<String> answers() {
            assertThat(call.isExecuted()).isTrue();
            call.answer(shortWay);
            Batch rest = batch.takeUnanswered();
            batch.answer();
            if (rest != null) {
                int left = rest.size();
                isWaitedFor = false;
                var owed = new ArrayList<Queued>();
                rest.handOn(owed::add);
                answers.add(left + " left, " + owed.size() + " owed");
            }
            return answers;
        }
    }

    @Test
    void asks_for_the_time_and_adds_to_each_counter() {
        var asked = new Asked(hits("a", 1), hits("bc", 77), hits("a", 1));
        assertThat(sent().replace("\r\n", " "))
                .isEqualTo("*1 $4 TIME *3 $6 INCRBY $1 a $1 2 *3 $6 INCRBY $2 bc $2 77 ");
        receive(TIME + number(WINDOW | 6) + number(WINDOW | 80));
        assertThat(asked.answers()).containsExactly("0: 5 left", "1: refused", "2: 4 left");
    }

    @Test
    void begins_counters_that_are_not_known_where_they_do_not_exist() {
        var asked = new Asked(hits("a", 1), hits("new", 2), hits("there after all", 3));
        assertThat(sent().replace("\r\n", " "))
                .matches(("*1 $4 TIME *3 $6 INCRBY $1 a $1 1"
                                + " *6 $3 SET $3 new $16 STATE $2 NX $2 PX $5 LIFE *3 $6 INCRBY $3 new $1 2"
                                + " *6 $3 SET $15 there after all $16 STATE $2 NX $2 PX $5 LIFE"
                                + " *3 $6 INCRBY $15 there after all $1 3 ")
                        .replace("*", "\\*")
                        .replace("$", "\\$")
                        .replace("STATE", Long.toString(WINDOW))
                        .replace("LIFE", "[1-6]\\d{4}"));
        receive(TIME + number(WINDOW | 6) + "+OK\r\n" + number(WINDOW | 2) + "$-1\r\n" + number(WINDOW | 8));
        assertThat(asked.answers()).containsExactly("0: 4 left", "1: 8 left", "2: 2 left");
        assertThat(shortWay.isBegun(StoreContract.key("new"), System.nanoTime()))
                .isTrue();
        assertThat(shortWay.isBegun(StoreContract.key("there after all"), System.nanoTime()))
                .isTrue();
    }

    @Test
    void what_could_not_be_begun_or_was_begun_in_another_window_is_left() {
        var asked = new Asked(hits("full", 1), hits("early", 1), hits("new", 2));
        var _ = sent();
        receive(TIME + "-OOM no memory\r\n-OOM no memory\r\n+OK\r\n" + number((WINDOW - (1L << 43)) | 1) + "+OK\r\n"
                + number(WINDOW | 2));
        assertThat(asked.answers()).containsExactly("2: 8 left", "2 left, 1 owed");
        assertThat(lookedUpLater()).as("what was begun has an expiry").isEmpty();
        assertThat(shortWay.isBegun(StoreContract.key("full"), System.nanoTime()))
                .isFalse();
        assertThat(shortWay.isBegun(StoreContract.key("early"), System.nanoTime()))
                .isFalse();
    }

    @Test
    void what_is_in_another_window_or_no_number_is_left() {
        var asked = new Asked(hits("gone", 1), hits("old", 1), hits("list", 1), hits("there", 1));
        var _ = sent();
        receive(TIME + number(1) + number((WINDOW - (1L << 43)) | 3) + "-WRONGTYPE no number\r\n" + number(WINDOW | 1));
        assertThat(asked.answers()).containsExactly("3: 9 left", "3 left, 2 owed");
        assertThat(lookedUpLater())
                .as("for the script's call may fail")
                .containsExactly(StoreContract.key("gone"), StoreContract.key("old"));
    }

    private List<CounterKey> lookedUpLater() {
        return shortWay.owed().takeAll(_ -> 0, System.nanoTime()).stream()
                .flatMap(List::stream)
                .map(debt -> debt.check().key())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void each_takes_its_own_replies_however_they_are_cut(long seed) {
        var random = new Random(seed);
        var calls = new ArrayList<Asked>();
        var others = new ArrayList<CompletableFuture<Long>>();
        var replies = new StringBuilder();
        for (int i = 0; i < 50; i++) {
            if (random.nextInt(3) == 0) {
                others.add(increment());
                replies.append(number(others.size()));
            } else {
                calls.add(new Asked(hits("a", 1), hits("b", 2)));
                replies.append(TIME).append(number(WINDOW | 1)).append(number(WINDOW | 2 + calls.size() % 8));
            }
            if (random.nextInt(4) == 0) {
                calls.addLast(new Asked(hits("late", 1)));
                calls.getLast().call.tryFailure(new RedisTimeoutException("too late"));
                replies.append(TIME).append(number(WINDOW | 1));
            }
        }
        var _ = sent();
        String all = replies.toString();
        for (int at = 0; at < all.length(); ) {
            int next = Math.min(all.length(), at + 1 + random.nextInt(random.nextBoolean() ? 3 : 300));
            receive(all.substring(at, next));
            at = next;
        }
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i)).isCompletedWithValue(i + 1L);
        }
        for (Asked asked : calls) {
            assertThat(asked.answers()).first().isEqualTo("0: 9 left");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-NOPERM of some kind\\r\\n, :W\\r\\n, Redis failed: NOPERM of some kind",
        "+noon\\r\\n, :W\\r\\n, Redis does not say the time: no time",
        "$-1\\r\\n, :W\\r\\n, Redis does not say the time: an empty text",
        "$0\\r\\n\\r\\n, :W\\r\\n, Redis does not say the time: an empty text",
        "$4\\r\\nnoon\\r\\n, :W\\r\\n, Redis does not say the time: no digit: 110",
        "*1\\r\\n$1\\r\\n1\\r\\n, :W\\r\\n, Redis does not say the time: no time",
        "*2\\r\\n$1\\r\\n1\\r\\n$1\\r\\nx\\r\\n, :W\\r\\n, Redis does not say the time: no digit: 120",
        "*2\\r\\n$1\\r\\n1\\r\\n$7\\r\\n1000005\\r\\n, :W\\r\\n, Redis does not say the time: no microseconds of a second",
        "*2\\r\\n$1\\r\\n1\\r\\n$2\\r\\n-5\\r\\n, :W\\r\\n, Redis does not say the time: no microseconds of a second",
        "T, :+5\\r\\n, Redis does not say the count: no digit: 43",
        "T, +5\\r\\n, Redis does not say the count: no number",
        "T, $1\\r\\n5\\r\\n, Redis does not say the count: no number",
        "T, *2\\r\\n:5\\r\\n:6\\r\\n, Redis does not say the count: no number",
    })
    void where_the_time_or_a_count_cannot_be_read_nothing_is_answered_and_nothing_out_of_step(
            String time, String count, String told) {
        shortWay.open(true, 0);
        var asked = new Asked(hits("b", 1), hits("a", 1));
        var next = increment();
        var _ = sent();
        receive(bytes(time) + number(WINDOW | 1) + bytes(count) + number(7));
        assertThat(next).isCompletedWithValue(7L);
        assertThat(asked.call.isExecuted()).isTrue();
        assertThatThrownBy(() -> asked.call.answer(shortWay))
                .isInstanceOf(StoreException.class)
                .hasMessage(told);
        assertThat(shortWay.isOpen()).isFalse();
    }

    private static String bytes(String reply) {
        return reply.equals("T") ? TIME : reply.replace("\\r\\n", "\r\n").replace("W", Long.toString(WINDOW | 1));
    }

    @Test
    void a_call_that_nobody_waits_for_any_more_is_not_written_and_its_replies_are_not_waited_for() {
        var late = new PlainCall(List.of(), shortWay, ServerClock.production(), "{a}", key -> key.bytes());
        assertThat(late.tryFailure(new RedisTimeoutException("too late"))).isTrue();
        assertThat(channel.write(late).cause()).hasRootCauseMessage("not written in time");
        var next = increment();
        assertThat(sent()).startsWith("*3");
        receive(number(7));
        assertThat(next).isCompletedWithValue(7L);
    }

    @Test
    void a_call_without_counters_asks_for_the_time_only_and_opens_the_short_way() {
        var asked = new Asked();
        assertThat(sent().replace("\r\n", " ")).isEqualTo("*1 $4 TIME ");
        receive(TIME);
        assertThat(asked.answers()).isEmpty();
        assertThat(shortWay.isOpen()).isTrue();
    }

    /** TIME has no key: a node that has handed over its slots, or its office, still answers it. */
    @ParameterizedTest
    @ValueSource(strings = {"-MOVED 1 127.0.0.1:1\r\n", "-ASK 1 127.0.0.1:1\r\n", "-READONLY a replica\r\n"})
    void a_node_that_refuses_a_counter_says_nothing_of_the_scripts_clock(String refusal) {
        shortWay.open(true, 0);
        var asked = new Asked(hits("a", 1), hits("b", 1));
        var without = new Asked();
        var _ = sent();
        String another = "*2\r\n$10\r\n%d\r\n$1\r\n0\r\n".formatted(NOON / 1_000_000 + 1);
        receive(another + number(WINDOW | 1) + refusal + another);
        assertThat(asked.answers()).containsExactly("0: 9 left", "1 left, 0 owed");
        assertThat(without.answers()).isEmpty();
        scriptSaysNoon();
        assertThat(shortWay.isOpen()).isTrue();
    }

    private void scriptSaysNoon() {
        long nanos = System.nanoTime();
        shortWay.told(NOON + (nanos - startNanos) / 1_000, nanos, nanos);
    }

    @Test
    void a_call_to_a_node_that_runs_a_script_for_long_fails_and_closes_nothing() {
        shortWay.open(true, 0);
        var asked = new Asked(hits("a", 1));
        var _ = sent();
        receive("-BUSY for now\r\n-BUSY for now\r\n");
        assertThatThrownBy(asked::answers).isInstanceOf(StoreException.class).hasMessage("Redis failed: BUSY for now");
        assertThat(shortWay.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOADING", "CLUSTERDOWN", "OOM"})
    void a_node_in_any_other_trouble_tells_the_time_and_leaves_the_hits_to_the_script(String trouble) {
        shortWay.open(true, 0);
        var asked = new Asked(hits("a", 1));
        var _ = sent();
        receive(TIME + "-%s for now\r\n".formatted(trouble));
        assertThat(asked.answers()).containsExactly("1 left, 0 owed");
        assertThat(shortWay.isOpen()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "WRONGTYPE Operation against a key holding the wrong kind of value",
                "ERR value is not an integer or out of range",
                "ERR increment or decrement would overflow",
                "ERR unknown command 'INCRBY'",
                "NOREPLICAS Not enough good replicas to write.",
                "TRYAGAIN",
            })
    void what_redis_itself_refuses_is_left_to_the_script(String error) {
        var asked = new Asked(hits("a", 1), hits("b", 1));
        var _ = sent();
        receive(TIME + "-" + error + "\r\n" + number(WINDOW | 1));
        assertThat(asked.answers()).containsExactly("1: 9 left", "1 left, 0 owed");
    }

    /** The hit may be counted by then, and would be once more. */
    @ParameterizedTest
    @ValueSource(strings = {"upstream failure", "ERR Connection timed out", "ERR", "OOMPH", ""})
    void what_a_proxy_says_of_its_way_to_redis_is_a_failure_of_that_counter_alone(String error) {
        shortWay.open(true, 0);
        var asked = new Asked(hits("a", 1), hits("b", 1));
        var _ = sent();
        receive(TIME + "-" + error + "\r\n" + number(WINDOW | 1));
        assertThat(asked.answers()).containsExactly("0: Redis failed: " + error, "1: 9 left");
        assertThat(shortWay.isOpen()).isTrue();
    }

    private CompletableFuture<Long> increment() {
        var answer = new CompletableFuture<Long>();
        channel.writeOutbound(
                new CommandData<>(answer, StringCodec.INSTANCE, RedisCommands.INCRBY, new Object[] {"other", "1"}));
        return answer;
    }

    private String sent() {
        var all = new StringBuilder();
        for (ByteBuf piece = channel.readOutbound(); piece != null; piece = channel.readOutbound()) {
            all.append(piece.toString(StandardCharsets.ISO_8859_1));
            piece.release();
        }
        return all.toString();
    }

    private void receive(String bytes) {
        var _ = channel.writeInbound(Unpooled.copiedBuffer(bytes, StandardCharsets.ISO_8859_1));
    }

    private static String number(long value) {
        return ":" + value + "\r\n";
    }

    private static Check hits(String counter, long hits) {
        return Check.of(StoreContract.key(counter), StoreContract.TEN_A_MINUTE, hits);
    }

    private record Noted(Consumer<String> answers, BooleanSupplier over) implements Batch.Receiver {
        @Override
        public boolean isOver() {
            return over.getAsBoolean();
        }

        @Override
        public void answered(int position, Reading reading, long at) {
            answers.accept(position + ": " + (reading.isAdmitted() ? reading.remaining() + " left" : "refused"));
        }

        @Override
        public void failed(int position, StoreException failure) {
            answers.accept(position + ": " + failure.getMessage());
        }

        @Override
        public void scattered() {
            answers.accept("scattered");
        }
    }
}
