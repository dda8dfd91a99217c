package dev.weir.cli;

/** What the process ends with; scripts rely on these. */
final class ExitCode {
    /** All is well; for {@code hit}: the request may pass. */
    static final int OK = 0;
    /** The rules, the settings or the service asked are not as they should be. */
    static final int FAILED = 1;
    /** The command was not called as it should be. */
    static final int USAGE = 2;
    /** The request is refused. */
    static final int OVER_LIMIT = 3;

    private ExitCode() {}
}
