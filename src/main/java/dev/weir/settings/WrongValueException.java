package dev.weir.settings;

/** A variable's text is not what it may be. */
final class WrongValueException extends Exception {
    private final String advice;

    WrongValueException(String advice) {
        super(advice, null, false, false);
        this.advice = advice;
    }

    /** Returns what to do about it, to stand behind a colon. */
    String advice() {
        return advice;
    }
}
