package dev.weir.admin;

import dev.weir.request.InvalidRequestException;

/** Is told of requests to {@code /json} that ended outside of the decider. Called from several threads. */
public interface JsonListener {

    /** It could not be read: the caller's mistake. */
    void refused(InvalidRequestException mistake);

    /** More came than can be held at once: it was turned away unread, and nothing was counted. */
    void turnedAway();

    /** A defect of the service kept it from being read or answered. */
    void failed();
}
