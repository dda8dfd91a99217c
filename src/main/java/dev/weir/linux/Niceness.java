package dev.weir.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;

/**
 * Lets a thread step back behind all others, which Java does not do on Linux whatever a thread's priority is.
 *
 * <p>Ten thousand rules take half a second of a processor to load. Where requests keep the processors busy, they would wait for
 * their turn meanwhile, and be late.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/nice.2.html">nice(2)</a>, which on Linux is for the calling thread
 */
public final class Niceness {
    /** About a tenth of the share of others, where there is not enough for all. */
    private static final int STEPS = 10;

    private Niceness() {}

    /** Steps back, for good; does nothing on systems that cannot do so for a single thread. */
    public static void stepBack() {
        SystemCall.make("nice", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), nice ->
                (int) nice.invokeExact(STEPS)); // refused, it changes nothing
    }
}
