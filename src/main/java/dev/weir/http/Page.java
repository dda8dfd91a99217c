package dev.weir.http;

/** Answers the requests for one path, whatever their method. Called on a virtual thread of its own, so it may wait. */
@FunctionalInterface
public interface Page {

    /** Returns the answer. What it throws is a defect: the caller is told of one, and the log says more. */
    Reply answer(Question question);

    /** Returns how many bytes of a body it wants to see; what comes after them is read past. */
    default int mostBytes() {
        return 0;
    }

    /** Returns whether it wants to see the body of who says this: else none of it is held. */
    default boolean reads(Authorization authorization) {
        return true;
    }
}
