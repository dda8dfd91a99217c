package dev.weir.cli;

import dev.weir.settings.Settings;

/** Runs the service until it is told to end; the root does. */
@FunctionalInterface
public interface Serve {

    /**
     * Runs the service. The log is set up already.
     *
     * @return the exit code of the process
     */
    int serve(Settings settings);
}
