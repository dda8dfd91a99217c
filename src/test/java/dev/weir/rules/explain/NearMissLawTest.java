package dev.weir.rules.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Rule;
import dev.weir.rules.explain.NearMiss.OtherKey;
import dev.weir.rules.explain.NearMiss.OtherOrder;
import dev.weir.rules.explain.NearMiss.OtherSpelling;
import dev.weir.rules.explain.NearMiss.OtherValue;
import dev.weir.rules.explain.NearMiss.Outranked;
import dev.weir.rules.explain.NearMiss.TooFew;
import dev.weir.rules.explain.NearMiss.TooMany;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A near miss tells the truth: what is mended as it says lands on its rule; and what was broken in one way is found. */
final class NearMissLawTest {
    private static final String[] KEYS = {"path", "user", "User", "tier"};
    private static final String[] VALUES = {"", "/api/*", "*", "/api/a", "/API/a", "anna", "an*", "7"};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void who_mends_what_it_says_meets_the_rule(long seed) {
        var random = new SplittableRandom(seed);
        int mended = 0;
        for (int i = 0; i < 150; i++) {
            var places = places(random);
            var tree = Trees.of(places);
            for (int j = 0; j < 60; j++) {
                var descriptor = descriptor(random);
                for (var miss : Explanation.of(tree, descriptor).nearMisses()) {
                    var mend = mend(descriptor, miss);
                    if (mend != null) {
                        mended++;
                        assertThat(tree.match(Descriptor.of(mend.toArray(Entry[]::new))))
                                .as("seed %d, %s in %s: %s", seed, descriptor.entries(), places, miss)
                                .isSameAs(miss.rule());
                    }
                }
            }
        }
        assertThat(mended).as("seed %d: descriptors mended", seed).isGreaterThan(500);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void a_descriptor_that_lost_its_rule_by_one_change_is_told_of_it(long seed) {
        var random = new SplittableRandom(seed);
        int lost = 0;
        for (int i = 0; i < 300; i++) {
            var places = places(random);
            var tree = Trees.of(places);
            for (int j = 0; j < 60; j++) {
                var descriptor = descriptor(random);
                var rule = tree.match(descriptor);
                var broken = broken(random, descriptor);
                if (rule != null && hasKeysOfItsOwn(rule) && tree.match(broken) == null) {
                    lost++;
                    assertThat(Explanation.of(tree, broken).nearMisses())
                            .as("seed %d, %s once %s in %s", seed, broken.entries(), descriptor.entries(), places)
                            .anyMatch(miss -> miss.rule() == rule);
                }
            }
        }
        assertThat(lost).as("seed %d: rules lost", seed).isGreaterThan(50);
    }

    /** Returns the descriptor as the near miss would have it, or null where it names no such one. */
    private static @Nullable List<Entry> mend(Descriptor descriptor, NearMiss miss) {
        var entries = descriptor.entries();
        return switch (miss) {
            case OtherOrder other -> {
                assertThat(other.order()).containsExactlyInAnyOrderElementsOf(entries);
                yield other.order();
            }
            case TooMany many -> {
                List<Entry> fewer = new ArrayList<>(entries);
                many.extra().forEach(extra -> assertThat(fewer.remove(extra)).isTrue());
                yield fewer.size() + many.extra().size() == entries.size() && isDistinct(entries) ? fewer : null;
            }
            case OtherSpelling other -> replaced(entries, other.entry(), other.level());
            case OtherValue other -> replaced(entries, other.entry(), other.level());
            case OtherKey other -> replaced(entries, other.entry(), other.level());
            case TooFew few -> {
                assertThat(few.missing()).hasSize(few.rule().levels().size() - entries.size());
                yield null;
            }
            case Outranked outranked -> {
                assertThat(outranked.level().fits(outranked.entry())).isTrue();
                assertThat(outranked.winner().fits(outranked.entry())).isTrue();
                yield null;
            }
        };
    }

    private static @Nullable List<Entry> replaced(List<Entry> entries, Entry entry, Rule.Level level) {
        if (!isDistinct(entries)) {
            return null; // it does not say which of two equal entries it means
        }
        var value = level.fits(entry.value()) ? entry.value() : level.value().replace("*", "\u0001");
        return entries.stream()
                .map(one -> one.equals(entry) ? new Entry(level.key(), value) : one)
                .toList();
    }

    private static boolean isDistinct(List<Entry> entries) {
        return entries.stream().distinct().count() == entries.size();
    }

    private static boolean hasKeysOfItsOwn(Rule rule) {
        return rule.levels().stream().map(Rule.Level::key).distinct().count()
                == rule.levels().size();
    }

    /** Another order, an entry more, or one less; never at the expense of the first one's being there. */
    private static Descriptor broken(SplittableRandom random, Descriptor descriptor) {
        List<Entry> entries = new ArrayList<>(descriptor.entries());
        switch (random.nextInt(3)) {
            case 0 -> Collections.shuffle(entries, new Random(random.nextLong()));
            case 1 -> entries.add(random.nextInt(entries.size() + 1), new Entry("more", "1"));
            default -> {
                if (entries.size() > 1) {
                    entries.remove(random.nextInt(entries.size()));
                }
            }
        }
        return Descriptor.of(entries.toArray(Entry[]::new));
    }

    private static List<String> places(SplittableRandom random) {
        var places = new TreeSet<String>();
        for (int i = random.nextInt(1, 9); i > 0; i--) {
            List<String> nodes = new ArrayList<>();
            for (int depth = random.nextInt(1, 4); depth > 0; depth--) {
                var value = VALUES[random.nextInt(VALUES.length)];
                nodes.add(KEYS[random.nextInt(KEYS.length)] + (value.isEmpty() ? "" : "=" + value));
            }
            places.add(String.join(",", nodes));
        }
        List<String> shuffled = new ArrayList<>(places);
        Collections.shuffle(shuffled, new Random(random.nextLong()));
        return shuffled;
    }

    private static Descriptor descriptor(SplittableRandom random) {
        var entries = new Entry[random.nextInt(1, 4)];
        for (int i = 0; i < entries.length; i++) {
            entries[i] = new Entry(KEYS[random.nextInt(KEYS.length)], VALUES[random.nextInt(VALUES.length)]);
        }
        return Descriptor.of(entries);
    }
}
