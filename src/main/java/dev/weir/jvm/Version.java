package dev.weir.jvm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The versions of Weir, as its build wrote it down, and of Java. */
public final class Version {

    private Version() {}

    /** Returns that of Weir. */
    public static String ofWeir() {
        var build = new Properties();
        try (var file = Version.class.getResourceAsStream("build.properties")) {
            if (file == null) {
                throw new IllegalStateException("the build left no build.properties");
            }
            build.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties is in the jar, yet cannot be read", e);
        }
        return String.valueOf(build.getProperty("version"));
    }

    /** Returns that of Java. */
    public static String ofJava() {
        return Runtime.version().toString();
    }
}
