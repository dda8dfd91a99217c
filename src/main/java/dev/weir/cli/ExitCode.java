package dev.weir.cli;

/** What the process ends with; scripts rely on these. */
final class ExitCode {
    /** All is well; {@code hit}: the request may pass; {@code explain}: there is a rule; {@code bench}: there were verdicts. */
    static final int OK = 0;
    /** The rules, the settings or the service asked are not as they should be, or the output could not be written. */
    static final int FAILED = 1;
    /** The command was not called as it should be. */
    static final int USAGE = 2;
    /** The request is refused. */
    static final int OVER_LIMIT = 3;
    /** No rule matches, so that the descriptor passes. */
    static final int NO_RULE = 4;

    private ExitCode() {}
}
