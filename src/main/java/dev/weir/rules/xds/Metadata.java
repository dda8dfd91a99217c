package dev.weir.rules.xds;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.rules.Checks;
import dev.weir.rules.Mistake;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Free metadata as maps and lists of Java, as the rules hold it. */
final class Metadata {
    private static final String TOO_DEEP = "`metadata` is more than " + Checks.MOST_METADATA_LEVELS
            + " maps and lists deep, deeper than callers read; write it flatter";

    private Metadata() {}

    /** Returns the map in a descriptor's field, which nobody can change; the mistakes are reported. */
    static Map<String, Object> of(Struct struct, Report descriptor) {
        return of(struct, 1, descriptor.in("metadata"));
    }

    private static Map<String, Object> of(Struct struct, int level, Report report) {
        Map<String, Object> map = new LinkedHashMap<>();
        struct.getFieldsMap()
                .forEach((key, value) -> putNullable(map, key, value(value, level, Mistake.quoted(key), report)));
        return Collections.unmodifiableMap(map);
    }

    private static List<Object> of(ListValue values, int level, String field, Report report) {
        List<Object> list = new ArrayList<>(values.getValuesCount());
        for (int i = 0; i < values.getValuesCount(); i++) {
            addNullable(list, value(values.getValues(i), level, field + "[" + i + "]", report));
        }
        return Collections.unmodifiableList(list);
    }

    private static @Nullable Object value(Value value, int level, String field, Report report) {
        return switch (value.getKindCase()) {
            case NULL_VALUE, KIND_NOT_SET -> null;
            case NUMBER_VALUE -> number(value.getNumberValue(), field, report);
            case STRING_VALUE -> value.getStringValue();
            case BOOL_VALUE -> value.getBoolValue();
            case STRUCT_VALUE ->
                isTooDeep(level, field, report) ? null : of(value.getStructValue(), level + 1, report.in(field));
            case LIST_VALUE ->
                isTooDeep(level, field, report) ? null : of(value.getListValue(), level + 1, field, report);
        };
    }

    private static double number(double number, String field, Report report) {
        String wrong = Checks.metadataNumber(number, String.valueOf(number));
        if (wrong != null) {
            report.mistake(field, wrong);
        }
        return number;
    }

    private static boolean isTooDeep(int level, String field, Report report) {
        if (level < Checks.MOST_METADATA_LEVELS) {
            return false;
        }
        report.mistake(field, TOO_DEEP);
        return true;
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
