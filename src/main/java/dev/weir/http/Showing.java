package dev.weir.http;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has pages answer, each on a virtual thread of its own. */
final class Showing {
    private static final Logger LOG = LoggerFactory.getLogger(Showing.class);
    private static final Reply DEFECT = Reply.text(500, "the service made a mistake; its log says more\n");

    private Showing() {}

    /**
     * Asks a page.
     *
     * @param port the thread on which the answer is told
     * @return the thread on which it answers, to be interrupted if nobody wants that any more
     */
    static Thread start(Page page, Question question, Executor port, Consumer<Reply> shown) {
        return Thread.ofVirtual().name("weir-http").start(() -> {
            Reply reply = replyOf(page, question);
            try {
                port.execute(() -> shown.accept(reply));
            } catch (RejectedExecutionException e) {
                LOG.debug("an answer came after the end of the port", e);
            }
        });
    }

    /** Whatever fails, the caller is answered: one who is served is waited for without a bound. */
    private static Reply replyOf(Page page, Question question) {
        try {
            return page.answer(question);
        } catch (RuntimeException | Error defect) {
            LOG.error("a page could not be shown", defect);
            return DEFECT;
        }
    }
}
