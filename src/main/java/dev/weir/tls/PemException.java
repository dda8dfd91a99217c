package dev.weir.tls;

import java.nio.file.Path;

/** A file of certificates or keys that cannot be used; the message says why, in words that fit behind its name. */
public final class PemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String file;

    PemException(Path file, String reason) {
        super(reason);
        this.file = file.toString();
    }

    /** Returns the path of the file. */
    public Path file() {
        return Path.of(file);
    }

    /** Returns why it cannot be used. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
