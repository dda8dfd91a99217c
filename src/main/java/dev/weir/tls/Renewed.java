package dev.weir.tls;

import dev.weir.upkeep.Upkeep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/**
 * What was made of some files, and is made anew when other things are in them.
 *
 * <p>It looks at the files every second, at what is in them, so that a rename, a copy and the swap of a link two levels up are
 * the same to it. What has changed is read once two looks in a row see the same: a certificate is not taken before its key is
 * there. Files that cannot be used change nothing. They are read again with every look, for the fault can pass while they stand
 * still: a certificate whose time has not come yet, or a disk that failed.
 *
 * @param <T> what is made of them
 */
public final class Renewed<T> implements AutoCloseable {
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private final List<Path> files;
    private final Reading<T> reading;
    private final RenewalListener listener;
    private final Upkeep upkeep = new Upkeep(this::lookAgain, this::tellOfDefect);
    private volatile T inForce;

    // Of the thread that looks.
    private List<String> read;
    private List<String> last;
    private String complaint = "";

    /**
     * Reads the files. Nobody looks at them again before {@link #watch}.
     *
     * @param files none, if nobody is to watch
     * @throws PemException if one of them cannot be used
     */
    public Renewed(List<Path> files, Reading<T> reading, RenewalListener listener) throws PemException {
        this.files = List.copyOf(files);
        this.reading = reading;
        this.listener = listener;
        read = digests();
        last = read;
        inForce = reading.read();
    }

    /** Reads all of the files. */
    @FunctionalInterface
    public interface Reading<T> {
        /**
         * Reads them.
         *
         * @throws PemException if one of them cannot be used
         */
        T read() throws PemException;

        /**
         * Reads them to replace what is in force, and so may ask more of them.
         *
         * @throws PemException if one of them cannot be used
         */
        default T readAnew() throws PemException {
            return read();
        }
    }

    /** Begins to look at the files, on a thread of its own. */
    public void watch(String thread) {
        Thread.ofPlatform().daemon().name(thread).start(() -> upkeep.stepUntilEnd(BETWEEN_LOOKS));
    }

    /** Returns what was made of the files when they were last in order. */
    public T inForce() {
        return inForce;
    }

    /** Looks once, and reads the files if something in them has changed and stands still, or could not be used. */
    public void look() {
        var _ = upkeep.step();
    }

    private void lookAgain() {
        List<String> now = digests();
        if (now.equals(last) && !(now.equals(read) && complaint.isEmpty())) {
            if (!now.equals(read)) {
                complaint = ""; // of others
            }
            renew();
            read = now; // not before: what is broken off is begun again
        }
        last = now;
    }

    private void renew() {
        T renewed;
        try {
            renewed = reading.readAnew();
        } catch (PemException e) {
            keep(e.file(), e.reason());
            return;
        }
        complaint = "";
        inForce = renewed;
        listener.renewed();
    }

    private void tellOfDefect(Throwable defect) {
        keep(files.getFirst(), "it cannot be used, by a defect of the service: " + defect);
    }

    /** Says the same about the same files only once. */
    private void keep(Path file, String reason) {
        String said = file + ": " + reason;
        if (!said.equals(complaint)) {
            complaint = said;
            listener.kept(file, reason);
        }
    }

    /** Returns what tells whether a file has changed, however that was done: what is in each, or why it cannot be read. */
    private List<String> digests() {
        return files.stream().map(Renewed::digest).toList();
    }

    private static String digest(Path file) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (IOException e) {
            return e.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has it", e);
        }
    }

    /** Stops looking at the files. */
    @Override
    public void close() {
        upkeep.end();
    }
}
