package dev.weir.testing;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** What tests need from outside and look for once: there it is, or the reason why not. */
sealed interface Sought<T> {

    /** It was found. */
    record Present<T>(T it) implements Sought<T> {}

    /** It was not, for a reason that is printed. */
    record Absent<T>(String reason) implements Sought<T> {
        public Absent {
            System.out.println(reason);
        }
    }

    /** Returns what was found. If nothing was, the test that asks is skipped; with CI=true it fails. */
    default T require() {
        return switch (this) {
            case Present<T>(var it) -> it;
            case Absent<T>(var reason) when "true".equals(System.getenv("CI")) -> Assertions.fail(reason);
            case Absent<T>(var reason) -> Assumptions.abort(reason);
        };
    }
}
