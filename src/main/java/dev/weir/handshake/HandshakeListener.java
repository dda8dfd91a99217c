package dev.weir.handshake;

import java.nio.file.Path;

/** Is told how handshakes fare, and what becomes of files that change. Called from several threads. */
public interface HandshakeListener {

    /**
     * A caller did not get through. Who connects and says nothing, as probes do, is not told of.
     *
     * @param caller its address, or words in its place
     * @param why it did not
     */
    void refused(String caller, Refusal why);

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
