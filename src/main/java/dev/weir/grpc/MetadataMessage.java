package dev.weir.grpc;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes protobuf's message of dynamic metadata. */
final class MetadataMessage {
    private MetadataMessage() {}

    static Struct of(Map<?, ?> map) {
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
            case Map<?, ?> map -> value.setStructValue(of(map)).build();
            case List<?> list -> {
                var items = ListValue.newBuilder();
                list.forEach(item -> items.addValues(value(item)));
                yield value.setListValue(items).build();
            }
            default -> throw new IllegalArgumentException("metadata cannot hold a " + object.getClass());
        };
    }
}
