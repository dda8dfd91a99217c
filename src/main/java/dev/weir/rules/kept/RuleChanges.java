package dev.weir.rules.kept;

import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import dev.weir.rules.watch.Loader;
import dev.weir.rules.watch.UnreadException;
import dev.weir.store.StoreException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes the rules that are kept. What would not come into force is not kept: each change is tried out over the files of this
 * replica first, and made only if what it was tried with is still what is kept. Its methods block.
 */
public final class RuleChanges {
    /** In UTF-8, all together. A replica holds them four times while they are changed. */
    private static final long MOST_BYTES = 2 << 20;

    private static final int MOST_TRIES = 10;

    private final KeptRules kept;
    private final Loader loader;
    private final Trial trial;
    private final InstantSource clock;

    /** Finds out whether these would come into force over the files. */
    @FunctionalInterface
    public interface Trial {
        /** Throws if they would not, or if nobody knows. */
        void tryOut(List<SourceFile> above) throws RulesException, UnreadException;
    }

    /**
     * Creates the changes.
     *
     * @param loader makes rules of a text
     */
    public RuleChanges(KeptRules kept, Loader loader, Trial trial, InstantSource clock) {
        this.kept = kept;
        this.loader = loader;
        this.trial = trial;
        this.clock = clock;
    }

    /**
     * Returns what is kept.
     *
     * @throws StoreException if the store does not tell
     */
    public Revision kept() {
        return kept.now();
    }

    /**
     * Keeps the rules of the domain that the text names.
     *
     * @param content a rule file in UTF-8
     * @param mayReplace whether rules of the domain may be kept already
     * @param from the address of who wants that
     * @throws StoreException if the store does not tell what is kept, or refuses to keep it: they are not kept then
     */
    public Outcome put(byte[] content, boolean mayReplace, String from) {
        String name;
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content))
                    .toString();
            name = nameIn(content);
        } catch (CharacterCodingException e) {
            return new Outcome.Wrong(List.of(new Mistake("body", 0, 0, "is not UTF-8")));
        } catch (RulesException e) {
            return new Outcome.Wrong(e.mistakes());
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
            return new Outcome.Wrong(
                    List.of(new Mistake("body", 0, 0, "half a character stands in the domain's name")));
        }
        var put = new KeptDomain(
                name, text, clock.instant().truncatedTo(ChronoUnit.SECONDS).toString(), from);
        return change(
                name,
                before -> mayReplace || before.domain(name).isEmpty() ? null : new Outcome.Taken(name),
                before -> before.with(put, clock.instant()));
    }

    private String nameIn(byte[] content) throws RulesException {
        var body = new SourceFile("body", content, true);
        // Over a set there is time, and others need the processors meanwhile.
        return loader.load(List.of(body), RuleSet.of(List.of())).domainNames().getFirst();
    }

    /**
     * Keeps no rules of a domain any more: what files say of it is in force again.
     *
     * @throws StoreException as above
     */
    public Outcome delete(String name) {
        return change(
                name,
                before -> before.domain(name).isPresent() ? null : new Outcome.Missing(name),
                before -> before.without(name, clock.instant()));
    }

    private Outcome change(
            String name, Function<Revision, @Nullable Outcome> obstacle, Function<Revision, Revision> change) {
        for (int i = 0; i < MOST_TRIES; i++) {
            Revision before = kept.now();
            Outcome hindered = obstacle.apply(before);
            if (hindered != null) {
                return hindered;
            }
            Revision next = change.apply(before);
            if (next.weight() > MOST_BYTES && next.weight() > before.weight()) {
                return new Outcome.TooMuch(MOST_BYTES);
            }
            List<Mistake> left = List.of();
            try {
                trial.tryOut(next.laid().sources());
            } catch (RulesException e) {
                left = e.mistakes();
                if (!areOld(left, name, before)) {
                    return new Outcome.Wrong(left);
                }
            } catch (UnreadException e) {
                return new Outcome.Unread(e.reasons());
            }
            try {
                if (kept.replace(before, next)) {
                    return new Outcome.Kept(
                            name, next.number(), before.domain(name).isEmpty(), left);
                }
            } catch (StoreException e) {
                if (e.isUnasked() || e.isAnswer()) {
                    throw e;
                }
                return new Outcome.Unknown(name, String.valueOf(e.getMessage()));
            }
        }
        return new Outcome.Overtaken();
    }

    /**
     * Returns whether all mistakes are those of other domains that are kept, and were there before: another version of Weir has kept them. A change
     * that takes some mistakes away must not wait for those that only another change can take away.
     */
    private boolean areOld(List<Mistake> mistakes, String name, Revision before) {
        Set<String> others = before.domains().stream()
                .filter(domain -> !domain.name().equals(name))
                .map(domain -> domain.source().name())
                .collect(Collectors.toSet());
        if (!mistakes.stream().map(Mistake::file).allMatch(others::contains)) {
            return false;
        }
        try {
            trial.tryOut(before.laid().sources());
            return false;
        } catch (RulesException e) {
            return e.mistakes().containsAll(mistakes);
        } catch (UnreadException _) {
            return false;
        }
    }
}
