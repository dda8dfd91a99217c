package dev.weir.http2.header;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.InternalMetadata;
import io.grpc.InternalStatus;
import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StatusMessageTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void is_encoded_as_grpc_java_encodes_it(long seed) {
        var random = new SplittableRandom(seed);
        for (int i = 0; i < 2_000; i++) {
            var text = new StringBuilder();
            for (int length = random.nextInt(20); length > 0; length--) {
                text.appendCodePoint(random.nextInt(random.nextBoolean() ? 0x80 : 0xD800));
            }
            assertThat(StatusMessage.encode(text.toString()).toString())
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(byGrpcJava(text.toString()));
        }
    }

    private static String byGrpcJava(String message) {
        var metadata = new Metadata();
        metadata.put(InternalStatus.MESSAGE_KEY, message);
        return new String(InternalMetadata.serialize(metadata)[1], StandardCharsets.US_ASCII);
    }
}
