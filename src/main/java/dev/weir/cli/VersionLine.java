package dev.weir.cli;

import dev.weir.jvm.Version;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionLine implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"weir " + Version.ofWeir() + " (Java " + Version.ofJava() + ")"};
    }
}
