package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.CounterKey;
import java.nio.charset.StandardCharsets;
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

    @Test
    void counters_spread_over_all_tags() {
        var tags = new HashTags("", 16);
        var used = IntStream.range(0, 1_000)
                .map(i -> {
                    byte[] bytes = ("user" + i).getBytes(StandardCharsets.US_ASCII);
                    return tags.tagOf(new CounterKey(bytes, bytes.length));
                })
                .distinct()
                .count();
        assertThat(used).isEqualTo(16);
    }

    private static int slotOf(String tag) {
        return HashTags.crc16(tag.substring(1, tag.length() - 1).getBytes(StandardCharsets.US_ASCII)) % 16_384;
    }
}
