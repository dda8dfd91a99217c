package dev.weir.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Messages of any shape, and what becomes of them on a bad day. */
final class RandomRequests {
    private static final String[] TEXTS = {"", "user", "path", "/a/ünï", "\0", "😀", "x".repeat(200)};
    private static final long[] NUMBERS = {0, 1, 2, 7, 127, 128, 1L << 31, -1, Long.MAX_VALUE, Long.MIN_VALUE};

    private RandomRequests() {}

    /** Returns a message that may be cut in two halves of which each says a part, and has fields that nobody knows. */
    static byte[] message(SplittableRandom random) {
        byte[] first = part(random);
        if (random.nextInt(4) > 0) {
            return first;
        }
        byte[] second = part(random);
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** Returns a message with some bytes changed, cut short, or doubled. */
    static byte[] broken(SplittableRandom random) {
        byte[] bytes = message(random);
        if (bytes.length == 0) {
            return bytes;
        }
        int kind = random.nextInt(6);
        if (kind == 0) {
            return Arrays.copyOf(bytes, random.nextInt(bytes.length));
        }
        for (int i = random.nextInt(3); i >= 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) (kind == 1 ? random.nextInt(32) : random.nextInt());
        }
        return bytes;
    }

    private static byte[] part(SplittableRandom random) {
        var message = RateLimitRequest.newBuilder();
        if (random.nextBoolean()) {
            message.setDomain(text(random));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            message.addDescriptors(descriptor(random));
        }
        if (random.nextBoolean()) {
            message.setHitsAddend((int) number(random));
        }
        if (random.nextInt(4) == 0) {
            message.setUnknownFields(unknown(random));
        }
        return message.build().toByteArray();
    }

    private static RateLimitDescriptor descriptor(SplittableRandom random) {
        var descriptor = RateLimitDescriptor.newBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            descriptor.addEntriesBuilder().setKey(text(random)).setValue(text(random));
        }
        if (random.nextInt(3) == 0) {
            descriptor
                    .getLimitBuilder()
                    .setRequestsPerUnit((int) number(random))
                    .setUnitValue(random.nextInt(10) == 0 ? 9 : 1 + random.nextInt(7));
        }
        if (random.nextInt(3) == 0) {
            descriptor.getHitsAddendBuilder().setValue(number(random));
        }
        if (random.nextInt(3) == 0) {
            descriptor.setUnknownFields(unknown(random));
        }
        return descriptor.build();
    }

    /** Numbers that mean nothing, field 4 of a descriptor that means a refund, and known numbers of another wire type. */
    private static UnknownFieldSet unknown(SplittableRandom random) {
        var field = UnknownFieldSet.Field.newBuilder();
        switch (random.nextInt(4)) {
            case 0 -> field.addVarint(number(random)).addVarint(number(random));
            case 1 -> field.addFixed32(random.nextInt());
            case 2 -> field.addLengthDelimited(ByteString.copyFromUtf8(text(random)));
            default ->
                field.addGroup(UnknownFieldSet.newBuilder()
                        .addField(
                                1,
                                UnknownFieldSet.Field.newBuilder().addFixed64(7).build())
                        .build());
        }
        return UnknownFieldSet.newBuilder()
                .addField(random.nextBoolean() ? 4 : 4 + random.nextInt(30), field.build())
                .build();
    }

    private static String text(SplittableRandom random) {
        return TEXTS[random.nextInt(TEXTS.length)];
    }

    private static long number(SplittableRandom random) {
        return NUMBERS[random.nextInt(NUMBERS.length)];
    }
}
