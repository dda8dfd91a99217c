package dev.weir.rules;

import java.util.List;
import java.util.stream.Collectors;

/** Rules that cannot be put in force, with every mistake found in them. */
public final class RulesException extends Exception {
    private final transient List<Mistake> mistakes;

    /** Creates the exception from at least one mistake. */
    public RulesException(List<Mistake> mistakes) {
        super(mistakes.stream().map(Mistake::toString).collect(Collectors.joining("\n")));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns the mistakes, by file, line and column. */
    public List<Mistake> mistakes() {
        return mistakes;
    }
}
