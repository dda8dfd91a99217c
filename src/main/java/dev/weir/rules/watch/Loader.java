package dev.weir.rules.watch;

import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.rules.SourceFile;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rules of files; what their text looks like is its own affair. */
@FunctionalInterface
public interface Loader {

    /**
     * Returns the rules of all files.
     *
     * @param former the rules in force, from which what did not change may be taken, or null
     * @throws RulesException if any of them is wrong, with every mistake
     */
    RuleSet load(List<SourceFile> files, @Nullable RuleSet former) throws RulesException;
}
