package dev.weir.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.call.Outcome;
import dev.weir.call.Trace;
import dev.weir.decide.OneAnswerStore;
import dev.weir.limit.Limit;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.store.Check;
import dev.weir.store.CounterKey;
import dev.weir.store.Plan;
import dev.weir.store.Reading;
import dev.weir.store.Role;
import dev.weir.store.StoreException;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The part of a call that is spent in Redis. */
final class TracedStoreTest {
    private static final String PATH = "/some.Service/Ask";
    private static final Check CHECK =
            Check.of(new CounterKey(new byte[] {'k'}, 1), Limit.fixedWindow(Quota.per(Unit.MINUTE, 10)), 1);
    private static final Plan TWO = Plan.of(List.of(CHECK, CHECK.as(Role.SHADOW, 1)));

    private final KeepingExporter kept = new KeepingExporter();
    private final Tracing tracing = Tracing.to(kept, PATH, 1);
    private final CompletableFuture<List<Reading>> answer = new CompletableFuture<>();
    private final TracedStore store = new TracedStore(new OneAnswerStore(answer));

    @Test
    void it_lasts_until_the_store_has_answered_below_the_call_that_asked() {
        Trace call = tracing.begin(PATH, _ -> null);
        call.asked("shop", 2);
        assertThat(store.decide(TWO)).isSameAs(answer);
        call.handedOver();
        call.ended(Outcome.OK);
        answer.complete(List.of());
        tracing.close();
        assertThat(kept.spans)
                .extracting(SpanData::getName)
                .containsExactly("some.Service/Ask", "Redis Pipeline Execution");
        SpanData inRedis = kept.spans.getLast();
        assertThat(inRedis.getParentSpanId()).isEqualTo(kept.spans.getFirst().getSpanId());
        assertThat(inRedis.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(inRedis.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(inRedis.getAttributes().get(AttributeKey.stringKey("db.system.name")))
                .isEqualTo("redis");
        assertThat(inRedis.getAttributes().get(AttributeKey.longKey("ratelimit.checks")))
                .isEqualTo(2);
    }

    @Test
    void a_store_that_fails_is_an_error_with_its_words() {
        Trace call = tracing.begin(PATH, _ -> null);
        call.asked("shop", 2);
        var _ = store.decide(TWO);
        call.handedOver();
        answer.completeExceptionally(new StoreException("the store is closed"));
        tracing.close();
        assertThat(kept.spans).singleElement().satisfies(inRedis -> {
            assertThat(inRedis.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
            assertThat(inRedis.getStatus().getDescription()).isEqualTo("the store is closed");
        });
    }

    @Test
    void who_is_not_followed_leaves_no_trace() {
        assertThat(store.decide(TWO)).isSameAs(answer);
        answer.complete(List.of());
        tracing.close();
        assertThat(kept.spans).isEmpty();
    }

    @Test
    void what_else_is_asked_goes_on_to_the_store() {
        answer.complete(List.of());
        assertThat(store.forget(CHECK)).isCompletedWithValue(true);
        assertThat(store.firstReached()).isCompleted();
        assertThat(store.isReachable()).isTrue();
    }
}
