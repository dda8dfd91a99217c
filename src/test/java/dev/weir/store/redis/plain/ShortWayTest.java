package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Charge;
import dev.weir.limit.FixedWindowModel;
import dev.weir.limit.Limit;
import dev.weir.store.Batch;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.StoreContract;
import dev.weir.store.UnaskedReceiver;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which checks of a batch can go without the script. */
final class ShortWayTest {
    private static final long NOON = StoreContract.NOON_MICROS;
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);
    private static final Limit TEN_A_MINUTE = StoreContract.TEN_A_MINUTE;
    private static final CounterKey B = StoreContract.key("b");
    private static final Limit ON_ADMIT = new Limit(TEN_A_MINUTE.quota(), TEN_A_MINUTE.algorithm(), Charge.ON_ADMIT, 0);
    private static final Limit LOCKING = new Limit(TEN_A_MINUTE.quota(), TEN_A_MINUTE.algorithm(), Charge.ALWAYS, 60);
    private static final long APART = TimeUnit.MILLISECONDS.toMicros(100) + 1;
    private static final long START = 123_456_789_000_000L;

    private final ShortWay shortWay = new ShortWay();

    @BeforeEach
    void open() {
        shortWay.open(true, START);
        shortWay.told(NOON, START, START);
    }

    @Test
    void hits_that_only_count_go_the_short_way_whether_their_counters_are_known_or_not() {
        begin("a");
        Batch batch = batch(hits("a", 1), hits("b", 7));
        assertThat(take(batch, 0)).isSameAs(batch);
    }

    @Test
    void all_else_goes_by_the_script() {
        assertThat(take(batch(hits("b", 0)), 0)).as("a look").isNull();
        assertThat(take(batch(Check.refund(B, TEN_A_MINUTE, 1)), 0))
                .as("a refund")
                .isNull();
        assertThat(take(batch(Check.of(B, ON_ADMIT, 1)), 0))
                .as("charged on admission")
                .isNull();
        assertThat(take(batch(Check.of(B, LOCKING, 1)), 0)).as("with a lock").isNull();
    }

    @Test
    void a_counter_whose_window_has_just_ended_goes_by_the_script_for_redis_still_keeps_it() {
        begin("a");
        assertThat(take(batch(hits("a", 1)), 59_000)).isNotNull();
        assertThat(take(batch(hits("a", 1)), 60_500)).isNull();
        assertThat(take(batch(hits("a", 1)), 62_000)).isNotNull();
    }

    @Test
    void a_counter_that_could_not_be_added_to_goes_by_the_script_for_a_second() {
        shortWay.avoid(StoreContract.key("a"), START);
        assertThat(take(batch(hits("a", 1)), 0)).isNull();
        assertThat(take(batch(hits("a", 1)), 1_000)).isNull();
        assertThat(take(batch(hits("a", 1)), 1_100)).isNotNull();
    }

    @Test
    void a_counter_that_ended_hours_ago_is_not_begun_when_the_ticks_of_its_mark_come_again() {
        begin("a");
        long ticksAgain = START + (1L << 44);
        assertThat(shortWay.isBegun(StoreContract.key("a"), ticksAgain))
                .as("unswept")
                .isTrue();
        for (int second = 0; second < 512; second++) {
            shortWay.sweep(START + TimeUnit.SECONDS.toNanos(120 + second));
        }
        assertThat(shortWay.isBegun(StoreContract.key("a"), ticksAgain)).isFalse();
    }

    @Test
    void each_queue_has_a_clock_of_its_own_and_all_know_the_same_counters() {
        ShortWay other = shortWay.another();
        Batch batch = batch(hits("a", 1));
        assertThat(other.take(batch, START)).as("before it heard of the time").isNull();
        other.open(true, START);
        other.told(NOON + MINUTE, START, START);
        assertThat(other.now(START)).isEqualTo(NOON + MINUTE);
        assertThat(shortWay.now(START)).isEqualTo(NOON);
        begin("a");
        assertThat(other.isBegun(StoreContract.key("a"), START)).isTrue();
    }

    @Test
    void each_is_open_by_itself_or_as_another_one_to_the_same_node() {
        ShortWay other = shortWay.another();
        assertThat(other.isOpen()).isFalse();
        other.openAs(shortWay, START);
        assertThat(other.isOpen()).isTrue();
        other.open(false, START);
        assertThat(shortWay.isOpen()).isTrue();
        shortWay.openAs(other, START);
        assertThat(take(batch(hits("a", 1)), 0)).isNull();
    }

    @Test
    void one_that_goes_by_another_clock_closes_no_other() {
        ShortWay other = shortWay.another();
        other.open(true, START);
        timeSays(NOON + APART, 1);
        scriptSays(NOON, 2);
        assertThat(shortWay.isOpen()).isFalse();
        assertThat(other.isOpen()).isTrue();
        shortWay.openAs(other, START + 3);
        assertThat(shortWay.isOpen()).isFalse();
    }

    @Test
    void so_many_hits_that_they_could_leave_the_bounds_go_by_the_script() {
        assertThat(take(batch(hits("a", 1 << 20)), 0)).isNotNull();
        assertThat(take(batch(hits("a", (1 << 20) + 1)), 0)).isNull();
    }

    @Test
    void nothing_goes_while_the_way_is_closed_or_the_time_unknown() {
        shortWay.open(false, START);
        assertThat(take(batch(hits("a", 1)), 0)).isNull();
        var other = new ShortWay();
        other.open(true, START);
        assertThat(other.take(batch(hits("a", 1)), START)).isNull();
        other.told(NOON, START, START);
        assertThat(other.take(batch(hits("a", 1)), START)).isNotNull();
    }

    @Test
    void what_cannot_go_stays_behind_where_the_rest_is_worth_a_call() {
        var six = batch(look("a"), hits("b", 1), hits("c", 1), hits("d", 1), hits("e", 1), hits("f", 1), hits("g", 1));
        Batch taken = take(six, 0);
        assertThat(taken).isNotNull();
        assertThat(taken.checks()).hasSize(6).noneMatch(merged -> merged.hits() == 0);
        assertThat(six.checks()).singleElement().matches(merged -> merged.hits() == 0);
        var five = batch(look("a"), hits("b", 1), hits("c", 1), hits("d", 1), hits("e", 1), hits("f", 1));
        assertThat(take(five, 0)).isNull();
        assertThat(five.checks()).hasSize(6);
    }

    @Test
    void checks_of_one_counter_stay_in_their_order() {
        var batch =
                batch(hits("a", 1), look("a"), hits("b", 1), hits("c", 1), hits("d", 1), hits("e", 1), hits("f", 1));
        assertThat(take(batch, 0)).isNull();
        assertThat(take(batch(hits("a", 1), hits("a", 2), hits("a", 1)), 0)).isNotNull();
    }

    @Test
    void the_time_goes_on_from_what_redis_said_half_way_between_question_and_answer() {
        assertThat(shortWay.now(START + 5_000)).isEqualTo(NOON + 5);
        shortWay.told(NOON + MINUTE, START, START + 2_000_000);
        assertThat(shortWay.now(START)).isEqualTo(NOON + MINUTE - 1_000);
        shortWay.told(NOON, START, START + 600_000_000);
        assertThat(shortWay.now(START)).as("too long under way").isEqualTo(NOON + MINUTE - 1_000);
        shortWay.told(NOON + MINUTE, START, START + 2_200_000);
        assertThat(shortWay.now(START)).as("so little is no news").isEqualTo(NOON + MINUTE - 1_000);
    }

    @Test
    void a_clock_that_was_not_heard_of_for_long_is_unknown() {
        Batch batch = batch(hits("a", 1));
        assertThat(shortWay.take(batch, START + 10_000_000_000L)).isNotNull();
        assertThat(shortWay.take(batch, START + 10_000_000_001L))
                .as("it may have been set since")
                .isNull();
        shortWay.told(NOON, START + 20_000_000_000L, START + 20_000_000_000L);
        assertThat(shortWay.take(batch, START + 30_000_000_000L)).isNotNull();
    }

    @Test
    void a_clock_that_only_time_tells_of_stays_known() {
        Batch batch = batch(hits("a", 1));
        timeSays(NOON + 10_000_000, 10_000_000_000L);
        assertThat(shortWay.take(batch, START + 20_000_000_000L)).isNotNull();
        assertThat(shortWay.take(batch, START + 20_000_000_001L)).isNull();
    }

    @Test
    void of_two_that_know_the_same_clock_the_later_news_hold() {
        long later = START + 5_000_000_000L;
        ShortWay other = shortWay.another();
        other.told(NOON, later, later);
        shortWay.learnClock(other);
        assertThat(shortWay.now(later)).as("it was set back by five seconds").isEqualTo(NOON);
        shortWay.told(NOON + MINUTE, later + 1, later + 1);
        shortWay.learnClock(other);
        assertThat(shortWay.now(later + 1)).isEqualTo(NOON + MINUTE);
    }

    @Test
    void a_time_by_which_the_script_does_not_go_closes_the_way_for_ever_longer_up_to_an_hour() {
        long at = 0;
        for (long seconds : new long[] {10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600}) {
            timeSays(NOON + APART, at + 1);
            assertThat(shortWay.isOpen()).as("the clock may have been set").isTrue();
            scriptSays(NOON, at + 2);
            assertThat(shortWay.isOpen()).isFalse();
            timeSays(NOON + APART, at + 3);
            scriptSays(NOON, at + 4); // these were under way
            at += TimeUnit.SECONDS.toNanos(seconds);
            shortWay.open(true, START + at + 1);
            assertThat(shortWay.isOpen()).isFalse();
            shortWay.open(true, START + at + 2);
            assertThat(shortWay.isOpen()).isTrue();
            scriptSays(NOON, at + 3);
        }
    }

    @Test
    void nodes_that_have_just_changed_places_close_it_for_seconds_however_often_they_do() {
        long at = 0;
        for (int change = 0; change < 10; change++) {
            long before = NOON + change * MINUTE;
            scriptSays(before + MINUTE, at + 1); // of the new node
            timeSays(before, at + 2); // of the old one
            scriptSays(before + MINUTE, at + 3);
            assertThat(shortWay.isOpen()).isFalse();
            at += TimeUnit.SECONDS.toNanos(10) + 4;
            shortWay.open(true, START + at);
            assertThat(shortWay.isOpen()).as("after ten seconds").isTrue();
            scriptSays(before + MINUTE, at + 1);
            timeSays(before + MINUTE, at + 2);
            at += 10;
        }
    }

    @Test
    void a_clock_that_was_set_is_the_one_by_which_the_script_goes() {
        timeSays(NOON + MINUTE, 1);
        scriptSays(NOON + MINUTE, 2);
        timeSays(NOON, 3);
        scriptSays(NOON + MINUTE / 2, 4);
        timeSays(NOON + MINUTE / 2, 5);
        scriptSays(NOON + MINUTE / 2, 6);
        assertThat(shortWay.isOpen()).isTrue();
        assertThat(shortWay.now(START + 6)).isEqualTo(NOON + MINUTE / 2);
    }

    @Test
    void what_the_script_was_asked_before_the_clock_was_set_says_nothing_of_it() {
        timeSays(NOON + MINUTE, 2);
        scriptSays(NOON, 1);
        assertThat(shortWay.isOpen()).isTrue();
        scriptSays(NOON + MINUTE, 3);
        assertThat(shortWay.isOpen()).isTrue();
    }

    @Test
    void two_times_that_are_a_little_apart_or_were_long_under_way_may_be_one_clocks() {
        timeSays(NOON + APART - 1, 1);
        scriptSays(NOON, 2);
        long slowly = START + 60_000_000;
        shortWay.toldByTime(NOON + MINUTE, START + 3, slowly);
        shortWay.told(NOON, slowly + 1, slowly + 1);
        timeSays(NOON + MINUTE, 70_000_000);
        shortWay.told(NOON, START + 80_000_000, START + 140_000_000);
        assertThat(shortWay.isOpen()).isTrue();
    }

    /** As a proxy's that is busy: it shows nothing, and is not believed either. */
    @Test
    void a_time_that_was_long_under_way_and_is_another_is_not_the_scripts() {
        long slowly = START + 60_000_000;
        shortWay.toldByTime(NOON + MINUTE, START + 3, slowly);
        assertThat(shortWay.now(START)).isEqualTo(NOON);
        shortWay.toldByTime(NOON + 30_000, START, slowly);
        assertThat(shortWay.now(slowly)).as("one that is about the same").isEqualTo(NOON + 60_000);
    }

    @Test
    void a_time_that_was_long_under_way_does_not_shorten_how_long_the_way_is_closed() {
        timeSays(NOON + APART, 1);
        scriptSays(NOON, 2);
        shortWay.toldByTime(NOON, START, START + 60_000_000);
        long again = TimeUnit.SECONDS.toNanos(10) + 3;
        shortWay.open(true, START + again);
        scriptSays(NOON, again);
        timeSays(NOON + APART, again + 1);
        scriptSays(NOON, again + 2);
        shortWay.open(true, START + again + TimeUnit.SECONDS.toNanos(19));
        assertThat(shortWay.isOpen()).as("it is twenty seconds now").isFalse();
    }

    private void timeSays(long now, long nanos) {
        shortWay.toldByTime(now, START + nanos, START + nanos);
    }

    private void scriptSays(long now, long nanos) {
        shortWay.told(now, START + nanos, START + nanos);
    }

    private void begin(String counter) {
        shortWay.counted(hits(counter, 1), FixedWindowModel.begun(MINUTE, NOON) + 1, NOON, START);
    }

    /** Takes so long after the start, when the time was just heard of. */
    private @Nullable Batch take(Batch batch, long millis) {
        long nanos = START + TimeUnit.MILLISECONDS.toNanos(millis);
        shortWay.told(NOON + TimeUnit.MILLISECONDS.toMicros(millis), nanos, nanos);
        return shortWay.take(batch, nanos);
    }

    private static Check look(String counter) {
        return hits(counter, 0);
    }

    private static Check hits(String counter, long hits) {
        return Check.of(StoreContract.key(counter), TEN_A_MINUTE, hits);
    }

    private static Batch batch(Check... checks) {
        var batch = new Batch();
        for (Check check : List.of(checks)) {
            batch.add(check, new UnaskedReceiver(() -> false), 0);
        }
        return batch;
    }
}
