package dev.weir.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.meter.PrometheusText;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a dotted name is called in Prometheus. */
final class PrometheusNameTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ratelimit.service.rate_limit.d.a.near_limit"
                        + "|ratelimit_service_rate_limit_near_limit{domain=\"d\",key1=\"a\"}",
                "ratelimit.service.rate_limit.d.a_1.b_2.over_limit"
                        + "|ratelimit_service_rate_limit_over_limit{domain=\"d\",key1=\"a_1\",key2=\"b_2\"}",
                "ratelimit.service.rate_limit.d.a.b.c.e.total_hits"
                        + "|ratelimit_service_rate_limit_total_hits{domain=\"d\",key1=\"a\",key2=\"b\"}",
                "ratelimit.service.rate_limit.d.a_1..total_hits"
                        + "|ratelimit_service_rate_limit_total_hits{domain=\"d\",key1=\"a_1\"}",
                "ratelimit.service.rate_limit.d.e.a.shadow_mode"
                        + "|ratelimit_service_rate_limit_shadow_mode{domain=\"d\",key1=\"e\",key2=\"a\"}",
                "ratelimit.service.rate_limit.d.a_\"\\.within_limit"
                        + "|ratelimit_service_rate_limit_within_limit{domain=\"d\",key1=\"a_\\\"\\\\\"}",
                "ratelimit.service.rate_limit.d-1.a_ü.over_limit_with_local_cache"
                        + "|ratelimit_service_rate_limit_d_1_a___over_limit_with_local_cache",
                "ratelimit.service.rate_limit.app1_2_3_4.total_hits|ratelimit_service_rate_limit_app1_2_3_4_total_hits",
                "ratelimit.service.rate_limit.total_hits|ratelimit_service_rate_limit_total_hits",
                "ratelimit.service.rate_limit.no body.domain_not_found"
                        + "|ratelimit_service_rate_limit_no_body_domain_not_found",
                "ratelimit.service.call.should_rate_limit.redis_error"
                        + "|ratelimit_service_should_rate_limit_error{err_type=\"redis_error\"}",
                "ratelimit_server.Check.total_requests" + "|ratelimit_service_total_requests{grpc_method=\"Check\"}",
                "ratelimit.service.config_load_success|ratelimit_service_config_load_success",
                "ratelimit.service.global_shadow_mode|ratelimit_service_global_shadow_mode",
                "1.a|_1_a",
                "0.a|_0_a",
                "9.a|_9_a",
                "/.a|__a", // beside the digits
                ":.a|__a",
            })
    void is_that_of_the_default_mapping(String dotted, String expected) throws IOException {
        PrometheusName name = PrometheusName.of(dotted);
        var text = new PrometheusText();
        text.counter(name.metric(), name.pairs(), 1);
        var page = new StringWriter();
        text.write(page);
        assertThat(page.toString()).endsWith("\n" + expected + " 1\n");
    }
}
