package dev.weir.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.Eventually;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Which threads run their tasks and which stand still. */
final class EventLoopsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    void threads_that_run_are_not_silent() {
        try (var loops = new EventLoops()) {
            assertThat(loops.count()).isPositive();
            assertThat(loops.silent(LONG)).isZero();
        }
    }

    @Test
    void a_thread_that_stands_still_is_counted_until_it_goes_on() throws Exception {
        var isStuck = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        try (var loops = new EventLoops()) {
            loops.loop(0).execute(() -> {
                isStuck.countDown();
                await(release);
            });
            isStuck.await();
            try {
                Eventually.await("only that one is silent", () -> loops.silent(Duration.ofMillis(50)) == 1);
            } finally {
                release.countDown();
            }
            assertThat(loops.silent(LONG)).isZero();
        }
    }

    @Test
    void who_waits_for_the_end_finds_no_thread_any_more() throws Exception {
        var isStuck = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        var loops = EventLoops.single("weir-ending");
        loops.loop(0).execute(() -> {
            isStuck.countDown();
            await(release);
        });
        isStuck.await();
        assertThat(running("weir-ending")).hasSize(1);
        loops.close();
        var waiting = Thread.ofPlatform().start(() -> loops.awaitEnd(LONG));
        Eventually.await("it waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        release.countDown();
        waiting.join();
        assertThat(running("weir-ending")).isEmpty();
    }

    @Test
    void one_of_the_threads_does_not_wait_for_its_own_end() {
        try (var loops = EventLoops.single("weir-selfish")) {
            assertThat(CompletableFuture.runAsync(() -> loops.awaitEnd(Duration.ofDays(1)), loops.loop(0)))
                    .succeedsWithin(LONG);
        }
    }

    private static List<String> running(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(its -> its.startsWith(name))
                .toList();
    }

    @Test
    void each_thread_knows_its_number_and_no_other_has_one() {
        try (var loops = new EventLoops();
                var others = EventLoops.single("weir-other")) {
            assertThat(loops.current()).isEqualTo(-1);
            assertThat(CompletableFuture.supplyAsync(loops::current, others.loop(0))
                            .join())
                    .isEqualTo(-1);
            for (int i = 0; i < loops.count(); i++) {
                assertThat(CompletableFuture.supplyAsync(loops::current, loops.loop(i))
                                .join())
                        .isEqualTo(i);
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void linux_takes_little_for_a_socket_that_nobody_reads() throws Exception {
        var accepted = new CompletableFuture<Long>();
        try (var loops = new EventLoops()) {
            var server = loops.server()
                    .childHandler(new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelActive(ChannelHandlerContext context) {
                            accepted.complete(
                                    context.channel().config().getOption(EpollChannelOption.TCP_NOTSENT_LOWAT));
                        }
                    })
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .sync()
                    .channel();
            try (var _ = new Socket(
                    InetAddress.getLoopbackAddress(), ((InetSocketAddress) server.localAddress()).getPort())) {
                assertThat(accepted.join()).isEqualTo(EventLoops.UNSENT_BYTES);
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
