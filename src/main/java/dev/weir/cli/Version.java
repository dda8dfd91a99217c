package dev.weir.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of Weir, as its build wrote it down, and of Java. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"weir " + ofWeir() + " (Java " + ofJava() + ")"};
    }

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
