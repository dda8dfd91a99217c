package dev.weir.grpc;

import dev.weir.call.Patience;
import dev.weir.decide.Decider;
import dev.weir.loop.EventLoops;
import dev.weir.socket.Entrance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;

/** The port as it is served. */
final class NettyTransport implements Transport {
    private final EventLoops loops = new EventLoops();
    private final GrpcServer server;

    NettyTransport(Decider decider) {
        this(decider, Entrance.plain(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    NettyTransport(Decider decider, Entrance entrance) {
        this(decider, entrance, new DeafCalls());
    }

    NettyTransport(Decider decider, Entrance entrance, CallListener listener) {
        server = new GrpcServer(
                entrance, decider, MAX_MESSAGE_BYTES, Patience.of(Duration.ofMinutes(1)), loops, listener, null);
    }

    @Override
    public int start() throws IOException {
        return server.start();
    }

    @Override
    public void stop(Duration within) throws InterruptedException {
        server.stop(within);
        loops.close();
    }

    @Override
    public void setHealthy(boolean healthy) {
        server.setHealthy(healthy);
    }
}
