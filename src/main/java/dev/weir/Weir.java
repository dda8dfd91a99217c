package dev.weir;

import dev.weir.cli.CommandLineInterface;
import dev.weir.settings.Settings;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** The program {@code weir}. */
public final class Weir {
    private static final int ENDED_WELL = 0;
    private static final int FAILED = 1;

    private Weir() {}

    /** Runs the command that the arguments name; {@code serve} if they name none. */
    public static void main(String[] arguments) {
        int exitCode = CommandLineInterface.run(arguments, System.getenv(), System.out, System.err, Weir::serve);
        System.exit(exitCode);
    }

    /** Serves until the process is told to end, and ends in good order. */
    private static int serve(Settings settings) {
        try {
            Service service = Service.start(settings);
            endWhenTold(service);
            if (settings.life().isHinting()) {
                Hints.print(settings, System.out);
            }
            new CountDownLatch(1).await(); // the process ends in the hook
            return FAILED;
        } catch (StartException e) {
            LoggerFactory.getLogger("weir").error("Weir cannot start: {}", e.getMessage());
            return FAILED;
        } catch (InterruptedException _) {
            return FAILED;
        }
    }

    private static void endWhenTold(Service service) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(service), "weir-stop"));
        } catch (IllegalStateException _) { // it was told so already, while it opened its ports
            end(service);
        }
    }

    /** Left to itself, Java ends with 143 after a SIGTERM, however well all went: a failure to systemd and others. */
    private static void end(Service service) {
        service.stop();
        Runtime.getRuntime().halt(ENDED_WELL);
    }
}
