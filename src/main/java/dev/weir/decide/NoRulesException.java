package dev.weir.decide;

/** No rules were loaded yet, so there is nothing to decide by. The message is for the caller. */
public final class NoRulesException extends RuntimeException {

    NoRulesException() {
        super(
                "no rate limit configuration loaded: the rules could not be read yet, see the log of Weir",
                null,
                false,
                false);
    }
}
