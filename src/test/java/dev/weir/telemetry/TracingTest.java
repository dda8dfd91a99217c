package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Outcome;
import dev.weir.call.Trace;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which calls are followed, and what is told of them. */
final class TracingTest {
    private static final String PATH = "/some.Service/Ask";
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";

    private final KeepingExporter kept = new KeepingExporter();
    private final Tracing never = Tracing.to(kept, PATH, 0);
    private final Tracing always = Tracing.to(kept, PATH, 1);

    @AfterEach
    void end() {
        never.close();
        always.close();
    }

    @ParameterizedTest
    @CsvSource({
        "traceparent, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "b3, 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
        "b3, 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-d",
    })
    void a_caller_that_is_sampled_is_the_parent(String header, String value) {
        assertThat(spanOf(never, Map.of(header, value))).satisfies(TracingTest::isChild);
    }

    @Test
    void so_is_one_that_says_it_in_several_headers() {
        var headers = Map.of("x-b3-traceid", TRACE, "x-b3-spanid", CALLER, "x-b3-sampled", "1");
        assertThat(spanOf(never, headers)).satisfies(TracingTest::isChild);
    }

    @Test
    void b3_wins_where_both_are_there() {
        var headers = Map.of(
                "traceparent",
                "00-11111111111111111111111111111111-2222222222222222-01",
                "b3",
                TRACE + "-" + CALLER + "-1");
        assertThat(spanOf(never, headers)).satisfies(TracingTest::isChild);
    }

    @ParameterizedTest
    @CsvSource({
        "traceparent, 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
        "b3, 0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0",
    })
    void a_call_is_not_followed_where_the_caller_is_not_sampled(String header, String value) {
        assertThat(always.begin(PATH, Map.of(header, value)::get)).isSameAs(Trace.NONE);
    }

    @ParameterizedTest
    @CsvSource({"traceparent, nonsense", "b3, 0", "x-b3-traceid, ''"})
    void what_names_no_caller_leaves_it_to_the_share(String header, String value) {
        assertThat(never.begin(PATH, Map.of(header, value)::get)).isSameAs(Trace.NONE);
        assertThat(always.begin(PATH, Map.of(header, value)::get)).isNotSameAs(Trace.NONE);
    }

    @Test
    void another_method_is_not_followed() {
        assertThat(always.begin("/some.Service/Other", _ -> null)).isSameAs(Trace.NONE);
    }

    @Test
    void a_span_tells_what_was_asked_and_what_became_of_it() {
        Trace call = always.begin(PATH, _ -> null);
        call.asked("shop", 3);
        call.handedOver();
        call.decided(true);
        call.ended(Outcome.OK);
        SpanData span = onlySpan(always);
        assertThat(span.getName()).isEqualTo("some.Service/Ask");
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(text(span))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "rpc.system", "grpc",
                        "rpc.service", "some.Service",
                        "rpc.method", "Ask",
                        "rpc.grpc.status_code", "0",
                        "ratelimit.domain", "shop",
                        "ratelimit.descriptors", "3",
                        "ratelimit.overall_code", "OVER_LIMIT"));
    }

    @ParameterizedTest
    @CsvSource({"3, UNSET", "4, ERROR", "8, UNSET", "13, ERROR", "14, ERROR"})
    void what_is_our_fault_is_an_error(int code, StatusCode status) {
        always.begin(PATH, _ -> null).ended(new Outcome(code, "why"));
        assertThat(onlySpan(always).getStatus())
                .isEqualTo(StatusData.create(status, status == StatusCode.ERROR ? "why" : ""));
    }

    @Test
    void a_thread_knows_its_call_only_while_it_works_on_it() {
        Trace call = always.begin(PATH, _ -> null);
        assertThat(CallSpan.current()).isNull();
        call.asked("shop", 1);
        assertThat(CallSpan.current()).isSameAs(call);
        call.handedOver();
        assertThat(CallSpan.current()).isNull();
    }

    private static void isChild(SpanData span) {
        assertThat(span.getTraceId()).isEqualTo(TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(CALLER);
    }

    private SpanData spanOf(Tracing tracing, Map<String, String> headers) {
        tracing.begin(PATH, headers::get).ended(Outcome.OK);
        return onlySpan(tracing);
    }

    private SpanData onlySpan(Tracing tracing) {
        tracing.close();
        assertThat(kept.spans).hasSize(1);
        return kept.spans.getFirst();
    }

    private static Map<String, String> text(SpanData span) {
        var text = new TreeMap<String, String>();
        span.getAttributes().forEach((AttributeKey<?> key, Object value) -> text.put(key.getKey(), value.toString()));
        return text;
    }
}
