package dev.weir.rules.watch;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * Lets a thread step back behind all others, which Java does not do on Linux whatever a thread's priority is.
 *
 * <p>Ten thousand rules take half a second of a processor to load. Where requests keep the processors busy, they would wait for
 * their turn meanwhile, and be late.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/nice.2.html">nice(2)</a>, which on Linux is for the calling thread
 */
final class Niceness {
    /** About a tenth of the share of others, where there is not enough for all. */
    private static final int STEPS = 10;

    private Niceness() {}

    /** Steps back, for good; does nothing on systems that cannot do so for a single thread. */
    @SuppressWarnings("restricted") // Java has no other way, and the launcher allows this one
    static void stepBack() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).equals("linux")) {
            return;
        }
        var linker = Linker.nativeLinker();
        var nice = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("nice"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try {
            var _ = (int) nice.invokeExact(STEPS); // refused, it changes nothing
        } catch (Throwable e) {
            throw new IllegalStateException("nice throws nothing", e);
        }
    }
}
