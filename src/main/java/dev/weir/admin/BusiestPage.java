package dev.weir.admin;

import dev.weir.busiest.Busy;
import dev.weir.busiest.FrequentKeys;
import dev.weir.busiest.Seen;
import dev.weir.busiest.WatchedStore;
import dev.weir.decide.key.KeyReader;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** {@code /busiest}: which counters have the most hits, and the most that are over their limit, in the seconds after it was asked for. */
final class BusiestPage implements Page {
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final int MOST = 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final WatchedStore store;
    private final Pause pause;
    private final LongSupplier clock;

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {
        void last(Duration length) throws InterruptedException;
    }

    /** Watches the store by the system's clock. */
    BusiestPage(WatchedStore store) {
        this(store, Thread::sleep, System::nanoTime);
    }

    BusiestPage(WatchedStore store, Pause pause, LongSupplier clock) {
        this.store = store;
        this.pause = pause;
        this.clock = clock;
    }

    @Override
    public Reply answer(Question question) {
        long began = clock.getAsLong();
        Seen seen;
        store.begin();
        try {
            pause.last(LOOK);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Reply.text(503, "who watched has left: ask again\n");
        } finally {
            seen = store.end();
        }
        return Reply.text(200, text(seen, (clock.getAsLong() - began) / NANOS_PER_SECOND));
    }

    private static String text(Seen seen, double seconds) {
        var page = new StringBuilder();
        page.append(String.format(
                Locale.ROOT,
                "In %.1f s: requests with limits %,d, hits on counters %,d, over their limit %,d.\n",
                seconds,
                seen.plans(),
                seen.hits().total(),
                seen.over().total()));
        if (seen.failures() > 0) {
            page.append(String.format(Locale.ROOT, "Requests that the store did not decide: %,d.\n", seen.failures()));
        }
        table(page, "hits/s", seen.hits(), seconds);
        table(page, "over/s", seen.over(), seconds);
        return page.toString();
    }

    private static void table(StringBuilder page, String unit, FrequentKeys keys, double seconds) {
        if (keys.total() == 0) {
            return;
        }
        page.append(String.format(Locale.ROOT, "\n%14s  counter\n", unit));
        for (Busy busy : keys.most(MOST)) {
            if (busy.hits() > keys.missed()) { // else one that is forgotten may have had more
                page.append(String.format(
                        Locale.ROOT,
                        "%,14.1f  %s\n",
                        busy.hits() / seconds,
                        CounterWords.of(KeyReader.read(busy.key()), busy.limit())));
            }
        }
        if (keys.missed() > 0) {
            page.append(String.format(
                    Locale.ROOT,
                    "There are many: each may have had up to %,.1f %s more, and who has no more than these is not named.\n",
                    keys.missed() / seconds,
                    unit));
        }
        if (keys.unnamed() > 0) {
            page.append(String.format(
                    Locale.ROOT,
                    "Of counters with very long keys, which are not named: %,.1f %s.\n",
                    keys.unnamed() / seconds,
                    unit));
        }
    }
}
