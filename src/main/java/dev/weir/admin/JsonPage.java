package dev.weir.admin;

import dev.weir.decide.Decision;
import dev.weir.decide.NoRulesException;
import dev.weir.decide.OverloadedException;
import dev.weir.decide.UndecidedException;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /json}: the gRPC call in JSON, for people and for proxies that speak no gRPC.
 *
 * <p>200 if the request may pass and 429 if not, 400 for what cannot be read or asked, 413 for a body beyond the bound,
 * 503 while the service cannot decide, 500 for a defect. It runs on a virtual thread of its own, so it may wait.
 */
final class JsonPage implements Page {
    private static final Logger LOG = LoggerFactory.getLogger(JsonPage.class);

    /** Who waits has a place of its port, and there must be some for probes. */
    private static final int MOST_WAITING = 100;

    private final Inside inside;

    /** The bytes of bodies that may be in hand, first come, first served: read, a body is many times as large. */
    private final Semaphore inHand;

    JsonPage(Inside inside) {
        this.inside = inside;
        inHand = new Semaphore(inside.maxMessageBytes(), true);
    }

    /** One more than a body may have tells that it has too many. */
    @Override
    public int mostBytes() {
        return inside.maxMessageBytes() + 1;
    }

    @Override
    public Reply answer(Question question) {
        int bound = inside.maxMessageBytes();
        return question.body().length > bound ? tooLarge(bound) : inTurn(question.body());
    }

    private Reply tooLarge(int bound) {
        var mistake = new InvalidRequestException("a body may have " + bound + " bytes");
        inside.listener().refused(mistake);
        return Reply.text(413, mistake.getMessage() + "\n");
    }

    private Reply inTurn(byte[] body) {
        try {
            if (inHand.getQueueLength() >= MOST_WAITING
                    || !inHand.tryAcquire(body.length, inside.patience().toMillis(), TimeUnit.MILLISECONDS)) {
                inside.listener().turnedAway();
                throw new OverloadedException();
            }
            try {
                var verdict = decide(read(body));
                return Reply.json(verdict.isOver() ? 429 : 200, written(verdict));
            } finally {
                inHand.release(body.length);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return AdminServer.NOBODY_WAITS;
        } catch (ExecutionException e) {
            return failed(cause(e));
        } catch (TimeoutException | RuntimeException e) {
            return failed(e);
        }
    }

    private Request read(byte[] body) {
        try {
            return inside.reader().apply(body);
        } catch (InvalidRequestException mistake) {
            inside.listener().refused(mistake);
            throw mistake;
        } catch (RuntimeException defect) {
            inside.listener().failed();
            throw defect;
        }
    }

    private String written(Verdict verdict) {
        try {
            return inside.writer().apply(verdict);
        } catch (RuntimeException defect) {
            inside.listener().failed();
            throw defect;
        }
    }

    /** Once nobody waits any more, what was not sent to the store is not counted; the decider tells of that, and it is told once. */
    private Verdict decide(Request request) throws InterruptedException, ExecutionException, TimeoutException {
        Decision decision = inside.decider().apply(request);
        try {
            return decision.verdict()
                    .toCompletableFuture()
                    .get(inside.patience().toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException | TimeoutException e) {
            decision.abandon();
            throw e;
        }
    }

    private static Reply failed(Throwable failure) {
        return switch (failure) {
            case InvalidRequestException mistake -> Reply.text(400, mistake.getMessage() + "\n");
            case UndecidedException outage -> Reply.text(503, outage.getMessage() + "\n");
            case OverloadedException overloaded -> Reply.text(503, overloaded.getMessage() + "\n");
            case NoRulesException outage -> Reply.text(503, outage.getMessage() + "\n");
            default -> {
                LOG.error("/json could not be answered", failure);
                yield Reply.text(500, "the service made a mistake; its log says more\n");
            }
        };
    }

    private static Throwable cause(Exception wrapped) {
        Throwable cause = wrapped;
        while (cause.getCause() != null
                && (cause instanceof ExecutionException || cause instanceof CompletionException)) {
            cause = cause.getCause();
        }
        return cause;
    }
}
