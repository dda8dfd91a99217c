package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.request.Route;
import io.netty.channel.ChannelException;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a connection hears that it cannot be made. */
@Timeout(60)
final class ConnectorTest {
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    @AfterEach
    void end() {
        var _ = group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void one_for_which_there_is_no_file_descriptor_fails_in_the_thread_of_the_event_loop() throws Exception {
        var loop = group.next();
        var connector = new Connector(loop, Route.inTheClear("127.0.0.1", 1), () -> {
            throw new ChannelException("Too many open files");
        });
        var connection = new HeardEnds().connection();
        var isToldOnLoop = connection.ready().handle((_, _) -> loop.inEventLoop());
        connector.open(connection);
        assertThat(isToldOnLoop.get()).isTrue();
        assertThat(connection.ready().exceptionNow()).hasMessage("Too many open files");
    }
}
