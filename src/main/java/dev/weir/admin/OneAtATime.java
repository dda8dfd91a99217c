package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A large page, which is made for one caller after the other: as many as like may ask at the same time, up to a bound. Who leaves
 * is passed over.
 */
final class OneAtATime implements Page {
    private static final int MOST_WAITING = 100;

    private final Page page;
    private final ReentrantLock turn = new ReentrantLock();

    OneAtATime(Page page) {
        this.page = page;
    }

    @Override
    public int mostBytes() {
        return page.mostBytes();
    }

    @Override
    public Reply answer(Question question) {
        if (turn.getQueueLength() >= MOST_WAITING) {
            return Reply.text(503, "too many wait for this page\n");
        }
        try {
            turn.lockInterruptibly();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Reply.text(503, "nobody waits for this page\n");
        }
        try {
            return page.answer(question);
        } finally {
            turn.unlock();
        }
    }
}
