package dev.weir.settings.table;

/** A variable's text is not what it may be. */
public final class WrongValueException extends Exception {
    private final String advice;

    public WrongValueException(String advice) {
        super(advice, null, false, false);
        this.advice = advice;
    }

    /** Returns what to do about it, to stand behind a colon. */
    public String advice() {
        return advice;
    }
}
