package dev.weir.testing;

import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The {@code go} of this machine, which fetches modules and builds what tests hold Weir against. */
final class Go {
    /** Where its programs are kept from one build to the next. */
    static final Path PROGRAMS = Path.of("target", "go").toAbsolutePath();

    private Go() {}

    /**
     * Skips the test that asks if there is no {@code go}, also with CI=true: it is no part of the build, and Debian's packages
     * have none that is new enough. With one, {@link Sought#require} tells what happens if the modules are not to be had.
     *
     * @param left what is not done then, as a sentence that goes on
     */
    static void require(String left) {
        if (Child.executableOnPath("go").isEmpty()) {
            var reason = left + ": there is no go on the PATH.";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
    }
}
