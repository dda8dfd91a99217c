package dev.weir.bench.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.tls.ClientTls;
import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

/** Why a service cannot be reached is one true sentence. */
final class RouteTest {
    private final Route route = Route.inTheClear("::1", 1);

    @Test
    void who_has_no_file_descriptors_is_told_so() {
        var none = new IOException("Too many open files");
        var failure = new ChannelException("Unable to create Channel", new InvocationTargetException(none));
        assertThat(route.failure(failure, false)).isEqualTo("no connection can be made: Too many open files");
    }

    @Test
    void a_literal_address_of_ipv6_stands_in_brackets() {
        assertThat(route.failure(new ConnectException(), false))
                .isEqualTo("nobody listens at [::1]:1, or nobody lets us in");
        assertThat(route.failure(new IOException("gone"), false)).isEqualTo("[::1]:1 cannot be reached: gone");
    }

    @Test
    void who_shows_a_certificate_of_another_name_is_told_with_the_option_for_it() throws Exception {
        var java = new ClientTls(TrustManagerFactory.getInstance("PKIX"), null, null);
        var failure = new IllegalStateException("No subject alternative names matching IP address ::1 found");
        assertThat(new Route("::1", 1, java).failure(failure, false))
                .isEqualTo("[::1]:1 does not speak HTTP/2 with us over TLS: " + failure.getMessage() + " (--name)");
    }
}
