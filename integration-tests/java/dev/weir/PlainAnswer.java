package dev.weir;

import com.google.protobuf.Duration;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * An answer as text, and the times in it by themselves: two services that are asked one after the other see other seconds.
 *
 * @param text all that must be equal
 * @param seconds until windows end, of each descriptor and of the header
 */
record PlainAnswer(String text, List<Long> seconds) {
    private static final long TOLERANCE_SECONDS = 2;

    static PlainAnswer error(String text) {
        return new PlainAnswer(text, List.of());
    }

    static PlainAnswer of(RateLimitResponse response) {
        var seconds = new ArrayList<Long>();
        var rest = response.toBuilder();
        for (var status : rest.getStatusesBuilderList()) {
            if (status.hasDurationUntilReset()) {
                seconds.add(status.getDurationUntilReset().getSeconds());
                status.setDurationUntilReset(Duration.getDefaultInstance());
            }
        }
        for (var header : rest.getResponseHeadersToAddBuilderList()) {
            if (header.getKey().endsWith("Reset")) {
                seconds.add(Long.parseLong(header.getValue()));
                header.clearValue();
            }
        }
        if (rest.hasDynamicMetadata()) {
            rest.getDynamicMetadataBuilder().removeFields("quotaModeEnabled"); // no later version says this
        }
        var text = TextFormat.printer()
                .escapingNonAscii(false)
                .emittingSingleLine(true)
                .printToString(rest);
        // The metadata hold limits of callers as Go's text of messages, which has one space or two, as each build of it
        // pleases.
        return new PlainAnswer(text.replace("  ", " "), List.copyOf(seconds));
    }

    /** Returns an answer of {@code /json}; what the bodies of errors say is a deliberate difference. */
    static PlainAnswer of(HttpResponse<String> page) {
        if (page.statusCode() >= 400 && page.statusCode() != 429) {
            return error(Integer.toString(page.statusCode()));
        }
        var response = RateLimitResponse.newBuilder();
        try {
            JsonFormat.parser().merge(page.body(), response);
        } catch (InvalidProtocolBufferException e) {
            return error("%d, and what is no answer: %s (%s)".formatted(page.statusCode(), page.body(), e));
        }
        var answer = of(response.build());
        return new PlainAnswer(page.statusCode() + " " + answer.text, answer.seconds);
    }

    /** Returns whether nothing but the moment of asking tells the two apart. */
    boolean isLike(PlainAnswer other) {
        if (!text.equals(other.text) || seconds.size() != other.seconds.size()) {
            return false;
        }
        for (int i = 0; i < seconds.size(); i++) {
            if (Math.abs(seconds.get(i) - other.seconds.get(i)) > TOLERANCE_SECONDS) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return text + (seconds.isEmpty() ? "" : " (seconds: " + seconds + ")");
    }
}
