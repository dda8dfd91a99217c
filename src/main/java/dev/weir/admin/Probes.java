package dev.weir.admin;

import java.util.List;

/** What probes want to know of the service. */
public interface Probes {

    /**
     * Returns why requests should not come here, each reason in plain words; empty if they should.
     *
     * @param needsStore whether the store must answer now; otherwise its loss counts only where the operator wishes so
     */
    List<String> obstacles(boolean needsStore);

    /** Returns why the service cannot answer at all, so that only a new start helps; empty if it can. Blocks for seconds if not. */
    List<String> stuck();
}
