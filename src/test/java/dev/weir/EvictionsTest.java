package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.store.redis.RedisListener.Memory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** What the log says of a Redis that forgets counters. */
final class EvictionsTest {
    private static final String WARNING =
            "WARN Redis at a:1 will forget counters when it is full (maxmemory-policy %s), and a forgotten counter admits its"
                    + " limit again; give it maxmemory-policy noeviction";

    private final KeepingLogger log = new KeepingLogger();
    private final Evictions evictions = new Evictions(log);

    @Test
    void a_redis_that_would_forget_counters_is_warned_of_once_until_its_policy_changes() {
        hear("a:1", 9, "allkeys-lru");
        hear("a:1", 9, "allkeys-lru");
        hear("a:1", 9, "volatile-ttl");
        assertThat(log.lines).containsExactly(WARNING.formatted("allkeys-lru"), WARNING.formatted("volatile-ttl"));
    }

    @Test
    void each_redis_is_warned_of() {
        hear("a:1", 9, "allkeys-lru");
        hear("b:1", 9, "allkeys-lru");
        assertThat(log.lines).hasSize(2).last().asString().contains("Redis at b:1 ");
    }

    @Test
    void a_redis_without_a_bound_is_never_full_and_one_that_keeps_its_keys_forgets_none() {
        hear("a:1", 0, "allkeys-lru");
        hear("b:1", 9, "noeviction");
        assertThat(log.lines).isEmpty();
    }

    @Test
    void a_redis_that_was_mended_is_told_of_once_and_warned_of_again_when_it_changes_back() {
        hear("a:1", 9, "allkeys-lru");
        hear("a:1", 9, "noeviction");
        hear("a:1", 9, "noeviction");
        hear("a:1", 9, "allkeys-lru");
        assertThat(log.lines)
                .containsExactly(
                        WARNING.formatted("allkeys-lru"),
                        "INFO Redis at a:1 will forget no counters any more (maxmemory-policy noeviction, maxmemory 9)",
                        WARNING.formatted("allkeys-lru"));
    }

    @Test
    void evicted_keys_are_told_of_seldom() {
        var memory = new Memory("a:1", "r1", 9, 9, "noeviction", 0); // changed after it had evicted
        evictions.heard(memory, 0);
        assertThat(log.lines).isEmpty();
        evictions.heard(memory, 300);
        evictions.heard(memory, 20);
        assertThat(log.lines)
                .containsExactly(
                        "WARN Redis at a:1 was full and has evicted keys; a counter among them admits its limit"
                                + " again (keys since the last such line: 300)");
    }

    @Test
    void each_redis_is_told_of_with_its_own_keys() {
        evictions.heard(new Memory("a:1", "r1", 9, 9, "noeviction", 0), 300);
        evictions.heard(new Memory("b:1", "r1", 9, 9, "noeviction", 0), 20);
        assertThat(log.lines).hasSize(2);
        assertThat(log.lines.getFirst()).contains("Redis at a:1 ", "line: 300");
        assertThat(log.lines.getLast()).contains("Redis at b:1 ", "line: 20");
    }

    private void hear(String node, long maxBytes, String policy) {
        evictions.heard(new Memory(node, "r1", 1, maxBytes, policy, 0), 0);
    }

    /** Keeps what is said at any level. */
    private static final class KeepingLogger extends LegacyAbstractLogger {
        private final transient List<String> lines = new ArrayList<>();

        @Override
        protected void handleNormalizedLoggingCall(
                Level level,
                @Nullable Marker marker,
                String message,
                Object @Nullable [] arguments,
                @Nullable Throwable failure) {
            lines.add(level + " " + MessageFormatter.basicArrayFormat(message, arguments));
        }

        @Override
        protected @Nullable String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return true;
        }

        @Override
        public boolean isDebugEnabled() {
            return true;
        }

        @Override
        public boolean isInfoEnabled() {
            return true;
        }

        @Override
        public boolean isWarnEnabled() {
            return true;
        }

        @Override
        public boolean isErrorEnabled() {
            return true;
        }
    }
}
