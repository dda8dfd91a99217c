package dev.weir.admin;

import dev.weir.busiest.Busy;
import dev.weir.busiest.FrequentKeys;
import dev.weir.busiest.Seen;
import dev.weir.busiest.WatchedStore;
import dev.weir.decide.key.KeyReader;
import dev.weir.http.Page;
import dev.weir.http.Question;
import dev.weir.http.Reply;
import dev.weir.limit.Algorithm;
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
                page.append(String.format(Locale.ROOT, "%,14.1f  %s\n", busy.hits() / seconds, words(busy)));
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

    private static String words(Busy busy) {
        var parts = KeyReader.read(busy.key());
        var quota = busy.limit().quota();
        var words = new StringBuilder(plain(parts.domain()));
        parts.entries().forEach(entry -> words.append("; ").append(plain(entry)));
        words.append("; ")
                .append(quota.hits())
                .append(" in ")
                .append(quota.windowSeconds())
                .append(" s");
        if (!(busy.limit().algorithm() instanceof Algorithm.FixedWindow)) {
            words.append("; ").append(RuleLines.word(busy.limit().algorithm()));
        }
        return words.toString();
    }

    /** What callers send could else begin a line or a part of its own, turn the line around, or speak to the terminal. */
    private static String plain(String text) {
        var plain = new StringBuilder(text.length());
        text.codePoints().forEach(point -> {
            if (point == ';' || point == '\\' || isUnseen(point)) {
                plain.append(String.format(Locale.ROOT, "\\u{%x}", point));
            } else {
                plain.appendCodePoint(point);
            }
        });
        return plain.toString();
    }

    private static boolean isUnseen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
