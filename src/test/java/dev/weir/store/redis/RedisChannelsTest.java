package dev.weir.store.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslHandler;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a connection to Redis gets. */
final class RedisChannelsTest {
    @ParameterizedTest
    @CsvSource({"10000, 250, 2000", "10000, 5000, 5000", "500, 250, 500", "1000, 5000, 1000"})
    void a_handshake_that_hangs_outlasts_neither_two_seconds_nor_a_call_unless_one_may_take_longer(
            int connectMillis, int callMillis, int handshakeMillis) throws NoSuchAlgorithmException {
        var options = new RedisOptions(
                new RedisOptions.Topology.Single("rediss://redis:6379"),
                RedisOptions.Login.NONE,
                null,
                0,
                null,
                Duration.ofMillis(connectMillis),
                Duration.ofMillis(callMillis),
                "",
                16,
                4);
        var tls = new SslHandler(SSLContext.getDefault().createSSLEngine("redis", 6379));
        var channel = new EmbeddedChannel();
        channel.pipeline().addLast(tls);
        new RedisChannels(options).afterChannelInitialization(channel);
        assertThat(tls.getHandshakeTimeoutMillis()).isEqualTo(handshakeMillis);
        assertThat(tls.engine().getSSLParameters().getServerNames())
                .as("a proxy may choose by it")
                .containsExactly(new SNIHostName("redis"));
        channel.finishAndReleaseAll();
    }
}
