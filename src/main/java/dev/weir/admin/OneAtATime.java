package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import java.util.concurrent.locks.ReentrantLock;

/** A large page, which is made for one caller after the other: as many as like may ask at the same time. */
final class OneAtATime implements Page {
    private final Page page;
    private final ReentrantLock turn = new ReentrantLock();

    OneAtATime(Page page) {
        this.page = page;
    }

    @Override
    public Reply answer(Question question) {
        turn.lock();
        try {
            return page.answer(question);
        } finally {
            turn.unlock();
        }
    }
}
