package dev.weir.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.NoSuchAlgorithmException;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sends ahead. */
final class ServerNamesTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost", "redis", "redis.cache.svc", "1password"})
    void a_name_is_sent_ahead_with_a_dot_and_without(String host) throws NoSuchAlgorithmException {
        var engine = SSLContext.getDefault().createSSLEngine(host, 6379);
        ServerNames.sendAhead(engine);
        assertThat(engine.getSSLParameters().getServerNames()).containsExactly(new SNIHostName(host));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "[::1]", "my_redis", "redis.", ""})
    void what_is_an_address_or_no_name_of_dns_is_not(String host) throws NoSuchAlgorithmException {
        var engine = SSLContext.getDefault().createSSLEngine(host, 6379);
        ServerNames.sendAhead(engine);
        assertThat(engine.getSSLParameters().getServerNames()).isNullOrEmpty();
    }

    @Test
    void an_engine_that_was_made_for_nobody_sends_none() throws NoSuchAlgorithmException {
        var engine = SSLContext.getDefault().createSSLEngine();
        ServerNames.sendAhead(engine);
        assertThat(engine.getSSLParameters().getServerNames()).isNullOrEmpty();
    }
}
