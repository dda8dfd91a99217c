package dev.weir.rules.watch;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.List;

/** Makes rules of files; what their text looks like is its own affair. */
@FunctionalInterface
public interface Loader {

    /**
     * Returns the rules of all files.
     *
     * @throws RulesException if any of them is wrong, with every mistake
     */
    RuleSet load(List<SourceFile> files) throws RulesException;
}
