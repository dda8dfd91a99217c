package dev.weir.rules.kept;

import dev.weir.rules.Mistake;
import java.util.List;

/** What came of a change that somebody wanted. */
public sealed interface Outcome {

    /**
     * It is kept, and comes into force wherever it is looked for, unless something is left that hinders.
     *
     * @param domain whose rules were put or deleted
     * @param revision what all that is kept is now
     * @param isFirst whether no rules of the domain were kept before
     * @param left mistakes in other domains that are kept, which were there before; nothing comes into force while there are any
     */
    record Kept(String domain, long revision, boolean isFirst, List<Mistake> left) implements Outcome {}

    /**
     * It would not come into force.
     *
     * @param mistakes in what was put, or in the files; at least one
     */
    record Wrong(List<Mistake> mistakes) implements Outcome {}

    /**
     * The files of this replica cannot be read: nobody knows whether it would come into force.
     *
     * @param reasons at least one
     */
    record Unread(List<Mistake> reasons) implements Outcome {}

    /** Rules of the domain are kept, and were not to be replaced. */
    record Taken(String domain) implements Outcome {}

    /** No rules of the domain are kept. */
    record Missing(String domain) implements Outcome {}

    /** The store was asked to keep it, and did not answer: nobody knows whether it does. */
    record Unknown(String domain, String reason) implements Outcome {}

    /** There is no room. */
    record TooMuch(long mostBytes) implements Outcome {}

    /** Others change rules at the same time, again and again. */
    record Overtaken() implements Outcome {}
}
