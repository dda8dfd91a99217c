package dev.weir;

import dev.weir.cli.CommandLineInterface;
import dev.weir.settings.Settings;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/** The program {@code weir}. */
public final class Weir {
    private static final int FAILED = 1;

    private Weir() {}

    /** Runs the command that the arguments name; {@code serve} if they name none. */
    public static void main(String[] arguments) {
        int exitCode = CommandLineInterface.run(arguments, System.getenv(), System.out, System.err, Weir::serve);
        System.exit(exitCode);
    }

    /** Serves until the process is told to end; never returns then, because the process ends in good order. */
    private static int serve(Settings settings) {
        try {
            Service service = Service.start(settings);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(service), "weir-stop"));
            if (settings.isHinting()) {
                Hints.print(settings, System.out);
            }
            new CountDownLatch(1).await();
        } catch (StartException e) {
            LoggerFactory.getLogger("weir").error("Weir cannot start: {}", e.getMessage());
        } catch (InterruptedException _) {
            LoggerFactory.getLogger("weir").error("Weir was interrupted");
        }
        return FAILED;
    }

    /** Java would report the signal as the exit code; a service that ended as it was asked to has not failed. */
    private static void end(Service service) {
        service.stop();
        Runtime.getRuntime().halt(0);
    }
}
