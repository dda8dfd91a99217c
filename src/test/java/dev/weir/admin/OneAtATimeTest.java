package dev.weir.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Authorization;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.testing.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A large page, and many who ask for it. */
@Timeout(60)
final class OneAtATimeTest {
    private static final Question QUESTION = new Question("GET", Map.of(), new Authorization(""), "here", new byte[0]);

    private final CountDownLatch isBegun = new CountDownLatch(1);
    private final CountDownLatch isLetGo = new CountDownLatch(1);
    private final AtomicInteger made = new AtomicInteger();
    private final OneAtATime page = new OneAtATime(_ -> make());

    private Reply make() {
        isBegun.countDown();
        try {
            isLetGo.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        made.incrementAndGet();
        return Reply.text(200, "large");
    }

    @Test
    void so_many_may_wait_and_who_leaves_is_passed_over() throws InterruptedException {
        var first = Thread.ofVirtual().start(() -> page.answer(QUESTION));
        isBegun.await();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(Thread.ofVirtual().start(() -> page.answer(QUESTION)));
        }
        Eventually.await(
                "all wait", () -> waiting.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));
        assertThat(page.answer(QUESTION).status()).as("one too many").isEqualTo(503);
        for (Thread leaving : waiting.subList(0, 99)) {
            leaving.interrupt();
            leaving.join();
        }
        isLetGo.countDown();
        first.join();
        waiting.getLast().join();
        assertThat(made).as("for the first, and for the last who stayed").hasValue(2);
        assertThat(page.answer(QUESTION).body()).isEqualTo("large");
    }
}
