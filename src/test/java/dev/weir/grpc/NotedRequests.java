package dev.weir.grpc;

import dev.weir.call.Refusal;
import dev.weir.decide.DeafListener;
import dev.weir.decide.DecisionListener;
import dev.weir.decide.HitListener;
import dev.weir.decide.UndecidedException;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.store.StoreException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what became of requests, and that their calls were told of. */
public final class NotedRequests implements DecisionListener, CallListener {
    public final List<String> heard = new CopyOnWriteArrayList<>();
    private final long began = System.nanoTime();

    @Override
    public HitListener hits() {
        return new DeafListener().hits();
    }

    @Override
    public void decided(Request request, Verdict verdict) {
        heard.add("decided");
    }

    @Override
    public void refused(InvalidRequestException mistake) {
        heard.add("refused: " + mistake.getMessage());
    }

    @Override
    public void withoutRules() {
        heard.add("without rules");
    }

    @Override
    public void undecided(UndecidedException failure) {
        heard.add("undecided");
    }

    @Override
    public void decidedWithoutStore(StoreException failure) {
        heard.add("decided without the store");
    }

    @Override
    public void turnedAway() {
        heard.add("turned away");
    }

    @Override
    public void failed() {
        heard.add("failed");
    }

    @Override
    public void abandoned() {
        heard.add("abandoned");
    }

    @Override
    public void shouldRateLimit(long nanos) {
        heard.add("called" + unlessPossible(nanos));
    }

    @Override
    public void healthCheck(long nanos) {
        heard.add("health" + unlessPossible(nanos));
    }

    /** No call takes longer than there is somebody who hears of it. */
    private String unlessPossible(long nanos) {
        return nanos >= 0 && nanos <= System.nanoTime() - began ? "" : " for " + nanos + " ns";
    }

    @Override
    public void refused(Refusal why) {
        heard.add("refused for its " + why);
    }
}
