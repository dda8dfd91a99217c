package dev.weir.rules.watch;

import dev.weir.linux.Niceness;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.Overlay.Laid;
import dev.weir.upkeep.Upkeep;
import dev.weir.words.Counted;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the rules of a directory in force: looks at it four times a second, and loads what has changed.
 *
 * <p>Looking beats being told. Links that are swapped two levels up, network file systems and editors that write a new
 * file each tell (or do not tell) a different story; names, sizes and times are the same everywhere, and cheap.
 *
 * <p>A change is loaded once two looks in a row see the same, so that a file half written is rarely read: what is cut off
 * may be right, and every rule behind the cut off. A directory that never stands still must not keep changes out for ever,
 * so that after half a minute it is loaded as it is. Loading is all or nothing: with one mistake anywhere the set before stays
 * in force, and the next attempt is made when something changes again. Where the disk fails, it is made at the next look, and after a
 * defect or for want of memory in ten seconds: it may pass while nothing changes, and each attempt may take much of the processor.
 */
public final class RulesWatch implements RulesSource {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);
    private static final int MOST_RESTLESS_LOOKS = 120;

    /** Until files stood still once: the rules in force may have been read half written, and patience would keep them. */
    private static final int MOST_RESTLESS_LOOKS_AT_FIRST = 2;

    private static final int LOOKS_UNTIL_ANOTHER_TRY = 40;

    private final RuleFiles files;
    private final Overlay overlay;
    private final Loader loader;
    private final RulesListener listener;
    private final InForce inForce;
    private final Disk disk;
    private final Listings listings;

    /**
     * Of who makes rules, from the first file that is read until they are in force or dropped: the heap has room for one set beside that
     * in force. Fair, for the watch runs behind all others, and trials may come one after the other.
     */
    private final ReentrantLock turn = new ReentrantLock(true);

    private final Upkeep upkeep = new Upkeep(this::lookAgain, this::tellOfDefect);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("rules-watch").unstarted(this::run);

    // Of the thread that loads: the starting one until the other is started, then that one.
    private Look last = new Look(Walk.Listing.NOTHING, "", "");
    private Laid laid = Laid.NOTHING;
    private @Nullable Look loaded; // null if there is something to load though nothing changes
    private int untilAnotherTry; // looks, after an attempt that was broken off; else 0
    private int restless;
    private boolean stoodStill; // once, with rules in force

    /** What failed, the disk or we, when that was told last, empty since nothing did; so it is told once and not at every look. */
    private String failure = "";

    private List<Mistake> passedOver = List.of();

    /**
     * Creates the watch; nothing is read before it is started.
     *
     * @param files where the files are
     * @param overlay what stands in place of some
     * @param loader makes rules of both
     * @param listener is told of each attempt
     */
    public RulesWatch(RuleFiles files, Overlay overlay, Loader loader, RulesListener listener) {
        this(files, overlay, loader, listener, Disk.LOCAL);
    }

    RulesWatch(RuleFiles files, Overlay overlay, Loader loader, RulesListener listener, Disk disk) {
        this.files = files;
        this.overlay = overlay;
        this.loader = loader;
        this.listener = listener;
        this.inForce = new InForce(listener);
        this.disk = disk;
        this.listings = new Listings(files, disk);
    }

    /**
     * Loads the rules for the first time, and begins to watch. If there is a mistake in them, or no directory at all, the
     * listener is told, and they come into force when that is mended.
     *
     * @throws IllegalThreadStateException if it was started before
     */
    @Override
    public void start() {
        loadFirst();
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
        upkeep.end();
    }

    void loadFirst() {
        var _ = new Upkeep(this::lookFirst, this::tellOfDefect).step();
    }

    private void lookFirst() {
        last = look();
        load(last, List.of());
    }

    /** Looks once, and loads if something has changed and stands still, or it is time for another try. */
    void poll() {
        var _ = upkeep.step();
    }

    private void lookAgain() {
        var look = look();
        if (untilAnotherTry > 0 && --untilAnotherTry == 0) {
            loaded = null;
        }
        boolean standsStill = look.equals(last) || look.seesFilesOf(loaded);
        stoodStill |= standsStill && inForce.rules() != null;
        if (look.equals(loaded)) {
            restless = 0;
        } else if (standsStill) {
            load(look, List.of());
        } else if (++restless > (stoodStill ? MOST_RESTLESS_LOOKS : MOST_RESTLESS_LOOKS_AT_FIRST)) {
            load(look, List.of(moving(look)));
        }
        last = look;
    }

    private Mistake moving(Look look) {
        Path moving = look.listing().files().stream()
                .filter(file -> !last.listing().files().contains(file))
                .findFirst()
                .map(FileState::path)
                .orElseGet(files::directory);
        return new Mistake(
                moving.toString(),
                0,
                0,
                "changes at every look, so that it was read as it was, and may be cut off; write new files elsewhere and move"
                        + " them into place, and keep elsewhere what holds no rules");
    }

    private Look look() {
        laid = overlay.look();
        try {
            return new Look(listings.next(), "", laid.stamp());
        } catch (RulesException | DiskException e) {
            return new Look(Walk.Listing.NOTHING, String.valueOf(e.getMessage()), laid.stamp());
        }
    }

    private void load(Look look, List<Mistake> remarks) {
        loaded = look;
        restless = 0;
        untilAnotherTry = LOOKS_UNTIL_ANOTHER_TRY; // it stays so if this is broken off
        try {
            putInForce(remarks);
            overlay.inForce(laid);
            failure = "";
        } catch (RulesException e) {
            failure = "";
            String hint = RuleFiles.hint(e.mistakes(), List.of(files.directory()));
            inForce.refuse(Stream.concat(e.mistakes().stream().map(Mistake::toString), Stream.ofNullable(hint))
                    .toList());
        } catch (DiskException e) {
            loaded = null;
            tell(e.mistake() + "; until then it is tried again at every look");
        }
        untilAnotherTry = 0;
    }

    private void putInForce(List<Mistake> remarks) throws RulesException, DiskException {
        turn.lock();
        try {
            var read = files.read(disk);
            passOver(read.passedOver());
            var sources = read.sources();
            String place = sources.isEmpty() ? " below " + files.directory() : ""; // a wrong path is to be seen
            String above = laid.sources().isEmpty() ? "" : " and " + laid.origin();
            inForce.put(
                    remarked(load(sources, laid.sources()), sources.isEmpty() ? strays() : remarks),
                    Counted.of(sources.size(), "file") + place + above);
        } finally {
            turn.unlock();
        }
    }

    private RuleSet load(List<SourceFile> below, List<SourceFile> above) throws RulesException {
        return loader.load(Stream.concat(below.stream(), above.stream()).toList(), inForce.rules());
    }

    /**
     * Finds out what would come of these over the files. Nothing comes into force. Waits while other rules are made.
     *
     * @throws RulesException if there is a mistake in them or in the files
     * @throws UnreadException if the files cannot be read
     */
    public void tryOut(List<SourceFile> above) throws RulesException, UnreadException {
        turn.lock();
        try {
            var _ = load(below(), above);
        } finally {
            turn.unlock();
        }
    }

    private List<SourceFile> below() throws UnreadException {
        try {
            return files.read(disk).sources();
        } catch (RulesException e) {
            throw new UnreadException(e.mistakes());
        } catch (DiskException e) {
            throw new UnreadException(List.of(e.mistake()));
        }
    }

    /**
     * Makes rules of these alone. Nothing comes into force. Waits while other rules are made.
     *
     * @param former as for a {@link Loader}
     * @throws RulesException if there is a mistake in them
     */
    public RuleSet alone(List<SourceFile> sources, @Nullable RuleSet former) throws RulesException {
        turn.lock();
        try {
            return loader.load(sources, former);
        } finally {
            turn.unlock();
        }
    }

    private static RuleSet remarked(RuleSet set, List<Mistake> remarks) {
        return remarks.isEmpty()
                ? set
                : set.with(
                        Stream.concat(set.remarks().stream(), remarks.stream()).toList());
    }

    private List<Mistake> strays() {
        Mistake strays = Strays.remark(files, disk);
        return strays == null ? List.of() : List.of(strays);
    }

    /** Tells of each once, until it may be read. */
    private void passOver(List<Mistake> unread) {
        for (var reason : unread) {
            if (!passedOver.contains(reason)) {
                listener.passedOver(reason.toString());
            }
        }
        passedOver = unread;
    }

    private void tell(String reason) {
        if (!reason.equals(failure)) {
            inForce.refuse(List.of(reason));
            failure = reason;
        }
    }

    private void run() {
        Niceness.stepBack();
        upkeep.stepUntilEnd(BETWEEN_LOOKS);
    }

    /** Where the look itself failed, nobody knows what it would have seen: then files are read anew as well. */
    private void tellOfDefect(Throwable defect) {
        if (untilAnotherTry == 0) {
            untilAnotherTry = LOOKS_UNTIL_ANOTHER_TRY;
        }
        tell(files.directory() + ": the rules could not be loaded, by a defect of the service: " + defect
                + "; it is tried again every ten seconds, and when something changes");
    }
}
