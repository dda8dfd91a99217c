package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.loop.EventLoops;
import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Queued;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.store.WaitingRoom;
import dev.weir.store.redis.plain.ShortWay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What becomes of a queue whose calls fail within their sending, as all do before Redis is reached. */
@Timeout(60)
final class DispatcherTest {
    private static final Duration ANY = Duration.ofSeconds(1);
    private static final Limit LIMIT = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));
    private static final int IN_FLIGHT = 2;

    /** As many batches as plans. */
    private static final Plan A_BATCH_FULL = Plan.of(IntStream.range(0, Batch.MAX_CHECKS)
            .mapToObj(i -> Check.of(StoreContract.key("counter " + i), LIMIT, 1))
            .toList());

    private final EventLoops loops = EventLoops.single("weir-test");
    private final RedisLink notReached = new RedisLink(
            new RedisOptions(
                    new RedisOptions.Topology.Single("redis://redis:6379"),
                    RedisOptions.Login.NONE,
                    null,
                    0,
                    null,
                    ANY,
                    ANY,
                    "",
                    16,
                    4),
            Script.production(),
            loops,
            0);
    private final WaitingRoom room = new WaitingRoom();
    private final Dispatcher queue = queue(null);

    @AfterEach
    void end() {
        notReached.close();
        loops.close();
    }

    @Test
    void however_many_calls_fail_at_once_the_next_one_is_sent() throws Exception {
        assertThat(allOf(round(5_000))).allSatisfy(DispatcherTest::saysThatRedisIsNotThere);
        assertThat(allOf(round(1))).as("all turns were given back").allSatisfy(DispatcherTest::saysThatRedisIsNotThere);
    }

    @ParameterizedTest
    @MethodSource("thrown")
    void whatever_is_thrown_on_the_way_to_a_call_its_batch_fails_and_the_next_one_is_sent(Error thrown)
            throws Exception {
        var failing = queue(_ -> {
            throw thrown;
        });
        for (int i = 0; i <= IN_FLIGHT; i++) { // one more than there are turns
            assertThat(allOf(round(failing, 1)))
                    .allSatisfy(answer -> assertThat(answer.exceptionNow())
                            .isInstanceOf(StoreException.class)
                            .hasMessageContaining(thrown.getClass().getSimpleName()));
        }
    }

    static Stream<Error> thrown() {
        return Stream.of(new OutOfMemoryError("made for this test"), new AssertionError("made for this test"));
    }

    private Dispatcher queue(@Nullable Consumer<Queued> forScript) {
        return new Dispatcher(
                notReached, new HashTags("", 1), IN_FLIGHT, new DeafListener(), room, loops, new ShortWay(), forScript);
    }

    private List<PendingPlan> round(int plans) throws Exception {
        return round(queue, plans);
    }

    /** Queues plans in one round of a thread. */
    private List<PendingPlan> round(Dispatcher queue, int plans) throws Exception {
        return loops.loop(0)
                .submit(() -> {
                    var round = Stream.generate(() -> new PendingPlan(A_BATCH_FULL, _ -> {}))
                            .limit(plans)
                            .toList();
                    round.forEach(queue::submit);
                    return round;
                })
                .get();
    }

    private static List<CompletableFuture<?>> allOf(List<PendingPlan> round) throws Exception {
        List<CompletableFuture<?>> answers =
                round.stream().<CompletableFuture<?>>map(PendingPlan::answer).toList();
        for (CompletableFuture<?> answer : answers) {
            var _ = answer.handle((_, _) -> true).get();
        }
        return answers;
    }

    private static void saysThatRedisIsNotThere(CompletableFuture<?> answer) {
        assertThat(answer.exceptionNow())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was not reached yet");
    }
}
