package dev.weir.rules;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The domains met so far, with the first level of each: where domains are not merged, each may be named only once. */
public final class DomainPlaces {
    private final boolean mergeDomains;
    private final String whole;
    private final Map<String, Place> places = new HashMap<>();

    /**
     * Begins with no domain.
     *
     * @param mergeDomains whether a domain may be named several times ({@code MERGE_DOMAIN_CONFIG})
     * @param whole what names one domain: a file, a resource
     */
    public DomainPlaces(boolean mergeDomains, String whole) {
        this.mergeDomains = mergeDomains;
        this.whole = whole;
    }

    /** Notes that a domain is named here; returns the mistake if it must not be, else null. */
    public @Nullable String name(String domain, String place) {
        Place first = places.putIfAbsent(domain, new Place(place, new Siblings()));
        return first == null || mergeDomains
                ? null
                : "the domain `%s` is defined at %s already; put both into one %s, rename one, or set"
                                .formatted(Mistake.quoted(domain), first.text(), whole)
                        + " MERGE_DOMAIN_CONFIG=true";
    }

    /** Returns the nodes of the domain's first level so far; none if it was not named. */
    public Siblings firstLevel(String domain) {
        Place place = places.get(domain);
        return place == null ? new Siblings() : place.firstLevel();
    }

    private record Place(String text, Siblings firstLevel) {}
}
