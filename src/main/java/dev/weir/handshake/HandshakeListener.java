package dev.weir.handshake;

import dev.weir.tls.RenewalListener;

/** Is told how handshakes fare, and what becomes of files that change. Called from several threads. */
public interface HandshakeListener extends RenewalListener {

    /**
     * A caller did not get through. Who connects and says nothing, as probes do, is not told of.
     *
     * @param caller its address, or words in its place, for brackets
     * @param why it did not
     */
    void refused(String caller, HandshakeFailure why);
}
