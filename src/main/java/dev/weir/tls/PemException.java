package dev.weir.tls;

import java.nio.file.Path;

/** A file of certificates or keys that cannot be used; the message says why, in words that fit behind its name. */
public final class PemException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String file;
    private final Part part;

    /**
     * Creates one.
     *
     * @param file that cannot be used
     * @param part what of it
     * @param reason in words that fit behind its name
     */
    public PemException(Path file, Part part, String reason) {
        super(reason);
        this.file = file.toString();
        this.part = part;
    }

    /** What was looked for in a file; one file may hold both. */
    public enum Part {
        /** Certificates, of ourselves or of authorities. */
        CERTIFICATES,
        /** A private key. */
        KEY
    }

    /** Returns the path of the file. */
    public Path file() {
        return Path.of(file);
    }

    /** Returns what in the file cannot be used. */
    public Part part() {
        return part;
    }

    /** Returns why it cannot be used. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
