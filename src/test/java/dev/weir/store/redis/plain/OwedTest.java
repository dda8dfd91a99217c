package dev.weir.store.redis.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.StoreContract;
import dev.weir.store.redis.plain.Owed.Debt;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/** Which counters are looked up for their expiry, and when. */
final class OwedTest {
    private static final long BEGUN = TimeUnit.DAYS.toNanos(1);
    private static final long REST = TimeUnit.SECONDS.toNanos(2);
    private static final Limit TEN = Limit.fixedWindow(Quota.per(Unit.MINUTE, 10));

    private final Owed owed = new Owed();
    private final Check one = check("one");
    private final Check other = check("other");

    @Test
    void what_is_owed_rests_before_it_is_looked_up() {
        owed.add(one, BEGUN);
        assertThat(take(REST - 1)).isEmpty();
        assertThat(take(REST)).extracting(Debt::check).containsExactly(one);
    }

    @Test
    void at_the_end_nothing_rests() {
        owed.add(one, BEGUN);
        owed.settle(owed.takeAll(_ -> 0, BEGUN).getFirst().getFirst());
        assertThat(owed.takeAll(_ -> 0, BEGUN)).isEmpty();
    }

    @Test
    void what_is_not_settled_rests_and_is_looked_up_again() {
        owed.add(one, BEGUN);
        owed.add(other, BEGUN);
        owed.settle(take(REST).getFirst());
        assertThat(take(2 * REST - 1)).isEmpty();
        assertThat(take(2 * REST)).extracting(Debt::check).containsExactly(other);
    }

    @Test
    void what_is_owed_anew_is_not_settled_by_a_look_of_before() {
        owed.add(one, BEGUN);
        Debt before = take(REST).getFirst();
        owed.add(one, BEGUN + REST + 1);
        owed.settle(before);
        assertThat(take(2 * REST + 1)).extracting(Debt::check).containsExactly(one);
    }

    @Test
    void so_it_is_where_there_is_no_room_for_more() {
        owed.add(one, BEGUN);
        for (int i = 1; i < Owed.MOST; i++) {
            owed.add(check("more " + i), BEGUN);
        }
        owed.add(other, BEGUN);
        Debt before = take(REST).getFirst();
        assertThat(before.check()).isEqualTo(one);
        owed.add(one, BEGUN + REST + 1);
        owed.settle(before);
        assertThat(owed.takeAll(_ -> 0, BEGUN + REST + 2))
                .flatExtracting(part -> part)
                .extracting(Debt::check)
                .contains(one)
                .doesNotContain(other);
    }

    @Test
    void those_that_could_not_be_used_let_others_go_before_them() {
        for (int i = 0; i < 256; i++) {
            owed.add(check("full " + i), BEGUN);
        }
        owed.add(one, BEGUN);
        assertThat(take(REST)).hasSize(256);
        assertThat(take(2 * REST)).first().extracting(Debt::check).isEqualTo(one);
    }

    @Test
    void of_one_place_there_are_as_many_parts_as_there_may_be() {
        for (int i = 0; i < 1_000; i++) {
            owed.add(check("of one place " + i), BEGUN);
        }
        assertThat(owed.take(_ -> 0, 3, BEGUN + REST)).extracting(List::size).containsExactly(256, 256, 256);
        assertThat(owed.take(_ -> 0, 3, BEGUN + REST)).extracting(List::size).containsExactly(232);
    }

    @Test
    void of_long_keys_few_are_looked_up_at_once_and_few_more_are_kept() {
        String half = "x".repeat(Owed.MOST_BYTES / 32);
        for (int i = 0; i < 40; i++) {
            owed.add(check(half + i), BEGUN);
        }
        List<List<Debt>> parts = owed.takeAll(_ -> 0, BEGUN);
        assertThat(parts).hasSize(16).allSatisfy(part -> assertThat(part).hasSizeBetween(1, 2));
        owed.settle(parts.getFirst().getFirst());
        owed.add(check(half + "another"), BEGUN);
        owed.add(check(half + "one too many"), BEGUN);
        assertThat(owed.takeAll(_ -> 0, BEGUN).stream().flatMap(List::stream).count())
                .isEqualTo(31);
        assertThat(take(TimeUnit.HOURS.toNanos(2))).isEmpty();
        owed.add(one, BEGUN + TimeUnit.HOURS.toNanos(2));
        assertThat(owed.takeAll(_ -> 0, BEGUN + TimeUnit.HOURS.toNanos(2))).hasSize(1);
    }

    @Test
    void what_lies_in_several_places_is_looked_up_apart() {
        owed.add(one, BEGUN);
        owed.add(other, BEGUN);
        owed.add(check("a third"), BEGUN);
        ToIntFunction<Check> place = check -> check.equals(other) ? 1 : 0;
        assertThat(owed.take(place, 2, BEGUN + REST)).extracting(List::size).containsExactly(2, 1);
    }

    @Test
    void what_cannot_be_settled_in_an_hour_is_let_go() {
        owed.add(one, BEGUN);
        long hour = TimeUnit.HOURS.toNanos(1);
        assertThat(take(hour)).hasSize(1);
        assertThat(take(hour + REST)).isEmpty();
    }

    private List<Debt> take(long later) {
        List<List<Debt>> parts = owed.take(_ -> 0, 1, BEGUN + later);
        return parts.isEmpty() ? List.of() : parts.getFirst();
    }

    private static Check check(String counter) {
        return Check.of(StoreContract.key(counter), TEN, 1);
    }
}
