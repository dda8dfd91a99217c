package dev.weir.bench.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

/** Why a service cannot be reached is one true sentence. */
final class RouteTest {
    private final Route route = Route.inTheClear("::1", 1);

    @Test
    void who_has_no_file_descriptors_is_told_so() {
        var none = new IOException("Too many open files");
        var failure = new ChannelException("Unable to create Channel", new InvocationTargetException(none));
        assertThat(route.failure(failure)).isEqualTo("no connection can be made: Too many open files");
    }

    @Test
    void a_literal_address_of_ipv6_stands_in_brackets() {
        assertThat(route.failure(new ConnectException())).isEqualTo("nobody listens at [::1]:1, or nobody lets us in");
        assertThat(route.failure(new IOException("gone"))).isEqualTo("[::1]:1 cannot be reached: gone");
    }
}
