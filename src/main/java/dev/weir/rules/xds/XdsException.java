package dev.weir.rules.xds;

/** The control plane cannot be spoken with; the message is a sentence for the operator, without its full stop. */
public final class XdsException extends Exception {

    XdsException(String message) {
        super(message);
    }
}
