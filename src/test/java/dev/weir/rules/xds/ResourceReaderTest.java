package dev.weir.rules.xds;

import static dev.weir.rules.xds.Configs.bad;
import static dev.weir.rules.xds.Configs.descriptor;
import static dev.weir.rules.xds.Configs.limited;
import static dev.weir.rules.xds.Configs.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.limit.Charge;
import dev.weir.limit.Quota;
import dev.weir.limit.Unit;
import dev.weir.request.Descriptor;
import dev.weir.request.Entry;
import dev.weir.rules.Mistake;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RulesException;
import dev.weir.testing.AdsServer;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitPolicy;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitReplace;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Resources become rules, or every mistake in them is told with resource and field. */
final class ResourceReaderTest {

    @Test
    void a_tree_becomes_rules() throws Exception {
        var leaf = descriptor("user")
                .setRateLimit(policy(RateLimitUnit.HOUR, -1)
                        .setName("per_user")
                        .addReplaces(RateLimitReplace.newBuilder().setName("all")))
                .setShadowMode(true)
                .setQuotaMode(true)
                .setDetailedMetric(true);
        var free = descriptor("tier")
                .setValue("gold")
                .setRateLimit(RateLimitPolicy.newBuilder().setUnlimited(true));
        var rules = read(config("edge", descriptor("tier").setValue("free*").addDescriptors(leaf), free));

        assertThat(rules.domainNames()).containsExactly("edge");
        assertThat(rules.rules().stream().map(Object::toString))
                .containsExactly("edge.tier_free*.user", "edge.tier_gold");
        var first = rules.rules().getFirst();
        assertThat(first.limits().getFirst().name()).isEqualTo("per_user");
        assertThat(first.limits().getFirst().limit().quota())
                .as("uint32")
                .isEqualTo(Quota.per(Unit.HOUR, Quota.MAX_HITS));
        assertThat(first.replaces()).containsExactly("all");
        assertThat(first.flags().shadowMode()).isTrue();
        assertThat(first.flags().quotaMode()).isTrue();
        assertThat(first.flags().detailedMetric()).isTrue();
        assertThat(rules.rules().getLast().isUnlimited()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = RateLimitUnit.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNKNOWN", "UNRECOGNIZED"})
    void every_unit_is_known_and_no_number_is_zero(RateLimitUnit unit) throws Exception {
        var rules = read(config("edge", descriptor("user").setRateLimit(policy(unit, 0))));
        assertThat(rules.rules().getFirst().limits().getFirst().limit().quota())
                .isEqualTo(Quota.per(Unit.valueOf(unit.name()), 0));
    }

    @Test
    void metadata_is_kept_as_it_is() throws Exception {
        var inner = Struct.newBuilder()
                .putFields("yes", Value.newBuilder().setBoolValue(true).build());
        var list = ListValue.newBuilder()
                .addValues(Value.newBuilder().setNumberValue(1.5))
                .addValues(Value.newBuilder().setNullValue(NullValue.NULL_VALUE))
                .addValues(Value.newBuilder().setStructValue(inner));
        var metadata = Struct.newBuilder()
                .putFields("team", Value.newBuilder().setStringValue("shop").build())
                .putFields("list", Value.newBuilder().setListValue(list).build());
        var rules = read(config(
                "edge",
                descriptor("user").setRateLimit(policy(RateLimitUnit.DAY, 1)).setMetadata(metadata)));
        assertThat(rules.rules().getFirst().metadata())
                .isEqualTo(Map.of("team", "shop", "list", Arrays.asList(1.5, null, Map.of("yes", true))));
    }

    @Test
    void metadata_that_no_answer_could_hold_is_refused() {
        var deep = Value.newBuilder().setStringValue("bottom").build();
        for (int i = 0; i < 15; i++) {
            deep = list(deep);
            deep = Value.newBuilder()
                    .setStructValue(Struct.newBuilder().putFields("a", deep))
                    .build();
        }
        var metadata = Struct.newBuilder()
                .putFields("fine", deep.getStructValue().getFieldsOrThrow("a"))
                .putFields("deep", deep)
                .putFields("list", list(number(1), number(Double.NaN)))
                .putFields("endless", number(Double.NEGATIVE_INFINITY));
        assertThat(mistakes(config("edge", descriptor("user").setMetadata(metadata))))
                .containsExactlyInAnyOrder(
                        "resource edge: descriptors[0].metadata.list[1]: the number NaN of `metadata` is not finite, so that"
                                + " no answer could hold it; put it in quotes, or write another",
                        "resource edge: descriptors[0].metadata.endless: the number -Infinity of `metadata` is not finite,"
                                + " so that no answer could hold it; put it in quotes, or write another",
                        "resource edge: descriptors[0].metadata.deep" + ".a[0]".repeat(14)
                                + ".a: `metadata` is more than 30"
                                + " maps and lists deep, deeper than callers read; write it flatter");
    }

    private static Value number(double number) {
        return Value.newBuilder().setNumberValue(number).build();
    }

    private static Value list(Value... values) {
        return Value.newBuilder()
                .setListValue(ListValue.newBuilder().addAllValues(Arrays.asList(values)))
                .build();
    }

    @Test
    void every_mistake_is_told_with_resource_and_field() {
        var wrong = RateLimitPolicy.newBuilder()
                .setUnit(RateLimitUnit.DAY)
                .setUnlimited(true)
                .setName("me")
                .addReplaces(RateLimitReplace.newBuilder().setName("me"))
                .addReplaces(RateLimitReplace.getDefaultInstance());
        var nested = descriptor("outer").addDescriptors(descriptor(""));
        assertThat(mistakes(
                        bad("edge"),
                        config(
                                "two",
                                nested,
                                descriptor("outer"),
                                descriptor("u").setRateLimit(wrong)),
                        config("", descriptor("w").setRateLimit(RateLimitPolicy.getDefaultInstance())),
                        config(
                                "four",
                                descriptor("x")
                                        .setRateLimit(
                                                policy(RateLimitUnit.DAY, 1).setUnitValue(9)))))
                .containsExactly(
                        "resource number 3: domain: the resource names no domain; write `domain: <name>`",
                        "resource number 3: descriptors[0].rate_limit.unit: a `rate_limit` says either `unit` and"
                                + " `requests_per_unit`, or `unlimited: true`; write one of them",
                        "resource edge: descriptors[2].rate_limit.unit: `unit` is missing; write second, minute, hour, day,"
                                + " week, month, year",
                        "resource four: descriptors[0].rate_limit.unit: there is no unit with the number 9; write second,"
                                + " minute, hour, day, week, month, year",
                        "resource two: descriptors[0].descriptors[0].key: an entry of `descriptors` needs a `key`; write"
                                + " `key: <name>`",
                        "resource two: descriptors[1].key: an entry with key `outer` and no value stands at resource two:"
                                + " descriptors[0] already; remove one, or make one of both",
                        "resource two: descriptors[2].rate_limit.replaces[0].name: the rule `me` replaces itself; remove"
                                + " this entry",
                        "resource two: descriptors[2].rate_limit.replaces[1].name: an entry of `replaces` needs the `name`"
                                + " of a rule; write `- name: <name>`",
                        "resource two: descriptors[2].rate_limit.unit: an unlimited rule has no window; remove `unit`, or"
                                + " `unlimited`");
    }

    @Test
    void a_domain_may_be_named_again_only_where_domains_are_merged() throws Exception {
        var first = limited("edge", 1);
        var second = config("edge", descriptor("path").setRateLimit(policy(RateLimitUnit.DAY, 1))).toBuilder()
                .setName("more")
                .build();
        assertThat(mistakes(first, second))
                .containsExactly(
                        "resource more: domain: the domain `edge` is defined at resource edge already; put both"
                                + " into one resource, rename one, or set MERGE_DOMAIN_CONFIG=true");
        assertThat(reader(true).read(response(first, second), null).rules().rules())
                .hasSize(2);
        var again = first.toBuilder().setName("other").build();
        var clash =
                catchThrowableOfType(RulesException.class, () -> reader(true).read(response(first, again), null));
        assertThat(clash).hasMessageStartingWith("resource other: descriptors[0].key: an entry with key `user`");
    }

    @Test
    void what_is_said_does_not_depend_on_the_order_in_which_resources_come() throws Exception {
        var one = limited("one", 1).toBuilder().setDomain("edge").build();
        var two = limited("two", 2).toBuilder().setDomain("edge").build();
        assertThat(mistakes(bad("x"), two, one, bad("a")))
                .isEqualTo(mistakes(one, bad("a"), bad("x"), two))
                .anyMatch(
                        line -> line.startsWith("resource two: domain: the domain `edge` is defined at resource one"));
        assertThat(read(limited("b", 1), limited("c", 1), limited("a", 1)).domainNames())
                .containsExactly("a", "b", "c");
    }

    @Test
    void a_name_and_a_type_neither_begin_a_line_nor_speak_to_the_terminal() {
        assertThat(mistakes(bad("a\u001b[31m\nb"), config("d", descriptor("k\u001b"), descriptor("k\u001b"))))
                .hasSize(2)
                .allMatch(line -> line.chars().noneMatch(Character::isISOControl))
                .anyMatch(line -> line.startsWith("resource a [31m b: "));
        var typed = DiscoveryResponse.newBuilder()
                .addResources(Any.newBuilder().setTypeUrl("\u001b"))
                .build();
        assertThat(catchThrowableOfType(
                        RulesException.class, () -> reader(false).read(typed, null)))
                .hasMessageStartingWith("resource number 1: is of the type ` `");
    }

    @Test
    void a_star_in_a_key_is_text_and_one_in_a_value_a_pattern() throws Exception {
        String any = "httproute/default/backend/rule/0/match/0/*";
        String some = "httproute/default/backend/rule/0/match/0/*_example_com";
        String one = "httproute/default/backend/rule/0/match/0/www_example_com";
        var edge = read(config("edge", route(any, 1), route(some, 2), route(one, 3)));

        assertThat(landing(edge, any, any)).isEqualTo("edge.%s_%s.rule-0".formatted(any, any));
        assertThat(landing(edge, some, some)).isEqualTo("edge.%s_%s.rule-0".formatted(some, some));
        assertThat(landing(edge, one, one)).isEqualTo("edge.%s_%s.rule-0".formatted(one, one));
        assertThat(landing(edge, any, one)).as("a value").isEqualTo("edge.%s_%s.rule-0".formatted(any, any));
        String other = "httproute/default/backend/rule/0/match/0/api_example_com";
        assertThat(landing(edge, other, other)).as("a key that no route has").isEqualTo("nowhere");
        assertThat(landing(edge, other, any)).as("nor with that value").isEqualTo("nowhere");
    }

    /** Limits a route as Envoy Gateway does: its name is key and value. */
    private static RateLimitDescriptor.Builder route(String name, int hits) {
        return descriptor(name)
                .setValue(name)
                .addDescriptors(descriptor("rule-0").setRateLimit(policy(RateLimitUnit.HOUR, hits)));
    }

    private static String landing(RuleSet rules, String key, String value) {
        var edge = rules.domain("edge");
        var rule =
                edge == null ? null : edge.match(Descriptor.of(new Entry(key, value), new Entry("rule-0", "rule-0")));
        return rule == null ? "nowhere" : rule.toString();
    }

    @Test
    void what_comes_again_unchanged_is_kept() throws Exception {
        var former = read(limited("edge", 1), limited("shop", 2));
        var after = reader(false)
                .read(response(limited("edge", 1), limited("shop", 3)), former)
                .rules();

        assertThat(after.rules().getFirst()).isSameAs(former.rules().getFirst());
        assertThat(after.rules().getLast().limits())
                .isEqualTo(read(limited("shop", 3)).rules().getFirst().limits());
    }

    @Test
    void what_cannot_be_decoded_is_named_by_its_number() {
        var resources = List.of(
                AdsServer.resource(limited("edge", 1)),
                Any.newBuilder().setTypeUrl("type.googleapis.com/x.Y").build(),
                Any.newBuilder()
                        .setTypeUrl(AdsServer.TYPE)
                        .setValue(ByteString.copyFromUtf8("no message"))
                        .build());
        var response = DiscoveryResponse.newBuilder().addAllResources(resources).build();
        var wrong =
                catchThrowableOfType(RulesException.class, () -> reader(false).read(response, null));
        assertThat(wrong.mistakes().stream().map(Mistake::toString))
                .satisfiesExactly(
                        type -> assertThat(type)
                                .isEqualTo("resource number 2: is of the type `type.googleapis.com/x.Y`, but `"
                                        + AdsServer.TYPE + "` was asked for"),
                        bytes -> assertThat(bytes).startsWith("resource number 3: cannot be decoded: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "example.com/", "type.googleapis.com/a/"})
    void of_a_resources_type_only_the_name_counts(String before) throws Exception {
        var resource = Any.newBuilder()
                .setTypeUrl(before + "ratelimit.config.ratelimit.v3.RateLimitConfig")
                .setValue(limited("edge", 1).toByteString())
                .build();
        var response = DiscoveryResponse.newBuilder().addResources(resource).build();
        assertThat(reader(false).read(response, null).rules().rules()).hasSize(1);
    }

    @Test
    void a_tree_deeper_than_messages_may_be_is_refused() {
        var deep = descriptor("leaf").build();
        for (int i = 0; i < 200; i++) {
            deep = RateLimitDescriptor.newBuilder()
                    .setKey("k")
                    .addDescriptors(deep)
                    .build();
        }
        var tooDeep = RateLimitConfig.newBuilder()
                .setDomain("edge")
                .addDescriptors(deep)
                .build();
        assertThat(mistakes(tooDeep)).singleElement().asString().contains("cannot be decoded");
    }

    @Test
    void a_response_of_another_type_is_no_empty_set() {
        var other = DiscoveryResponse.newBuilder()
                .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
                .build();
        assertThat(catchThrowableOfType(
                        RulesException.class, () -> reader(false).read(other, null)))
                .hasMessageStartingWith("response: is of the type ");
    }

    @Test
    void the_charge_of_fixed_windows_is_the_operators() throws Exception {
        var reader = new ResourceReader(new XdsOptions.Reading(false, Charge.ON_ADMIT, 100));
        var rule =
                reader.read(response(limited("edge", 1)), null).rules().rules().getFirst();
        assertThat(rule.limits().getFirst().limit().charge()).isEqualTo(Charge.ON_ADMIT);
    }

    private static RateLimitConfig config(String name, RateLimitDescriptor.Builder... descriptors) {
        var config = RateLimitConfig.newBuilder().setName(name).setDomain(name);
        Arrays.stream(descriptors).forEach(config::addDescriptors);
        return config.build();
    }

    private static DiscoveryResponse response(RateLimitConfig... configs) {
        return DiscoveryResponse.newBuilder()
                .setTypeUrl(AdsServer.TYPE)
                .addAllResources(Arrays.stream(configs).map(AdsServer::resource).toList())
                .build();
    }

    private static ResourceReader reader(boolean mergeDomains) {
        return new ResourceReader(new XdsOptions.Reading(mergeDomains, Charge.ALWAYS, 100));
    }

    private static RuleSet read(RateLimitConfig... configs) throws RulesException {
        return reader(false).read(response(configs), null).rules();
    }

    private static List<String> mistakes(RateLimitConfig... configs) {
        var wrong = catchThrowableOfType(RulesException.class, () -> read(configs));
        return wrong.mistakes().stream().map(Mistake::toString).toList();
    }
}
