package dev.weir.admin;

import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;

/** Question and answer of {@code /json}: the JSON that protobuf prescribes for Envoy's messages. */
public interface JsonMessages {

    /**
     * Reads a {@code RateLimitRequest}.
     *
     * @throws InvalidRequestException if the text is not one
     */
    Request readJson(String text);

    /** Writes a {@code RateLimitResponse}. */
    String writeJson(Verdict verdict);
}
