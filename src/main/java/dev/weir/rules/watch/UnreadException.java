package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import java.util.List;

/** The files of this replica cannot be read, so that nobody knows what would come of other rules over them. */
public final class UnreadException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<Mistake> reasons;

    /** Creates the exception from at least one reason, a directory or file each. */
    public UnreadException(List<Mistake> reasons) {
        this.reasons = List.copyOf(reasons);
    }

    /** Returns what to tell the operator. */
    public List<Mistake> reasons() {
        return reasons;
    }
}
