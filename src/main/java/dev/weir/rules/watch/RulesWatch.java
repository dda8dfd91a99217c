package dev.weir.rules.watch;

import dev.weir.linux.Niceness;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules of a directory in force: looks at it four times a second, and loads what has changed.
 *
 * <p>Looking beats being told. Links that are swapped two levels up, network file systems and editors that write a new
 * file each tell (or do not tell) a different story; names, sizes and times are the same everywhere, and cheap.
 *
 * <p>A change is loaded once two looks in a row see the same, so that a file half written is rarely read, or after a
 * few looks if the directory never stands still. Loading is all or nothing: with one mistake anywhere the set before stays
 * in force, and the next attempt is made when something changes again.
 */
public final class RulesWatch implements RulesSource {
    private static final long MILLIS_BETWEEN_LOOKS = 250;
    private static final int MOST_RESTLESS_LOOKS = 2;

    private final RuleFiles files;
    private final Loader loader;
    private final InForce inForce;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rules-watch").unstarted(this::run);

    // Of the thread that loads: the starting one until the other is started, then that one.
    private Look loaded = new Look(List.of(), "");
    private Look last = loaded;
    private int restless;

    /**
     * Creates the watch; nothing is read before it is started.
     *
     * @param files where the files are
     * @param loader makes rules of them
     * @param listener is told of each attempt
     */
    public RulesWatch(RuleFiles files, Loader loader, RulesListener listener) {
        this.files = files;
        this.loader = loader;
        this.inForce = new InForce(listener);
    }

    /**
     * Loads the rules for the first time, and begins to watch. If there is a mistake in them, or no directory at all, the
     * listener is told, and they come into force when that is mended.
     *
     * @throws IllegalThreadStateException if it was started before
     */
    @Override
    public void start() {
        guarded(this::loadFirst);
        thread.start();
    }

    @Override
    public @Nullable RuleSet inForce() {
        return inForce.rules();
    }

    @Override
    public boolean hasSpoken() {
        return inForce.hasSpoken();
    }

    @Override
    public void close() {
        closed.countDown();
    }

    void loadFirst() {
        last = look();
        load(last);
    }

    /** Looks once, and loads if something has changed and stands still. */
    void poll() {
        var look = look();
        if (look.equals(loaded)) {
            restless = 0;
        } else if (look.equals(last) || ++restless > MOST_RESTLESS_LOOKS) {
            load(look);
        }
        last = look;
    }

    private Look look() {
        try {
            return new Look(files.listing(), "");
        } catch (RulesException e) {
            return new Look(List.of(), String.valueOf(e.getMessage()));
        }
    }

    private void load(Look look) {
        loaded = look;
        restless = 0;
        try {
            var sources = files.read();
            inForce.put(loader.load(sources, inForce.rules()), sources.size() + " files");
        } catch (RulesException e) {
            inForce.refuse(e.mistakes().stream().map(Mistake::toString).toList());
        }
    }

    private void run() {
        guarded(Niceness::stepBack);
        try {
            while (!closed.await(MILLIS_BETWEEN_LOOKS, TimeUnit.MILLISECONDS)) {
                guarded(this::poll);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody interrupts this thread but to end it
        }
    }

    /** A defect must end neither the start nor, unseen, the watch: rules would then never change again. */
    private void guarded(Runnable attempt) {
        try {
            attempt.run();
        } catch (RuntimeException | StackOverflowError e) {
            String mistake = files.directory() + ": the rules could not be loaded, by a defect of the service: " + e;
            inForce.refuse(List.of(mistake));
        }
    }

    /**
     * What was seen.
     *
     * @param files by name
     * @param failure why there are none, or empty
     */
    private record Look(List<FileState> files, String failure) {}
}
