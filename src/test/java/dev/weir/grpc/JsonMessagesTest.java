package dev.weir.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.util.JsonFormat;
import dev.weir.decide.Bounds;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.request.InvalidRequestException;
import dev.weir.request.Request;
import dev.weir.request.Verdict;
import dev.weir.rules.Checks;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is taken and refused is what the Go service's library, protojson, takes and refuses. */
final class JsonMessagesTest {
    private static final Bounds BOUNDS = new Bounds(4, 3, Long.MAX_VALUE);
    private static final String WRONG = "the body is no RateLimitRequest in JSON: ";

    @Test
    void every_field_is_read_as_protobuf_writes_it() throws Exception {
        var message = RateLimitRequest.newBuilder().setDomain("shop").setHitsAddend(-1);
        var descriptor = message.addDescriptorsBuilder();
        descriptor.addEntriesBuilder().setKey("user").setValue("ünï \"\\\u0000\uD83D\uDE00");
        descriptor.addEntriesBuilder().setKey("path");
        descriptor.getLimitBuilder().setRequestsPerUnit(-1).setUnit(RateLimitUnit.HOUR);
        descriptor.getHitsAddendBuilder().setValue(1L << 60);
        message.addDescriptorsBuilder().addEntriesBuilder().setKey("all");
        for (var printer : List.of(JsonFormat.printer(), JsonFormat.printer().preservingProtoFieldNames())) {
            assertThat(read(printer.print(message)))
                    .isEqualTo(RequestReader.read(message.build().toByteArray(), BOUNDS));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"5\"", "5.0", "5e0", "0.5e1", "50E-1", "\"5.00\"", "\"\\u0035\""})
    void a_whole_number_may_be_written_in_many_ways(String five) {
        assertThat(read("{\"hitsAddend\": " + five + "}").hitsAddend()).isEqualTo(5);
        var limit = "{\"limit\": {\"requests_per_unit\": " + five + ", \"unit\": 1}, \"hits_addend\": " + five + "}";
        assertThat(read("{\"descriptors\": [" + limit + "]}").descriptors())
                .containsExactly(new Descriptor(List.of(), Quota.per(Unit.SECOND, 5), 5, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"isNegativeHits", "is_negative_hits"})
    void a_refund_is_asked_for_by_a_field_that_the_class_lacks(String name) {
        var body = "{\"descriptors\": [{\"hitsAddend\": \"3\", \"" + name + "\": %s}]}";
        assertThat(read(body.formatted("true")).descriptors())
                .containsExactly(new Descriptor(List.of(), null, 3, true));
        assertThat(read(body.formatted("false")).descriptors())
                .containsExactly(new Descriptor(List.of(), null, 3, false));
        assertThatThrownBy(() -> read(body.formatted("\"true\"")))
                .hasMessageContaining("\"isNegativeHits\" is true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"DAY\"", "4", "4.0"})
    void a_unit_is_named_or_numbered(String day) {
        assertThat(override("{\"unit\": " + day + "}")).isEqualTo(Quota.per(Unit.DAY, 0));
    }

    @Test
    void a_week_has_only_a_number() {
        assertThat(override("{\"unit\": 7}")).isEqualTo(Quota.per(Unit.WEEK, 0));
    }

    @Test
    void null_is_as_if_it_were_not_there() {
        assertThat(read("""
                {"domain": null, "hitsAddend": null, "descriptors": [
                  {"entries": null, "limit": null, "hitsAddend": null},
                  {"entries": [{"key": null, "value": null}]}
                ]}
                """)).isEqualTo(new Request("", List.of(Descriptor.of(), Descriptor.of(new Entry("", ""))), 0));
    }

    @Test
    void a_text_may_be_as_long_as_the_body() {
        String longest = "x".repeat(30_000_000);
        assertThat(read("{\"domain\": \"" + longest + "\"}").domain()).hasSize(30_000_000);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "[]", "null", "\"text\"", "{", "{\"domain\":", "{\"domain\": \"a", "{\"domain\": \"a\","
            })
    void what_is_no_whole_object_is_refused(String body) {
        assertRefused(body, "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{domain: \"a\"}", // a name without quotes
                "{'domain': \"a\"}", // and in the wrong ones
                "{\"domain\": 'a'}",
                "{\"domain\": a}",
                "{\"domain\": \"a\",}",
                "{\"domain\": \"a\" /* b */}",
                "{\"domain\": \"a\"} // b",
                "{\"domain\": \"a\"} # b",
                "{\"domain\"= \"a\"}",
                "{\"domain\" \"a\"}",
                "{\"domain\": \"a\"; \"hitsAddend\": 1}",
                "{\"domain\": \"a\n\"}",
                "{\"domain\": \"a\t\"}",
                "{\"domain\": \"\\x\"}",
                "{\"domain\": \"\\'\"}",
                "{\"hitsAddend\": 05}",
                "{\"hitsAddend\": +5}",
                "{\"hitsAddend\": 5.}",
                "{\"hitsAddend\": .5}",
                "{\"hitsAddend\": 0x5}",
                "{\"hitsAddend\": NaN}",
                "{\"descriptors\": [{},]}",
                "{\"descriptors\": [,{}]}",
                "{\"descriptors\": [{} {}]}",
                "{\"descriptors\": [}",
                "\uFEFF{\"domain\": \"a\"}", // a byte order mark
                "{\"domain\": \"a\"}\u0000",
                "{\"domain\": \"a\"} x",
                "{\"domain\": \"a\"} {}",
                "{\"domain\": \"a\"}}"
            })
    void what_is_no_json_is_refused(String body) {
        assertRefused(body, "line ");
    }

