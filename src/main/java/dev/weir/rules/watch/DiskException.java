package dev.weir.rules.watch;

import dev.weir.rules.Mistake;
import java.io.IOException;
import java.nio.file.Path;

/** The disk, or the network that it is on, failed. That says nothing about the rules, and may have passed a moment later. */
final class DiskException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Mistake mistake;

    DiskException(Path path, IOException e) {
        super(e);
        this.mistake = new Mistake(
                path.toString(), 0, 0, "cannot be read (" + e + "); look after the disk, or the network that it is on");
    }

    /** Returns what to tell the operator. */
    Mistake mistake() {
        return mistake;
    }
}
