package dev.weir.rules.kept;

import dev.weir.rules.watch.Overlay;
import dev.weir.store.Shelf;
import dev.weir.store.Shelf.Standing;
import dev.weir.store.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this replica knows of the rules that are kept on the shelf: as much as the store told when it was looked at last.
 *
 * <p>A Redis that limits rates is seldom saved, and one that takes over for another may lack its last second. Numbers of
 * revisions only grow: a store that has an older one than this replica has lost the newer, and is given it again.
 */
public final class KeptRules implements Overlay {
    private static final Logger LOG = LoggerFactory.getLogger(KeptRules.class);

    private final Shelf shelf;
    private final Duration patience;
    private final CompletableFuture<Void> firstInForce = new CompletableFuture<>();

    // Guarded by this.
    private Revision known = Revision.NONE;
    private Laid laid = Laid.NOTHING;
    private @Nullable String stampInForce;
    private boolean isSeen;
    private boolean isBlind; // and that was told; so it is told once, and not at every look

    /**
     * Begins to know nothing.
     *
     * @param patience how long the store may take for an answer
     */
    public KeptRules(Shelf shelf, Duration patience) {
        this.shelf = shelf;
        this.patience = patience;
    }

    /** Returns a stage that completes, once, when all that is kept is in force. */
    public CompletionStage<Void> firstInForce() {
        return firstInForce;
    }

    @Override
    public synchronized Laid look() {
        try {
            follow();
            if (isBlind) {
                LOG.info("the rules that are kept in the store can be seen again");
            }
            isBlind = false;
        } catch (StoreException e) {
            tell(e);
        }
        noteIfInForce();
        return laid;
    }

    @Override
    public synchronized void inForce(Laid what) {
        stampInForce = what.stamp();
        noteIfInForce();
    }

    private void noteIfInForce() {
        // Where nothing is kept there is nothing to wait for, whatever is wrong with the files.
        if (isSeen && (laid.sources().isEmpty() || laid.stamp().equals(stampInForce))) {
            firstInForce.complete(null);
        }
    }

    /** Before the store was reached for the first time there is nothing to tell that others do not. */
    private void tell(StoreException e) {
        if (!isBlind && !e.isUnasked()) {
            isBlind = true;
            LOG.warn(
                    "the rules that are kept in the store cannot be seen: {}; {}",
                    e.getMessage(),
                    isSeen ? "those seen last stay in force" : "those of files alone are in force");
        }
    }

    /**
     * Returns what is kept now.
     *
     * @throws StoreException if the store does not tell
     */
    synchronized Revision now() {
        follow();
        return known;
    }

    /**
     * Keeps another revision if this one is still the last.
     *
     * @return whether it was; if so it is known here from now on
     * @throws StoreException if the store refuses, or was not asked: it is not kept then; or does not answer: nobody knows then
     */
    synchronized boolean replace(Revision former, Revision next) {
        boolean isKept = answer(shelf.replace(former.stamp(), next.standing()));
        if (isKept) {
            learn(next);
        }
        return isKept;
    }

    private void follow() {
        if (!answer(shelf.stamp()).equals(known.stamp())) {
            Standing standing = answer(shelf.read());
            Revision there = Revision.of(standing, shelf.place());
            if (there.number() < known.number()) {
                putAgain(there);
            } else {
                learn(there);
            }
        }
        isSeen = true;
    }

    private void putAgain(Revision lost) {
        if (answer(shelf.replace(lost.stamp(), known.standing()))) {
            LOG.warn(
                    "the store has an older revision of the rules that are kept in it ({}): revision {} was put there again",
                    lost.number(),
                    known.number());
        }
    }

    private void learn(Revision revision) {
        known = revision;
        laid = revision.laid();
    }

    private <T> T answer(CompletionStage<T> asked) {
        try {
            return asked.toCompletableFuture()
                    .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case StoreException outage
                when outage.isAnswer() -> StoreException.ofAnswer(shelf.place() + ": " + outage.getMessage());
                case StoreException outage -> outage;
                case TimeoutException _ -> new StoreException("the store did not answer");
                case null, default -> new IllegalStateException("a shelf fails otherwise", e);
            };
        }
    }
}