    @Test
    void a_mistake_is_told_with_its_place() {
        assertRefused("{\"domain\":\n  5}", "line 2, column 3: \"domain\" is a text in quotes");
        assertRefused("{\"domain\": \"a\"} {}", "line 1, column 17: nothing may follow the object");
        assertRefused("{\"domain\": \"a\"", "line 1, column 15: the body ends too early");
        assertRefused("{\"name\": 1}", "line 1, column 2: there is no field \"name\" in RateLimitRequest");
        assertRefused("{\"descriptors\": {}}", "line 1, column 17: \"descriptors\" is a list");
        assertRefused("{\"descriptors\": [[]]}", "line 1, column 18: an object is wanted");
        assertRefused(
                "{\"hitsAddend\": -1}", "line 1, column 16: \"hitsAddend\" is a whole number from 0 to 4294967295");
        assertRefused(" ", "it is empty");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"5", "true", "[\"a\"]", "[]", "{}", "\"\\uD83D\"", "\"\\uDE00\\uD83D\"", "\"\\uD83D \\uDE00\""})
    void only_a_text_is_taken_where_a_text_is_wanted(String value) {
        assertRefused("{\"domain\": " + value + "}", "line 1, column 12: \"domain\" ");
        assertRefused("{\"descriptors\": [{\"entries\": [{\"key\": " + value + "}]}]}", "line 1, column 39: \"key\" ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "true",
                "[5]",
                "{}",
                "{\"value\": 5}",
                "\"\"",
                "\" 5\"",
                "\"5 \"",
                "\"+5\"",
                "\"05\"",
                "\"0x5\"",
                "\"five\"",
                "\"\u0665\"",
                "5.5",
                "5e-1",
                "-1",
                "1e10",
                "4294967296",
                "1e999999999",
                "1e-999999999",
                "1e99999999999",
                "184467440737095516160000"
            })
    void only_a_whole_number_is_taken_where_one_is_wanted(String value) {
        assertRefused("{\"hitsAddend\": " + value + "}", "\"hitsAddend\" is a whole number");
        assertRefused(
                "{\"descriptors\": [{\"limit\": {\"unit\": 1, \"requestsPerUnit\": " + value + "}}]}",
                "\"requestsPerUnit\" is a whole number");
    }

    @Test
    void a_number_of_a_million_digits_is_not_worked_out() {
        assertRefused("{\"hitsAddend\": " + "9".repeat(1_000_000) + "}", "\"hitsAddend\" is a whole number");
        assertRefused("{\"hitsAddend\": \"" + "9".repeat(1_000_000) + "\"}", "\"hitsAddend\" is a whole number");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"3\"", "\"day\"", "\"WEEK\"", "true", "[1]", "1.5", "2147483648"})
    void only_a_name_or_a_number_is_taken_where_a_unit_is_wanted(String value) {
        assertRefused("{\"descriptors\": [{\"limit\": {\"unit\": " + value + "}}]}", "\"unit\" ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"domain\": \"a\", \"domain\": \"a\"}",
                "{\"domain\": \"\", \"domain\": \"a\"}",
                "{\"domain\": null, \"domain\": \"a\"}",
                "{\"domain\": \"a\", \"d\\u006Fmain\": \"a\"}",
                "{\"hitsAddend\": 0, \"hits_addend\": 5}",
                "{\"hits_addend\": 5, \"hitsAddend\": 5}",
                "{\"descriptors\": [], \"descriptors\": []}",
                "{\"descriptors\": [{\"entries\": [{\"key\": \"a\", \"key\": \"b\"}]}]}",
                "{\"descriptors\": [{\"limit\": {\"requestsPerUnit\": 1, \"requests_per_unit\": 1}}]}"
            })
    void a_field_is_given_once(String body) {
        assertRefused(body, "is given twice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "5", "\"a\"", "[]"})
    void a_list_has_only_objects(String element) {
        assertRefused("{\"descriptors\": [" + element + "]}", "line 1, column 18: an object is wanted");
    }

    /** What comes behind is no JSON, and nobody finds out. */
    @Test
    void no_more_is_read_than_a_request_may_hold() {
        assertThatThrownBy(() -> read("{\"descriptors\": [{}, {}, {}, {}, {}, oh"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("a request may hold 4 descriptors (MAX_DESCRIPTORS), this one holds more");
        assertThatThrownBy(() -> read("{\"descriptors\": [{\"entries\": [{}, {}, {}, {}, oh"))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("a descriptor may hold 3 entries (MAX_ENTRIES), one of this request holds more");
        assertThat(read("{\"descriptors\": [{}, {}, {}, {\"entries\": [{}, {}, {}]}]}")
                        .descriptors())
                .hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00FF", "\u00C0\u00AF", "\u00ED\u00A0\u0080", "\u00F5\u0080\u0080\u0080", "\u00C3"})
    void bytes_that_are_no_utf_8_are_refused(
            String bytes) { // stray, overlong, a surrogate, beyond Unicode, half a character
        byte[] body = ("{\"domain\": \"" + bytes + "\"}").getBytes(ISO_8859_1);
        assertThatThrownBy(() -> JsonMessages.read(body, BOUNDS))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage(WRONG + "byte 13: it is no UTF-8");
    }

    /** A verdict is read before it is written in JSON, by a library that reads so deep and no deeper, as most callers' do. */
    @Test
    void metadata_as_deep_as_that_of_rules_may_be_is_written() {
        Map<String, Object> metadata = Map.of("key", "bottom");
        for (int i = 1; i < Checks.MOST_METADATA_LEVELS; i++) {
            metadata = Map.of("map", metadata);
        }
        var verdict = new Verdict(false, List.of(), 0, List.of(), Map.of("metadata", metadata));

        assertThat(JsonMessages.write(verdict)).contains("\"map\":{\"map\":{", "\"bottom\"");
    }

    private static Request read(String body) {
        return JsonMessages.read(body.getBytes(UTF_8), BOUNDS);
    }

    private static @Nullable Quota override(String limit) {
        return read("{\"descriptors\": [{\"limit\": " + limit + "}]}")
                .descriptors()
                .getFirst()
                .override();
    }

    private static void assertRefused(String body, String why) {
        assertThatThrownBy(() -> read(body))
                .as(body)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageStartingWith(WRONG)
                .hasMessageContaining(why);
    }
}
