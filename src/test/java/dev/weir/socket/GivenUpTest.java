package dev.weir.socket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.logging.HeardLog;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Callers who leave connections undone, as often as they like. */
final class GivenUpTest {
    @RegisterExtension
    private final HeardLog log = HeardLog.of(GivenUp.class);

    @Test
    void have_one_line_for_each_reason() {
        var silent = new GivenUp("says nothing");
        var deaf = new GivenUp("reads nothing");
        for (int i = 0; i < 100; i++) {
            silent.tell(new EmbeddedChannel());
            deaf.tell(new EmbeddedChannel());
        }
        assertThat(log.lines())
                .containsExactly(
                        "INFO a caller (embedded) says nothing: its connection is closed (since the last such line: 1)",
                        "INFO a caller (embedded) reads nothing: its connection is closed (since the last such line: 1)");
    }

    @Test
    void a_caller_is_told_by_its_address_and_port_as_everywhere() {
        var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
        assertThat(GivenUp.callerOf(from(loopback))).isEqualTo("127.0.0.1:4711");
        assertThat(GivenUp.callerOf(from(new DomainSocketAddress("")))).isEqualTo("at the Unix socket");
        assertThat(GivenUp.callerOf(from(UnixDomainSocketAddress.of("")))).isEqualTo("at the Unix socket");
    }

    private static EmbeddedChannel from(SocketAddress caller) {
        return new EmbeddedChannel() {
            @Override
            protected SocketAddress remoteAddress0() {
                return caller;
            }
        };
    }
}
