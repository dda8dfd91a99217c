package dev.weir.settings.table;

import java.util.List;

/** The environment says things that cannot be done: every one of them, in sentences for the operator. */
public final class SettingsException extends Exception {
    private final transient List<String> mistakes;

    SettingsException(List<String> mistakes) {
        super(String.join("\n", mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** Returns one sentence for each mistake: the variable, its value (unless it is a secret) and what is allowed. */
    public List<String> mistakes() {
        return mistakes;
    }
}
