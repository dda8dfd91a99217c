package dev.weir.store.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.logging.HeardLog;
import dev.weir.store.Beyond;
import dev.weir.store.Check;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.StoreBusyException;
import dev.weir.store.StoreContract;
import dev.weir.store.StoreException;
import dev.weir.testing.Eventually;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DeadlineStoreTest {
    private static final Plan PLAN =
            Plan.of(List.of(Check.of(StoreContract.key("a"), Limit.fixedWindow(Quota.per(Unit.MINUTE, 1)), 1)));
    private static final List<Reading> ANSWER = List.of(new Reading(true, 0, 1, 1, 0, 0));

    @RegisterExtension
    final HeardLog log = HeardLog.of(DeadlineStore.class);

    private final SilentStore silent = new SilentStore();
    private final DeadlineStore store = new DeadlineStore(silent, Duration.ofMillis(50));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void a_plan_that_the_store_does_not_answer_fails_when_its_time_is_over() {
        long start = System.nanoTime();
        var first = ask();
        assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("did not answer within 50 ms");
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(50_000_000);
        assertThat(silent.asked.getFirst())
                .as("the store knows that nobody waits")
                .isDone();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(30)
    void a_store_that_has_been_silent_for_some_time_is_not_waited_for_until_it_answers(int checks) {
        var plan = plan(checks);
        awaitRefusal(plan);
        answerTheTry(plan);
        for (int i = 0; i < 7; i++) { // fewer than make a silence, however slow this machine is
            assertThat(isAsked(plan)).as("the first answer ends it").isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Timeout(30)
    void one_at_a_time_tries_whether_a_silent_store_answers_again(int checks) {
        var plan = plan(checks);
        awaitRefusal(plan);
        Eventually.await("there is one who tries, and the next does not", () -> isAsked(plan) && !isAsked(plan));
    }

    @Test
    @Timeout(30)
    void who_comes_while_another_takes_the_first_answer_away_is_not_refused() throws Exception {
        awaitRefusal(PLAN);
        var isTakingAway = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        holdWatch(isTakingAway, mayGoOn);
        answerTheTry(PLAN);
        isTakingAway.await();
        boolean isFirstAsked = isAsked(PLAN); // be it as another try
        boolean isNextAsked = isAsked(PLAN);
        mayGoOn.countDown();
        assertThat(List.of(isFirstAsked, isNextAsked)).containsOnly(true);
    }

    @Test
    @Timeout(30)
    void a_store_that_lets_nobody_in_is_asked_as_seldom_as_a_silent_one_until_it_does() {
        Eventually.await("it is not asked", () -> {
            var asked = ask(PLAN);
            if (!asked.isDone()) {
                var _ = silent.asked.getLast().completeExceptionally(StoreException.ofShutOut("WRONGPASS"));
                return false;
            }
            assertThatThrownBy(asked::get).hasMessageContaining("only asked now and then");
            return true;
        });
    }

    @Test
    @Timeout(30)
    void a_try_that_the_store_is_too_busy_for_is_no_try() {
        awaitRefusal(PLAN);
        silent.isBusy = true;
        Eventually.await("it is the try", () -> ask(PLAN).exceptionNow() instanceof StoreBusyException);
        assertThat(ask(PLAN).exceptionNow()).isInstanceOf(StoreBusyException.class);
        assertThat(ask(PLAN).exceptionNow()).isInstanceOf(StoreBusyException.class);
        silent.isBusy = false;
        assertThat(isAsked(PLAN)).as("the next is the try").isTrue();
    }

    @Test
    @Timeout(30)
    void who_asks_beforehand_is_told_of_the_silence_and_may_knock_now_and_then() {
        Check check = PLAN.checks().getFirst();
        assertThat(store.silenceOf(check)).isNull();
        awaitRefusal(PLAN);
        assertThat(store.silenceOf(check)).hasMessageStartingWith("a part of the store has decided nothing for some");
        Eventually.await("one knock is heard, and the next is not", () -> isHeard(PLAN) && !isHeard(PLAN));
        Eventually.await("an answer to a knock ends it", () -> {
            boolean _ = isHeard(PLAN) && silent.asked.getLast().complete(ANSWER);
            return store.silenceOf(check) == null;
        });
    }

    @Test
    @Timeout(30)
    void each_part_is_knocked_at_by_itself_and_those_that_are_not_silent_are_left_alone() {
        Check one = check("1");
        Check two = check("2");
        Check well = check("3");
        var over = Plan.of(List.of(one, two));
        awaitRefusal(over);
        silent.plans.clear();
        Eventually.await("both are knocked at", () -> {
            store.knock(new Plan(List.of(one, well, two, one), Beyond.REFUSED));
            return Set.copyOf(silent.plans).size() == 2;
        });
        assertThat(silent.plans)
                .containsOnly(new Plan(List.of(one, one), Beyond.REFUSED), new Plan(List.of(two), Beyond.REFUSED));
    }

    @Test
    @Timeout(30)
    void a_part_that_answers_all_too_late_is_asked_as_ever_but_not_together_with_others() {
        Check check = PLAN.checks().getFirst();
        silent.isLate = true;
        Eventually.await("it decides nothing", () -> {
            assertThat(isAsked(PLAN)).isTrue();
            return store.silenceOf(check) != null;
        });
        assertThat(isAsked(PLAN)).isTrue();
        Eventually.await("one knock is heard, and the next is not", () -> isHeard(PLAN) && !isHeard(PLAN));
        Eventually.await("an answer in time ends it", () -> {
            boolean _ = isHeard(PLAN) && silent.asked.getLast().complete(ANSWER);
            return store.silenceOf(check) == null;
        });
    }

    @Test
    @Timeout(30)
    void of_a_plan_over_several_parts_those_that_have_answered_are_not_silent() {
        Check one = check("1");
        Check well = check("2");
        Eventually.await("one of them is silent", () -> {
            var _ = ask(Plan.of(List.of(well, one)));
            silent.asked
                    .getLast()
                    .completeExceptionally(
                            new StoreException("no connection").withReadings(Arrays.asList(ANSWER.getFirst(), null)));
            return store.silenceOf(one) != null;
        });
        assertThat(store.silenceOf(well)).isNull();
    }

    private static Check check(String key) {
        return Check.of(StoreContract.key(key), PLAN.checks().getFirst().limit(), 1);
    }

    private boolean isHeard(Plan plan) {
        int before = silent.asked.size();
        store.knock(plan);
        return silent.asked.size() > before;
    }

    private void awaitRefusal(Plan plan) {
        Eventually.await("nobody waits for it any more", () -> isRefusedAtOnce(plan));
    }

    /** Asks twice, as one may be asked again and again, and waits until the time of both is over. */
    private boolean isRefusedAtOnce(Plan plan) {
        var first = ask(plan);
        int before = silent.asked.size();
        var second = ask(plan);
        boolean isRefused = silent.asked.size() == before;
        assertThatThrownBy(first::get).hasCauseInstanceOf(StoreException.class);
        assertThatThrownBy(second::get)
                .hasMessageContaining(isRefused ? "has decided nothing for some time" : "did not answer within 50 ms");
        return isRefused;
    }

    /** Asks until it is the try, and until that is answered before its time is over. */
    private void answerTheTry(Plan plan) {
        Eventually.await("the try is answered", () -> {
            var tried = ask(plan);
            return !tried.isDone()
                    && silent.asked.getLast().complete(ANSWER)
                    && tried.resultNow().equals(ANSWER);
        });
    }

    private boolean isAsked(Plan plan) {
        int before = silent.asked.size();
        var _ = ask(plan);
        return silent.asked.size() > before;
    }

    /** Has the watch stand still with an answered plan in its hand. */
    private void holdWatch(CountDownLatch isTakingAway, CountDownLatch mayGoOn) {
        silent.atPartOf = () -> {
            if (isWatch()) {
                isTakingAway.countDown();
                spinUntil(mayGoOn);
            }
        };
    }

    private static boolean isWatch() {
        return Thread.currentThread().getName().equals("weir-deadline");
    }

    private static void spinUntil(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private static Plan plan(int checks) {
        return Plan.of(Collections.nCopies(checks, PLAN.checks().getFirst()));
    }

    private CompletableFuture<List<Reading>> ask(Plan plan) {
        return store.decide(plan).toCompletableFuture();
    }

    @Test
    void answers_pass_whatever_becomes_of_the_others() {
        try (var patient = new DeadlineStore(silent, Duration.ofHours(1))) {
            var failed = patient.decide(PLAN).toCompletableFuture();
            var answered = patient.decide(PLAN).toCompletableFuture();
            var unanswered = patient.decide(PLAN).toCompletableFuture();
            silent.asked.get(0).completeExceptionally(new StoreException("is gone"));
            silent.asked.get(1).complete(ANSWER);
            assertThat(failed).isCompletedExceptionally();
            assertThat(answered).isCompletedWithValue(ANSWER);
            assertThat(unanswered).isNotDone();
        }
    }

    @Test
    void a_plan_that_a_closed_store_leaves_unanswered_fails() {
        var patient = new DeadlineStore(silent, Duration.ofHours(1));
        var before = patient.decide(PLAN).toCompletableFuture();
        patient.close();
        assertFailsAsClosed(before);
        assertFailsAsClosed(patient.decide(PLAN).toCompletableFuture());
    }

    private static void assertFailsAsClosed(CompletableFuture<List<Reading>> plan) {
        assertThatThrownBy(() -> plan.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StoreException.class)
                .hasMessageContaining("the store is closed");
    }

    @Test
    @Timeout(30)
    void a_defect_in_the_watch_is_told_and_plans_run_out_all_the_same() {
        var isThrown = new CountDownLatch(2);
        silent.atPartOf = () -> {
            if (isWatch() && isThrown.getCount() > 0) {
                isThrown.countDown();
                throw new OutOfMemoryError("Java heap space");
            }
        };
        while (isThrown.getCount() > 0) { // whoever comes takes answers away as well
            var _ = ask();
            silent.asked.removeLast().complete(ANSWER);
        }
        var last = ask();
        assertThatThrownBy(() -> last.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        assertThat(log.lines())
                .isNotEmpty()
                .containsOnly("ERROR a defect in the watch over plans that wait for the store");
    }

    @Test
    void plans_run_out_while_the_store_behind_is_closing() {
        var first = ask();
        silent.atClose = () -> assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS))
                .hasMessageContaining("did not answer within 50 ms");
        store.close();
        assertThat(first).isDone();
    }

    @Test
    @Timeout(30)
    void answered_plans_are_let_go_when_the_next_one_comes() throws Exception {
        var isTakingAway = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        holdWatch(isTakingAway, mayGoOn);
        try (var patient = new DeadlineStore(silent, Duration.ofHours(1))) {
            var _ = patient.decide(PLAN);
            silent.asked.removeLast().complete(ANSWER);
            isTakingAway.await(); // that one, and so none of those that come
            var answered = new WeakReference<>(patient.decide(PLAN));
            silent.asked.removeLast().complete(ANSWER);
            var _ = patient.decide(PLAN);
            boolean isLetGo = isLetGo(answered);
            mayGoOn.countDown();
            assertThat(isLetGo).isTrue();
        }
    }

    @Test
    void a_plan_behind_one_without_answer_keeps_its_time() {
        var unanswered = ask();
        var _ = ask();
        silent.asked.getLast().complete(ANSWER);
        var last = ask();
        assertThatThrownBy(() -> unanswered.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        assertThatThrownBy(() -> last.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
    }

    @Test
    void a_stall_of_this_process_is_forgiven_once_in_a_timeout() {
        long millis = 1_000_000;
        assertThat(DeadlineStore.deservesGrace(millis, 100 * millis, 15 * millis))
                .isFalse();
        assertThat(DeadlineStore.deservesGrace(12 * millis, 100 * millis, 15 * millis))
                .isTrue();
        assertThat(DeadlineStore.deservesGrace(12 * millis, 5 * millis, 15 * millis))
                .isFalse();
    }

    @Test
    void answered_plans_are_let_go_behind_one_without_answer() {
        try (var patient = new DeadlineStore(silent, Duration.ofHours(1))) {
            var unanswered = patient.decide(PLAN).toCompletableFuture();
            var answered = new WeakReference<>(patient.decide(PLAN));
            silent.asked.removeLast().complete(ANSWER);
            assertThat(isLetGo(answered)).isTrue();
            assertThat(unanswered).isNotDone();
        }
    }

    @Test
    @Timeout(30)
    void what_may_begin_a_silence_is_told_once_though_two_take_it_away() throws Exception {
        var isTakingAway = new CountDownLatch(1);
        var mayGoOn = new CountDownLatch(1);
        var told = new AtomicInteger();
        silent.atPartOf = () -> {
            if (isWatch()) {
                isTakingAway.countDown();
                spinUntil(mayGoOn);
            } else {
                told.incrementAndGet();
            }
        };
        try (var patient = new DeadlineStore(silent, Duration.ofHours(1))) {
            var _ = patient.decide(PLAN);
            var _ = patient.decide(PLAN);
            silent.asked.getLast().completeExceptionally(new StoreException("is gone"));
            isTakingAway.await();
            silent.asked.getFirst().complete(ANSWER);
            var _ = patient.decide(PLAN);
            mayGoOn.countDown();
            assertThat(told)
                    .as("of the answer only: the watch tells the failure")
                    .hasValue(1);
        }
    }

    private static boolean isLetGo(WeakReference<?> plan) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!plan.refersTo(null) && System.nanoTime() < end) {
            System.gc();
        }
        return plan.refersTo(null);
    }

    @Test
    void a_timeout_that_is_longer_than_the_watch_sleeps_ends_all_the_same() {
        try (var patient = new DeadlineStore(silent, Duration.ofMillis(250))) {
            var asked = patient.decide(PLAN).toCompletableFuture();
            assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        }
    }

    @Test
    void a_timeout_that_is_shorter_than_the_grace_ends_all_the_same() {
        try (var hasty = new DeadlineStore(silent, Duration.ofMillis(3))) {
            var first = hasty.decide(PLAN).toCompletableFuture();
            var _ = first.whenComplete((_, _) -> standStill(Duration.ofMillis(4)));
            var second = hasty.decide(PLAN).toCompletableFuture();
            assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        }
    }

    private static void standStill(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void the_watch_wakes_again_after_a_rest() {
        for (int i = 0; i < 3; i++) {
            var asked = ask();
            assertThatThrownBy(() -> asked.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(StoreException.class);
        }
    }

    private CompletableFuture<List<Reading>> ask() {
        return store.decide(PLAN).toCompletableFuture();
    }
}
