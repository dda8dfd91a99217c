package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Algorithm;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.RandomLimits;
import dev.weir.limit.Unit;
import dev.weir.store.memory.ManualTicker;
import dev.weir.store.memory.MemoryStore;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One replica of several, with counters of its own. */
final class OwnShareTest {
    private static final int MINUTES = 60;
    private static final Quota ONE_A_MINUTE = Quota.per(Unit.MINUTE, 1);

    private final ManualTicker ticker = new ManualTicker();
    private final MemoryStore counters = new MemoryStore(ticker, 10, Long.MAX_VALUE);
    private int replicas = 10;
    private final OwnShare share = new OwnShare(counters, () -> replicas);

    static Stream<Limit> limits() {
        return RandomLimits.tenAMinute().flatMap(OwnShareTest::fewAndMany);
    }

    private static Stream<Limit> fewAndMany(Limit limit) {
        return Stream.of(3, 10, 100)
                .map(hits -> new Quota(hits, limit.quota().windowSeconds()))
                .flatMap(quota -> Stream.of(limit.quota(), ONE_A_MINUTE) // the burst about as large, or far larger
                        .map(like -> new Limit(quota, limit.algorithm().scaled(like, quota), limit.charge(), 0)));
    }

    @BeforeEach
    void noon() {
        ticker.set(StoreContract.NOON_MICROS);
    }

    @AfterEach
    void close() {
        counters.close();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void however_often_it_is_asked_it_admits_no_more_than_its_part_and_what_comes_at_once(Limit limit) {
        var random = new SplittableRandom(7);
        long admitted = 0;
        for (int i = 0; i < MINUTES * 60; i++) {
            ticker.set(StoreContract.NOON_MICROS + TimeUnit.SECONDS.toMicros(i));
            long hits = 1 + random.nextLong(2);
            admitted += admits(limit, hits) ? hits : 0;
        }
        Limit part = limit.share(replicas);
        long windows = MINUTES * 60 / part.quota().windowSeconds() + 1;
        assertThat(admitted)
                .as("%s of %s", part, limit)
                .isLessThanOrEqualTo(windows * part.quota().hits() + Math.max(1, limit.capacity() / replicas));
    }

    @Test
    void its_part_of_a_limit_keeps_what_it_has_counted_when_replicas_come_and_go() {
        var limit = Limit.fixedWindow(Quota.per(Unit.HOUR, 600));
        for (int i = 0; i < 60; i++) {
            replicas = i % 2 == 0 ? 10 : 20;
            assertThat(admits(limit, 1)).isEqualTo(i < 30 || (i % 2 == 0 && i < 60));
        }
        replicas = 10;
        assertThat(admits(limit, 1)).isFalse();
    }

    @Test
    void limits_that_callers_send_for_one_descriptor_do_not_undo_each_other() {
        var few = Limit.fixedWindow(Quota.per(Unit.MINUTE, 5));
        var many = Limit.fixedWindow(Quota.per(Unit.MINUTE, 100));
        int ofFew = 0;
        int ofMany = 0;
        for (int i = 0; i < 60; i++) {
            ofFew += admits(few, 1) ? 1 : 0;
            ofMany += admits(many, 1) ? 1 : 0;
        }
        assertThat(ofFew).as("one in two minutes").isEqualTo(1);
        assertThat(ofMany).isEqualTo(10);
    }

    @Test
    void parts_of_a_sliding_window_are_not_taken_for_those_of_another() {
        var limit = Limit.of(Quota.per(Unit.MINUTE, 7), new Algorithm.SlidingWindow(12));
        long admitted = 0;
        for (int second = 0; second < 3_600; second++) {
            ticker.set(StoreContract.NOON_MICROS + TimeUnit.SECONDS.toMicros(second));
            replicas = second < 1_800 ? 10 : 8;
            admitted += admits(limit, 1) ? 1 : 0;
        }
        assertThat(admitted).isLessThanOrEqualTo(3_600 * 7 / 60 / 8);
    }

    @Test
    void while_nobody_knows_how_many_there_are_it_says_nothing() {
        replicas = 0;
        assertThat(share.decide(List.of(check(Limit.fixedWindow(Quota.per(Unit.MINUTE, 5)), 1)), Beyond.NOTHING))
                .isNull();
        assertThat(counters.size()).isZero();
    }

    private boolean admits(Limit limit, long hits) {
        var decided = Objects.requireNonNull(share.decide(List.of(check(limit, hits)), Beyond.NOTHING));
        assertThat(decided.limits()).containsExactly(limit.share(replicas));
        return decided.readings().getFirst().isAdmitted();
    }

    private static Check check(Limit limit, long hits) {
        return Check.of(StoreContract.key("user"), limit, hits);
    }
}
