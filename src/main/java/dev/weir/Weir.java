package dev.weir;

import dev.weir.cli.CommandLineInterface;
import dev.weir.cli.Hints;
import dev.weir.logging.Logs;
import dev.weir.settings.Settings;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The program {@code weir}. */
public final class Weir {
    private static final int ENDED_WELL = 0;
    private static final int FAILED = 1;

    private Weir() {}

    /** Runs the command that the arguments name; {@code serve} if they name none. */
    public static void main(String[] arguments) {
        Logs.begin();
        int exitCode = CommandLineInterface.run(arguments, System.getenv(), System.out, System.err, Weir::serve);
        System.exit(exitCode);
    }

    /** Serves until the process is told to end, and ends in good order. */
    private static int serve(Settings settings) {
        var stopping = new Stopping();
        Runtime.getRuntime().addShutdownHook(new Thread(stopping, "weir-stop"));
        try {
            Service service = Service.start(settings);
            stopping.service = service;
            if (settings.life().isHinting()) {
                Hints.print(
                        settings,
                        Wiring.ruleFiles(settings.ruleFiles()).directory(),
                        service.grpcPort(),
                        service.httpPort(),
                        service.debugPort(),
                        System.out);
            }
            new CountDownLatch(1).await(); // the process ends in the hook
        } catch (StartException e) {
            LoggerFactory.getLogger("weir").error("Weir cannot start: {}", e.getMessage());
        } catch (InterruptedException _) {
            LoggerFactory.getLogger("weir").error("Weir was interrupted");
        }
        return FAILED;
    }

    /**
     * What happens when the process is told to end. Left to itself, Java ends with 143 after a SIGTERM, however well all went: a
     * failure to systemd and others. While nothing is served yet there is nothing to end, and whatever code the process ends with is
     * right: that of a failed start, too.
     */
    private static final class Stopping implements Runnable {
        private volatile @Nullable Service service;

        @Override
        public void run() {
            Service started = service;
            if (started != null) {
                started.stop();
                Logs.awaitWritten();
                Runtime.getRuntime().halt(ENDED_WELL);
            }
        }
    }
}
