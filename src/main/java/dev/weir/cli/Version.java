package dev.weir.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions of Weir, as its build wrote it down, and of Java. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        var build = new Properties();
        try (var file = Version.class.getResourceAsStream("build.properties")) {
            if (file == null) {
                throw new IllegalStateException("the build left no build.properties");
            }
            build.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties is in the jar, yet cannot be read", e);
        }
        return new String[] {"weir " + build.getProperty("version") + " (Java " + Runtime.version() + ")"};
    }
}
