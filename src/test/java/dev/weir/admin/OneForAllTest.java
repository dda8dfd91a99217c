package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.Authorization;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.testing.Eventually;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A page that takes its time, and several who ask for it. */
@Timeout(60)
final class OneForAllTest {
    private static final Question QUESTION = new Question("GET", Map.of(), new Authorization(""), "here", new byte[0]);

    private final CountDownLatch isBegun = new CountDownLatch(1);
    private final CompletableFuture<String> body = new CompletableFuture<>();
    private final AtomicInteger made = new AtomicInteger();
    private final OneForAll page = new OneForAll(_ -> make());

    private Reply make() {
        made.incrementAndGet();
        isBegun.countDown();
        return Reply.text(200, body.join());
    }

    @Test
    void it_is_made_once_for_all_who_ask_meanwhile_and_anew_for_who_asks_later() throws Exception {
        var first = asking();
        isBegun.await();
        var second = asking();
        var third = asking();
        awaitWaiting(second);
        awaitWaiting(third);
        body.complete("slow");
        assertThat(first.reply.get().body()).isEqualTo("slow");
        assertThat(second.reply.get().body()).isEqualTo("slow");
        assertThat(third.reply.get().body()).isEqualTo("slow");
        assertThat(made).hasValue(1);
        assertThat(page.answer(QUESTION).body()).isEqualTo("slow");
        assertThat(made).hasValue(2);
    }

    @Test
    void who_leaves_takes_nobody_along() throws Exception {
        var first = asking();
        isBegun.await();
        var second = asking();
        awaitWaiting(second);
        second.thread.interrupt();
        assertThat(second.reply.get().status()).isEqualTo(503);
        body.complete("slow");
        assertThat(first.reply.get().body()).isEqualTo("slow");
    }

    @Test
    void a_defect_meets_all_who_wait_and_nobody_later() throws Exception {
        var first = asking();
        isBegun.await();
        var second = asking();
        awaitWaiting(second);
        body.completeExceptionally(new IllegalStateException("made for this test"));
        assertThatThrownBy(first.reply::get).isInstanceOf(ExecutionException.class);
        assertThatThrownBy(second.reply::get).hasRootCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> page.answer(QUESTION)).hasMessageContaining("made for this test");
        assertThat(made).as("anew, and in vain").hasValue(2);
    }

    private record Asking(FutureTask<Reply> reply, Thread thread) {}

    private Asking asking() {
        var reply = new FutureTask<Reply>(() -> page.answer(QUESTION));
        return new Asking(reply, Thread.ofVirtual().start(reply));
    }

    private static void awaitWaiting(Asking asking) {
        Eventually.await("it waits", () -> asking.thread.getState() == Thread.State.WAITING);
    }
}
