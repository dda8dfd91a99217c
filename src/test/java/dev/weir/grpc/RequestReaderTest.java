package dev.weir.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.UnknownFieldSet;
import dev.weir.decide.Bounds;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestReaderTest {
    private static final Bounds BOUNDS = new Bounds(64, 32, Long.MAX_VALUE);

    @Test
    void a_message_is_read_as_it_was_meant() {
        var message = RateLimitRequest.newBuilder().setDomain("shop").setHitsAddend(-1);
        var descriptor = message.addDescriptorsBuilder();
        descriptor.addEntriesBuilder().setKey("user").setValue("\0ünï");
        descriptor.getLimitBuilder().setRequestsPerUnit(-1).setUnitValue(7);
        descriptor.getHitsAddendBuilder().setValue(0);
        assertThat(RequestReader.read(message.build().toByteArray(), BOUNDS))
                .isEqualTo(new Request(
                        "shop",
                        List.of(new Descriptor(
                                List.of(new Entry("user", "\0ünï")), Quota.per(Unit.WEEK, Quota.MAX_HITS), 0, false)),
                        Quota.MAX_HITS));
    }

    @Test
    void a_refund_is_known_by_a_field_that_the_class_lacks() {
        assertThat(refund(1).isRefund()).isTrue();
        assertThat(refund(0).isRefund()).isFalse();
    }

    @Test
    void hits_beyond_a_long_are_too_many_and_not_unset() {
        var message = RateLimitRequest.newBuilder().setDomain("d");
        message.addDescriptorsBuilder().getHitsAddendBuilder().setValue(-1);
        assertThat(RequestReader.read(message.build().toByteArray(), BOUNDS)
                        .descriptors()
                        .getFirst()
                        .hits())
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, -1})
    void a_limit_without_a_known_unit_is_a_mistake(int unit) {
        var message = RateLimitRequest.newBuilder().setDomain("d");
        message.addDescriptorsBuilder().getLimitBuilder().setRequestsPerUnit(5).setUnitValue(unit);
        assertThatThrownBy(() -> RequestReader.read(message.build().toByteArray(), BOUNDS))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("unit");
    }

    @Test
    void a_domain_or_a_key_that_is_no_utf_8_is_a_mistake() {
        byte[] domain = {0x0A, 2, 'a', (byte) 0xFF}; // field 1, two bytes long
        byte[] key = {0x12, 5, 0x0A, 3, 0x0A, 1, (byte) 0xFF};
        assertThatThrownBy(() -> RequestReader.read(domain, BOUNDS)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> RequestReader.read(key, BOUNDS)).isInstanceOf(InvalidRequestException.class);
    }

    /** It is the library that refuses it: on the message's own level, and in a descriptor, an entry and a limit. */
    @ParameterizedTest
    @ValueSource(strings = {"0a0164" + "7c", "1201" + "7c", "1203" + "0a01" + "7c", "1203" + "1201" + "7c"})
    void the_end_of_a_group_that_did_not_begin_is_a_mistake(String bytes) {
        assertThatThrownBy(() -> RequestReader.read(HexFormat.of().parseHex(bytes), BOUNDS))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith("the message is no RateLimitRequest: ");
    }

    /** An end user sends it, whom an error would mostly let pass. */
    @Test
    void a_value_that_is_no_utf_8_is_read_with_a_sign_in_place_of_what_is_none() {
        byte[] value = {0x12, 6, 0x0A, 4, 0x12, 2, 'a', (byte) 0xFF};
        assertThat(RequestReader.read(value, BOUNDS).descriptors().getFirst().entries())
                .containsExactly(new Entry("", "a\uFFFD"));
    }

    /** What comes behind is no message, and nobody finds out: a kilobyte, packed, may hold half a million of them. */
    @ParameterizedTest
    @CsvSource({"64, 32, the message is no", "65, 1, may hold 64 descriptors", "1, 33, may hold 32 entries"})
    void no_more_is_read_than_a_request_may_hold(int descriptors, int entries, String mistake) {
        var message = RateLimitRequest.newBuilder().setDomain("d");
        for (int i = 0; i < descriptors; i++) {
            var descriptor = message.addDescriptorsBuilder();
            for (int j = 0; j < entries; j++) {
                descriptor.addEntriesBuilder().setKey("user");
            }
        }
        byte[] whole = message.build().toByteArray();
        byte[] andMore = Arrays.copyOf(whole, whole.length + 1);
        assertThatThrownBy(() -> RequestReader.read(andMore, BOUNDS))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(mistake);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void any_message_is_read_as_by_the_generated_classes(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 5_000; i++) {
            byte[] bytes = RandomRequests.message(random);
            assertThat(outcome(() -> RequestReader.read(bytes, BOUNDS)))
                    .as("seed %d, message %d", seed, i)
                    .isEqualTo(outcome(() -> GeneratedRequests.read(bytes)));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void any_bytes_are_taken_or_refused_as_by_the_generated_classes(long seed) {
        var random = new SplittableRandom(seed);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = RandomRequests.broken(random);
            Object outcome = outcome(() -> RequestReader.read(bytes, BOUNDS));
            if (hasOddValue(outcome)) {
                continue; // which those refuse
            }
            assertThat(outcome)
                    .as("seed %d, message %d: %s", seed, i, HexFormat.of().formatHex(bytes))
                    .isEqualTo(outcome(() -> GeneratedRequests.read(bytes)));
            taken += outcome instanceof Request ? 1 : 0;
        }
        assertThat(taken).as("both happen").isBetween(500, 19_500);
    }

    /** What came of it: a request, or that there was a mistake. Words differ, as the classes name their own fields. */
    private static Object outcome(Supplier<Request> read) {
        try {
            return read.get();
        } catch (InvalidRequestException mistake) {
            return "a mistake";
        }
    }

    private static boolean hasOddValue(Object outcome) {
        return outcome instanceof Request request
                && request.descriptors().stream()
                        .flatMap(descriptor -> descriptor.entries().stream())
                        .anyMatch(entry -> entry.value().indexOf('\uFFFD') >= 0);
    }

    private static Descriptor refund(long value) {
        var field = UnknownFieldSet.Field.newBuilder().addVarint(value).build();
        var descriptor = RateLimitDescriptor.newBuilder()
                .setUnknownFields(
                        UnknownFieldSet.newBuilder().addField(4, field).build());
        byte[] bytes = RateLimitRequest.newBuilder()
                .setDomain("d")
                .addDescriptors(descriptor)
                .build()
                .toByteArray();
        return RequestReader.read(bytes, BOUNDS).descriptors().getFirst();
    }
}
