package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.CounterKey;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HashTagsTest {

    @Test
    void slots_are_those_of_the_cluster_specification() {
        assertThat(HashTags.crc16("123456789".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(0x31C3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 16, 128, 4096})
    void tags_lie_evenly_over_the_slots(int count) {
        var tags = new HashTags("", count);
        int part = 16_384 / count;
        for (int i = 0; i < count; i++) {
            assertThat(slotOf(tags.tag(i))).isEqualTo(i * part + part / 2);
        }
    }

    @Test
    void a_key_is_prefix_tag_and_counter() {
        var tags = new HashTags("shop:", 1);
        byte[] counter = "counter".getBytes(StandardCharsets.US_ASCII);
        byte[] key = tags.redisKey(new CounterKey(counter, counter.length));
        assertThat(new String(key, StandardCharsets.US_ASCII)).isEqualTo("shop:" + tags.tag(0) + "counter");
    }

    /** Wherever the bytes stand that differ, and however far from the next eight. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15})
    void counters_spread_over_all_tags(int rest) {
        var tags = new HashTags("", 16);
        for (int before = 0; before < 9; before++) {
            String form = "x".repeat(before) + "%03d" + ".".repeat(rest);
            var counts = IntStream.range(0, 1_000)
                    .map(i -> {
                        byte[] bytes = form.formatted(i).getBytes(StandardCharsets.US_ASCII);
                        return tags.tagOf(new CounterKey(bytes, bytes.length));
                    })
                    .boxed()
                    .collect(Collectors.groupingBy(tag -> tag, Collectors.counting()));
            assertThat(counts).hasSize(16);
            assertThat(counts.values()).allMatch(count -> count < 125, "no more than twice its share");
        }
    }

    private static int slotOf(String tag) {
        return HashTags.crc16(tag.substring(1, tag.length() - 1).getBytes(StandardCharsets.US_ASCII)) % 16_384;
    }
}
