package dev.weir.rules.xds;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Free metadata as maps and lists of Java, as the rules hold it. */
final class Metadata {
    private Metadata() {}

    /** Returns the map, which nobody can change. */
    static Map<String, Object> of(Struct struct) {
        Map<String, Object> map = new LinkedHashMap<>();
        struct.getFieldsMap().forEach((key, value) -> putNullable(map, key, value(value)));
        return Collections.unmodifiableMap(map);
    }

    private static List<Object> of(ListValue values) {
        List<Object> list = new ArrayList<>(values.getValuesCount());
        values.getValuesList().forEach(value -> addNullable(list, value(value)));
        return Collections.unmodifiableList(list);
    }

    private static @Nullable Object value(Value value) {
        return switch (value.getKindCase()) {
            case NULL_VALUE, KIND_NOT_SET -> null;
            case NUMBER_VALUE -> value.getNumberValue();
            case STRING_VALUE -> value.getStringValue();
            case BOOL_VALUE -> value.getBoolValue();
            case STRUCT_VALUE -> of(value.getStructValue());
            case LIST_VALUE -> of(value.getListValue());
        };
    }

    @SuppressWarnings(
            "NullAway") // the value may be null as everywhere in free metadata; Map<String, Object> cannot say so
    private static void putNullable(Map<String, Object> map, String key, @Nullable Object value) {
        map.put(key, value);
    }

    @SuppressWarnings("NullAway") // as above
    private static void addNullable(List<Object> list, @Nullable Object value) {
        list.add(value);
    }
}
