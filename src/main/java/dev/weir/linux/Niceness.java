package dev.weir.linux;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a thread step back behind all others, which Java does not do on Linux whatever a thread's priority is.
 *
 * <p>Ten thousand rules take half a second of a processor to load. Where requests keep the processors busy, they would wait for
 * their turn meanwhile, and be late.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/nice.2.html">nice(2)</a>, which on Linux is for the calling thread
 */
public final class Niceness {
    private static final Logger LOG = LoggerFactory.getLogger(Niceness.class);

    /** About a tenth of the share of others, where there is not enough for all. */
    private static final int STEPS = 10;

    private Niceness() {}

    /** Steps back, for good; does nothing where a single thread cannot do so, or an application denies native access. */
    public static void stepBack() {
        try {
            SystemCall.make("nice", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), nice ->
                    (int) nice.invokeExact(STEPS)); // refused, it changes nothing
        } catch (RuntimeException | LinkageError | VirtualMachineError e) { // rules load all the same
            LOG.debug("a thread does not step back behind requests", e);
        }
    }
}
