package dev.weir.logging;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.core.spi.ContextAwareBase;

/**
 * Sets up the log of tests, as {@code main} sets up that of the service: Logback finds this class as a service and asks it first.
 * Without it, every library would write its debug lines to standard output.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class FirstLogs extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        Logs.set(context, Logs.AT_FIRST);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
