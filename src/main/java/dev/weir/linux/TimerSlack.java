package dev.weir.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * Lets a thread that sleeps until an instant be woken then, and not up to 50 us later, as Linux does to wake for several
 * timers at once.
 *
 * <p>Who asks at a fixed rate counts time from when a request was due, so what it oversleeps is counted as the service's.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/PR_SET_TIMERSLACK.2const.html">PR_SET_TIMERSLACK(2)</a>
 */
public final class TimerSlack {
    private static final int PR_SET_TIMERSLACK = 29;

    /** The least: zero asks for the preset. */
    private static final long NANOS = 1;

    private TimerSlack() {}

    /** Gives up the slack of the calling thread, for good; does nothing on systems that know none. */
    public static void none() {
        SystemCall.make(
                "prctl",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                prctl -> (int) prctl.invokeExact(PR_SET_TIMERSLACK, NANOS), // refused, it changes nothing
                Linker.Option.firstVariadicArg(1));
    }
}
