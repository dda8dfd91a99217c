package dev.weir.cli;

import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.nio.file.Path;
import java.util.List;

/** Finds rule files as the service does; the root says how. */
@FunctionalInterface
public interface SourceFinder {

    /**
     * Reads the files that are named, and those below the directories that are named.
     *
     * @throws RulesException if one of them cannot be read
     */
    List<SourceFile> given(List<Path> paths) throws RulesException;
}
