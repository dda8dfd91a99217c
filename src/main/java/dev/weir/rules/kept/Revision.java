package dev.weir.rules.kept;

import dev.weir.rules.watch.Overlay.Laid;
import dev.weir.store.Shelf.Standing;
import dev.weir.store.StoreException;
import dev.weir.words.Counted;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All rules that were kept at some time. Each change makes the next revision of the last; after the loss of all, by a Redis and by all who
 * know them, numbers go on above those that were lost, for they follow the clock.
 *
 * @param number 0 as long as nothing was kept; then the seconds since the epoch, or one more than the last
 * @param mark tells it from another one of the same number: one of the two was lost with the Redis that knew it
 * @param domains by the time they were first put
 */
public record Revision(long number, String mark, List<KeptDomain> domains) {
    /** Nothing was ever kept. */
    static final Revision NONE = new Revision(0, "", List.of());

    private static final Pattern STAMP = Pattern.compile("([1-9]\\d{0,17})-([0-9a-f]{1,16})");

    public Revision {
        domains = List.copyOf(domains);
    }

    /**
     * Reads what stands on the shelf.
     *
     * @param place of the shelf
     * @throws StoreException if somebody else has put it there
     */
    static Revision of(Standing standing, String place) {
        if (standing.equals(Standing.NOTHING)) {
            return NONE;
        }
        Matcher stamp = STAMP.matcher(standing.stamp());
        List<KeptDomain> domains = KeptForm.read(standing.text());
        if (!stamp.matches() || domains == null) {
            throw StoreException.ofAnswer(place + ", where rules are kept, was not written by Weir; remove it");
        }
        return new Revision(Long.parseLong(stamp.group(1)), stamp.group(2), domains);
    }

    Standing standing() {
        return new Standing(stamp(), KeptForm.write(domains));
    }

    String stamp() {
        return number == 0 ? "" : number + "-" + mark;
    }

    /** Returns the rules of a domain, if some are kept. */
    public Optional<KeptDomain> domain(String name) {
        return domains.stream().filter(domain -> domain.name().equals(name)).findFirst();
    }

    /** Returns the next one, in which a domain's rules are these. */
    Revision with(KeptDomain put, Instant now) {
        boolean isKnown = domain(put.name()).isPresent();
        return next(
                now,
                isKnown
                        ? domains.stream().map(domain -> domain.name().equals(put.name()) ? put : domain)
                        : Stream.concat(domains.stream(), Stream.of(put)));
    }

    /** Returns the next one, in which no rules of a domain are kept. */
    Revision without(String name, Instant now) {
        return next(now, domains.stream().filter(domain -> !domain.name().equals(name)));
    }

    private Revision next(Instant now, Stream<KeptDomain> changed) {
        return new Revision(
                Math.max(number + 1, now.getEpochSecond()),
                Long.toHexString(ThreadLocalRandom.current().nextLong()),
                changed.toList());
    }

    long weight() {
        return domains.stream().mapToLong(KeptDomain::weight).sum();
    }

    Laid laid() {
        String origin = domains.isEmpty()
                ? ""
                : Counted.of(domains.size(), "domain") + " kept in the store (revision " + number + ")";
        return new Laid(
                stamp(), origin, domains.stream().map(KeptDomain::source).toList());
    }
}
