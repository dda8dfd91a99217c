package dev.weir.bench.request;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.bench.load.Question;
import java.io.ByteArrayOutputStream;
import java.util.function.IntFunction;

/**
 * Writes {@code envoy.service.ratelimit.v3.RateLimitRequest} as Protocol Buffers lay it out. Four fields do not want a
 * library; a test compares with the generated classes.
 */
final class RequestMessage {
    /** Fields of {@code RateLimitRequest}. */
    private static final int DOMAIN = 1;

    private static final int DESCRIPTORS = 2;
    private static final int HITS_ADDEND = 3;

    /** Field of {@code RateLimitDescriptor}. */
    private static final int ENTRIES = 1;

    /** Fields of an entry. */
    private static final int KEY = 1;

    private static final int VALUE = 2;

    private static final int VARINT = 0;
    private static final int BYTES = 2;
    private static final long UNSET_HITS = 1;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private RequestMessage() {}

    /**
     * Returns the message that asks for a key.
     *
     * @param digits of its number, as {@link Question.Entry#value} takes them
     */
    static byte[] of(Question question, IntFunction<String> digits) {
        var message = new RequestMessage();
        message.text(DOMAIN, question.domain());
        for (var descriptor : question.descriptors()) {
            message.bytes(DESCRIPTORS, descriptor(descriptor, digits));
        }
        if (question.hits() != UNSET_HITS) {
            message.varint((HITS_ADDEND << 3) | VARINT);
            message.varint(question.hits());
        }
        return message.out.toByteArray();
    }

    private static byte[] descriptor(Question.Descriptor descriptor, IntFunction<String> digits) {
        var message = new RequestMessage();
        for (var entry : descriptor.entries()) {
            var inner = new RequestMessage();
            inner.text(KEY, entry.key());
            inner.text(VALUE, entry.value(digits));
            message.bytes(ENTRIES, inner.out.toByteArray());
        }
        return message.out.toByteArray();
    }

    /** What is empty is not sent. */
    private void text(int field, String text) {
        if (!text.isEmpty()) {
            bytes(field, text.getBytes(UTF_8));
        }
    }

    private void bytes(int field, byte[] bytes) {
        varint((field << 3) | BYTES);
        varint(bytes.length);
        out.writeBytes(bytes);
    }

    private void varint(long number) {
        long rest = number;
        while (rest >= 1 << 7) {
            out.write((int) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
