package dev.weir.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UInt64Value;
import dev.weir.decide.Bounds;
import dev.weir.request.InvalidRequestException;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a message from protobuf's JSON, as strictly as the Go service: a body that can be understood in two ways is refused.
 *
 * <p>Protobuf's own {@code JsonFormat} cannot be told to. It takes 5 or [5] for "5", comments, names without quotes, a name
 * that comes twice, and whatever follows the object. Here Jackson answers for the JSON and this class for the message.
 */
final class JsonReader {
    /** Remembers no names, for callers choose them. The body has a bound of its own, and what is in it needs no other. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** As in JSON, but bounded: a million digits would take long to work out. */
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d{0,99})(\\.\\d{1,99})?([eE][-+]?\\d{1,9})?");

    /** Of a field that there is not, as far as it is repeated to the caller. */
    private static final int LONGEST_NAME = 100;

    private static final long MAX_UINT32 = 0xFFFF_FFFFL;

    private final JsonParser in;
    private final Bounds bounds;

    private JsonReader(JsonParser in, Bounds bounds) {
        this.in = in;
        this.bounds = bounds;
    }

    /**
     * Reads the fields of {@code message}, which has none yet.
     *
     * @throws InvalidRequestException if the body is no such message, or there is too much in it; it says where and why
     */
    static void read(byte[] body, Message.Builder message, Bounds bounds) {
        try (var in = FACTORY.createParser(text(body))) {
            var reader = new JsonReader(in, bounds);
            if (in.nextToken() == null) {
                throw refused("it is empty");
            }
            reader.object(message);
            if (in.nextToken() != null) {
                throw reader.wrong("nothing may follow the object");
            }
        } catch (JsonEOFException e) {
            throw wrong(e.getLocation(), "the body ends too early");
        } catch (JsonProcessingException e) {
            throw wrong(e.getLocation(), e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("a text is read without input or output", e);
        }
    }

    /** Jackson would guess the encoding, and let some bytes pass that are no UTF-8. */
    private static String text(byte[] body) {
        var bytes = ByteBuffer.wrap(body);
        try {
            return UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException _) {
            throw refused("byte " + (bytes.position() + 1) + ": it is no UTF-8");
        }
    }

    private void object(Message.Builder message) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw wrong("an object is wanted");
        }
        Set<FieldDescriptor> seen = new HashSet<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            FieldDescriptor field = field(message.getDescriptorForType(), in.currentName());
            if (!seen.add(field)) {
                throw wrong("\"" + in.currentName() + "\" is given twice");
            }
            if (in.nextToken() == JsonToken.VALUE_NULL) {
                continue; // as if it were not there
            }
            if (field.isRepeated()) {
                list(message, field);
            } else {
                message.setField(field, value(message, field));
            }
        }
    }

    private FieldDescriptor field(Descriptor message, String name) {
        for (FieldDescriptor field : message.getFields()) {
            if (name.equals(field.getJsonName()) || name.equals(field.getName())) {
                return field;
            }
        }
        String shown = name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "...";
        throw wrong("there is no field \"" + shown + "\" in " + message.getName());
    }

    private void list(Message.Builder message, FieldDescriptor field) throws IOException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            throw wrong("\"" + field.getJsonName() + "\" is a list");
        }
        boolean isOfDescriptors = field.getNumber() == RateLimitRequest.DESCRIPTORS_FIELD_NUMBER
                && field.getContainingType().equals(RequestForm.REQUEST);
        for (int items = 1; in.nextToken() != JsonToken.END_ARRAY; items++) {
            if (isOfDescriptors) {
                bounds.checkDescriptors(items);
            } else { // the message has no other lists
                bounds.checkEntries(items);
            }
            message.addRepeatedField(field, value(message, field));
        }
    }

    private Object value(Message.Builder message, FieldDescriptor field) throws IOException {
        return switch (field.getType()) {
            case STRING -> string(field);
            case UINT32 -> (int) number(field, 0, MAX_UINT32);
            case BOOL -> truth(field);
            case ENUM -> constant(field, field.getEnumType());
            case MESSAGE -> {
                if (field.getMessageType().equals(UInt64Value.getDescriptor())) {
                    yield UInt64Value.of(number(field, 0, Long.MAX_VALUE));
                }
                var inner = message.newBuilderForField(field);
                object(inner);
                yield inner.build();
            }
            default -> throw new IllegalStateException("nobody reads a " + field.getType() + " yet: " + field);
        };
    }

    private String string(FieldDescriptor field) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            throw wrong("\"" + field.getJsonName() + "\" is a text in quotes");
        }
        String string = in.getText();
        if (!UTF_8.newEncoder().canEncode(string)) {
            throw wrong("\"" + field.getJsonName() + "\" has half of a surrogate pair");
        }
        return string;
    }

    /** A number may stand in quotes, and have a fraction or an exponent if it is a whole one all the same. */
    private long number(FieldDescriptor field, long min, long max) throws IOException {
        if (NUMBER.matcher(in.getText()).matches()) { // nothing but numbers and texts reads so
            try {
                long number = new BigDecimal(in.getText()).longValueExact();
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (ArithmeticException _) {
                // not a whole one, or beyond what a long can hold: told below
            }
        }
        throw wrong("\"" + field.getJsonName() + "\" is a whole number from " + min + " to " + max);
    }

    private boolean truth(FieldDescriptor field) throws IOException {
        if (!in.currentToken().isBoolean()) {
            throw wrong("\"" + field.getJsonName() + "\" is true or false");
        }
        return in.getBooleanValue();
    }

    private EnumValueDescriptor constant(FieldDescriptor field, EnumDescriptor type) throws IOException {
        if (in.currentToken() != JsonToken.VALUE_STRING) {
            return type.findValueByNumberCreatingIfUnknown((int) number(field, Integer.MIN_VALUE, Integer.MAX_VALUE));
        }
        EnumValueDescriptor named = type.findValueByName(in.getText());
        if (named == null) {
            throw wrong("\"" + field.getJsonName() + "\" has no value of that name");
        }
        return named;
    }

    private InvalidRequestException wrong(String why) {
        return wrong(in.currentTokenLocation(), why);
    }

    private static InvalidRequestException wrong(JsonLocation where, String why) {
        return refused("line " + where.getLineNr() + ", column " + where.getColumnNr() + ": " + why);
    }

    private static InvalidRequestException refused(String what) {
        return new InvalidRequestException("the body is no RateLimitRequest in JSON: " + what);
    }
}
