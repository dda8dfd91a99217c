package dev.weir.decide;

import dev.weir.limit.Limit;
import dev.weir.request.Descriptor;
import dev.weir.request.Request;
import dev.weir.rules.NamedLimit;
import dev.weir.store.Reading;
import java.util.List;

/** Is told of the hits against the limits of one rule. Called from event loops: must not block, must not throw. */
public interface Tally {

    /**
     * The store has decided.
     *
     * @param limit the one that the descriptor's status shows
     * @param reading what the store said of it
     */
    void decided(Request request, Descriptor descriptor, Limit limit, Reading reading);

    /** Of several limits that hold together, the store has decided one that has a name. */
    void decidedByName(Request request, Descriptor descriptor, NamedLimit limit, Reading reading);

    /** Of several limits that hold together, the store did not decide one that has a name, and others were enough. */
    void undecidedByName(Request request, Descriptor descriptor, NamedLimit limit);

    /**
     * The store did not decide, or nobody waited for it.
     *
     * @param limits what the descriptor was to be held against
     */
    void undecided(Request request, Descriptor descriptor, List<NamedLimit> limits);
}
