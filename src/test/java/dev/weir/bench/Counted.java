package dev.weir.bench;

/** What a generator might have counted, for who tells of it. */
public final class Counted {
    private Counted() {}

    /** Returns the totals of verdicts, each after a millisecond. */
    public static Totals verdicts(int number) {
        var totals = new Totals();
        for (int i = 0; i < number; i++) {
            totals.answered(1_000_000, false);
        }
        return totals;
    }

    /** Returns the totals of one request that the service refused to answer. */
    public static Totals unavailable(String words) {
        var totals = new Totals();
        totals.failed(Failure.status("14", words));
        return totals;
    }

    /** Returns the totals of lost connections and of an attempt to replace one. */
    public static Totals lost(int connections) {
        var totals = new Totals();
        for (int i = 0; i < connections; i++) {
            totals.lostConnection();
        }
        totals.failedReconnect();
        return totals;
    }
}
