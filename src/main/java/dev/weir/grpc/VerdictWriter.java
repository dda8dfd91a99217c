package dev.weir.grpc;

import com.google.protobuf.Duration;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Header;
import dev.weir.request.Status;
import dev.weir.request.Verdict;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes {@code envoy.service.ratelimit.v3.RateLimitResponse}. */
final class VerdictWriter {
    private VerdictWriter() {}

    static RateLimitResponse write(Verdict verdict) {
        var response = RateLimitResponse.newBuilder().setOverallCode(code(verdict.isOver()));
        List<Status> statuses = verdict.statuses();
        for (int i = 0; i < statuses.size(); i++) {
            response.addStatuses(status(statuses.get(i)));
        }
        for (Header header : verdict.headers()) {
            response.addResponseHeadersToAdd(
                    HeaderValue.newBuilder().setKey(header.name()).setValue(header.value()));
        }
        if (!verdict.metadata().isEmpty()) {
            response.setDynamicMetadata(struct(verdict.metadata()));
        }
        return response.build();
    }

    private static Code code(boolean over) {
        return over ? Code.OVER_LIMIT : Code.OK;
    }

    private static DescriptorStatus status(Status status) {
        var message = DescriptorStatus.newBuilder()
                .setCode(code(status.isOver()))
                .setLimitRemaining((int) status.remaining());
        Quota quota = status.quota();
        if (quota != null) {
            Unit unit = quota.unit();
            message.setCurrentLimit(RateLimit.newBuilder()
                    .setName(status.name())
                    .setRequestsPerUnit((int) quota.hits())
                    .setUnitValue(unit == null ? Unit.UNKNOWN_NUMBER : unit.number()));
            message.setDurationUntilReset(Duration.newBuilder().setSeconds(status.resetSeconds()));
        }
        return message.build();
    }

    private static Struct struct(Map<?, ?> map) {
        var struct = Struct.newBuilder();
        map.forEach((key, value) -> struct.putFields(String.valueOf(key), value(value)));
        return struct.build();
    }

    private static Value value(@Nullable Object object) {
        var value = Value.newBuilder();
        return switch (object) {
            case null -> value.setNullValue(NullValue.NULL_VALUE).build();
            case String text -> value.setStringValue(text).build();
            case Boolean truth -> value.setBoolValue(truth).build();
            case Number number -> value.setNumberValue(number.doubleValue()).build();
            case Map<?, ?> map -> value.setStructValue(struct(map)).build();
            case List<?> list -> {
                var items = ListValue.newBuilder();
                list.forEach(item -> items.addValues(value(item)));
                yield value.setListValue(items).build();
            }
            default -> throw new IllegalArgumentException("metadata cannot hold a " + object.getClass());
        };
    }
}
