package dev.weir.admin;

import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A page that takes its time: it is made for one caller, and whoever asks meanwhile gets the same. */
final class OneForAll implements Page {
    private final Page page;
    private final AtomicReference<@Nullable CompletableFuture<Reply>> underWay = new AtomicReference<>();

    OneForAll(Page page) {
        this.page = page;
    }

    @Override
    public Reply answer(Question question) {
        var mine = new CompletableFuture<Reply>();
        CompletableFuture<Reply> others = underWay.compareAndExchange(null, mine);
        return others == null ? made(question, mine) : awaited(others);
    }

    private Reply made(Question question, CompletableFuture<Reply> mine) {
        try {
            Reply reply = page.answer(question);
            mine.complete(reply);
            return reply;
        } finally {
            underWay.set(null);
            mine.completeExceptionally(new IllegalStateException("it could not be made")); // unless it was
        }
    }

    private static Reply awaited(CompletableFuture<Reply> others) {
        try {
            return others.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Reply.text(503, "nobody waits for this page\n");
        } catch (ExecutionException e) {
            throw new IllegalStateException("the page that another caller asked for", e.getCause());
        }
    }
}
