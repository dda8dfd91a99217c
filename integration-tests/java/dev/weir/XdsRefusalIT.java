package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testing.AdsServer;
import dev.weir.testing.Caller;
import dev.weir.testing.WeirProcess;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the built service refuses of a control plane, and that it goes on. */
final class XdsRefusalIT {

    /** 72,000 were loaded once, and the next ones ended the process; 110,000 filled the heap at once. */
    @Test
    void more_than_the_heap_has_room_for_is_refused_and_the_rules_before_stay() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(), Map.of("CONFIG_TYPE", "GRPC_XDS_SOTW", "CONFIG_GRPC_XDS_SERVER_URL", ads.address()));
                var caller = Caller.of(weir)) {
            ads.next();
            for (int push = 1; push <= 3; push++) {
                ads.push("" + push, "some " + push, many(35_000, push));
                assertThat(ads.next().getVersionInfo()).isEqualTo("" + push);
                ads.push("" + push, "too many", many(110_000, push));
                assertThat(ads.next().getErrorDetail().getMessage())
                        .startsWith("response: holds more than the 36,")
                        .contains("WEIR_HEAP");
            }
            weir.awaitHealthy();
            assertThat(caller.hit("edge", "user", "34999").getLimitRemaining()).isEqualTo(2);
            assertThat(caller.hit("edge", "user", "35000").hasCurrentLimit()).isFalse();
            assertThat(weir.stop()).isZero();
        }
    }

    private static RateLimitConfig many(int descriptors, int hits) {
        var all = RateLimitConfig.newBuilder().setName("edge").setDomain("edge");
        for (int i = 0; i < descriptors; i++) {
            all.addDescriptorsBuilder()
                    .setKey("user")
                    .setValue("" + i)
                    .getRateLimitBuilder()
                    .setUnit(RateLimitUnit.YEAR)
                    .setRequestsPerUnit(hits);
        }
        return all.build();
    }

    /** With waits below a second each refusal that was repeated gave way to a new stream, without end. */
    @Test
    void a_refusal_is_said_however_short_waits_are() {
        try (var ads = AdsServer.start();
                var weir = WeirProcess.launch(
                        Map.of(),
                        Map.of(
                                "CONFIG_TYPE", "GRPC_XDS_SOTW",
                                "CONFIG_GRPC_XDS_SERVER_URL", ads.address(),
                                "XDS_CLIENT_BACKOFF_INITIAL_INTERVAL", "100ms",
                                "XDS_CLIENT_BACKOFF_MAX_INTERVAL", "100ms"))) {
            assertThat(ads.next().hasErrorDetail()).isFalse();
            var bad = RateLimitConfig.newBuilder().setName("edge").build();
            for (String nonce : List.of("one", "two", "three")) {
                ads.push("1", nonce, bad);
                var refusal = ads.next();
                assertThat(refusal.hasErrorDetail()).as(nonce).isTrue();
                assertThat(refusal.getResponseNonce()).isEqualTo(nonce);
            }
            assertThat(ads.streams()).isEqualTo(1);
            assertThat(weir.stop()).isZero();
        }
    }
}
