package dev.weir.rules;

import dev.weir.limit.FailurePolicy;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The domains met so far, with the first level of each: where domains are not merged, each may be named only once. */
public final class DomainPlaces {
    private final boolean mergeDomains;
    private final String whole;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Stated> policies = new HashMap<>();

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

    /** Notes what a domain says of a failing store; returns the mistake if another part of it says something else, else null. */
    public @Nullable String onStoreFailure(String domain, FailurePolicy policy, String place) {
        Stated first = policies.putIfAbsent(domain, new Stated(policy, place));
        return first == null || first.policy == policy
                ? null
                : "the domain `%s` says `on_store_failure: %s` at %s already; write it there alone, or the same here"
                        .formatted(Mistake.quoted(domain), first.policy.word(), first.place);
    }

    /** Returns the nodes of the domain's first level so far; none if it was not named. */
    public Siblings firstLevel(String domain) {
        Place place = places.get(domain);
        return place == null ? new Siblings() : place.firstLevel();
    }

    private record Stated(FailurePolicy policy, String place) {}

    private record Place(String text, Siblings firstLevel) {}
}
