package dev.weir.store.redis;

import dev.weir.store.redis.plain.ServerClock;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The script that counts, assembled from one file for each algorithm between the clock and the plan.
 *
 * @param text what Redis is given once
 * @param sha what it is called by afterwards: SHA-1 of the text, in hex
 * @param clock how its clock is asked for the time without it
 */
record Script(String text, String sha, ServerClock clock) {
    /** The files in the order in which they speak of each other: arithmetic, plain hits, algorithms, charge, plan, batch. */
    static final List<String> PARTS = List.of(
            "exact.lua",
            "cell.lua",
            "window.lua",
            "plain.lua",
            "fixed_window.lua",
            "sliding_window.lua",
            "sliding_parts.lua",
            "sliding_log.lua",
            "bucket.lua",
            "gcra.lua",
            "lock.lua",
            "charge.lua",
            "plan.lua",
            "batch.lua");

    /** Returns the script that production uses: its clock is Redis's. */
    static Script production() {
        return of(part("clock.lua"), ServerClock.production());
    }

    /**
     * Returns the script with another clock: the door for tests that need one of their own.
     *
     * @param clock its part of the script
     * @param serverClock how that clock is asked without the script
     */
    static Script of(String clock, ServerClock serverClock) {
        String text = Stream.concat(Stream.of(clock), PARTS.stream().map(Script::part))
                .collect(Collectors.joining("\n"));
        return new Script(text, sha1(text), serverClock);
    }

    /** Returns the text of one file of the script. */
    static String part(String name) {
        try (InputStream in = Script.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the distribution lacks " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-1", e);
        }
    }
}
