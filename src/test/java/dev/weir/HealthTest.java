package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.loop.EventLoops;
import dev.weir.rules.RuleSet;
import dev.weir.rules.watch.RulesSource;
import dev.weir.settings.Life;
import dev.weir.store.memory.MemoryStore;
import dev.weir.store.memory.Ticker;
import dev.weir.testing.Eventually;
import dev.weir.testing.MostlyWaits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a new start would help. What else a service says of its health is held by HealthIT. */
@MostlyWaits
final class HealthTest {

    @Test
    void a_thread_that_stands_still_is_told_of_until_it_goes_on() throws Exception {
        var isStuck = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var store = new MemoryStore(Ticker.system(), 1, 1);
                var loops = new EventLoops()) {
            var health = new Health(new Life.Health(false, false, false), store, new NoRules(), () -> true, loops);
            assertThat(health.stuck()).isEmpty();
            loops.loop(0).execute(() -> {
                isStuck.countDown();
                await(release);
            });
            isStuck.await();
            var told = "1 of %d threads that answer requests have stood still for 4 s".formatted(loops.count());
            try {
                Eventually.await(told, () -> health.stuck().equals(List.of(told)));
            } finally {
                release.countDown();
            }
            assertThat(health.stuck()).isEmpty();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says nothing and never will. */
    private static final class NoRules implements RulesSource {
        @Override
        public void start() {}

        @Override
        public @Nullable RuleSet inForce() {
            return null;
        }

        @Override
        public boolean hasSpoken() {
            return false;
        }

        @Override
        public void close() {}
    }
}
