package dev.weir.tls;

import java.nio.file.Path;

/** Is told what becomes of files that change. Called on the thread that looks at them. */
public interface RenewalListener {

    /** Other files are in force for new connections. */
    void renewed();

    /**
     * Files have changed and cannot be used; those before stay in force.
     *
     * @param file the one that is wrong
     * @param reason in words that fit behind its name
     */
    void kept(Path file, String reason);
}
