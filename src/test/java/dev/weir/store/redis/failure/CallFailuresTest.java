package dev.weir.store.redis.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.HeardLog;
import dev.weir.store.StoreException;
import dev.weir.words.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.redisson.client.RedisException;

/** What the log says of calls that failed for a reason that nobody thought of. */
final class CallFailuresTest {
    @RegisterExtension
    private final HeardLog log = HeardLog.of(CallFailures.class);

    private final CallFailures failures =
            new CallFailures("redis:6379", false, Duration.ofSeconds(1), () -> Secrets.among(List.of("open-sesame")));

    @Test
    void a_defect_that_fails_each_call_is_written_with_its_stack_once() {
        var told = Stream.generate(IllegalStateException::new)
                .limit(100)
                .map(failures::told)
                .toList();
        assertThat(told).extracting(StoreException::getMessage).containsOnly("Redis failed: IllegalStateException");
        assertThat(log.lines()).containsExactly("ERROR a defect on the way to Redis");
        var _ = failures.told(new IllegalStateException()); // from elsewhere
        assertThat(log.lines()).hasSize(2);
    }

    @Test
    void a_secret_that_is_repeated_is_left_out_and_so_is_what_a_defect_says() {
        assertThat(failures.told(new RedisException("ERR bad AUTH open-sesame. channel: [id: 0x1]")))
                .hasMessage("Redis failed: ERR (what else is said repeats a secret, and is left out)");
        var _ = failures.told(new NumberFormatException("For input string: \"ann\""));
        assertThat(log.thrown()).containsExactly("java.lang.NumberFormatException");
    }

    @Test
    void what_does_not_speak_redis_is_no_defect() {
        var failure = new IllegalStateException("Can't decode replay: HTTP/1.1 502 Bad Gateway");
        failure.setStackTrace(new StackTraceElement[] {
            new StackTraceElement("org.redisson.client.handler.CommandDecoder", "decode", "CommandDecoder.java", 492)
        });
        assertThat(failures.told(failure))
                .hasMessage("Redis failed: what answers there does not speak Redis's protocol");
        assertThat(log.lines()).isEmpty();
    }
}
