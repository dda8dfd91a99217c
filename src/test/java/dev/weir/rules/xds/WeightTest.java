package dev.weir.rules.xds;

import static dev.weir.rules.xds.Configs.descriptor;
import static dev.weir.rules.xds.Configs.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.limit.Charge;
import dev.weir.rules.RulesException;
import dev.weir.testing.AdsServer;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** What resources weigh, in descriptors, and what becomes of a response that weighs too much. */
final class WeightTest {

    @Test
    void each_descriptor_weighs_one_wherever_it_stands_and_so_does_the_resource() {
        var outer = descriptor("a").addDescriptors(descriptor("b").addDescriptors(descriptor("c")));
        assertThat(weight(config(outer, descriptor("d"), RateLimitDescriptor.newBuilder())))
                .isEqualTo(6);
        var many = new Weight(10);
        for (int i = 0; i < 10; i++) {
            many.add(ByteString.EMPTY);
        }
        assertThat(many.isTooMuch()).isFalse();
        many.add(ByteString.EMPTY);
        assertThat(many.isTooMuch()).as("one domain more").isTrue();
    }

    @Test
    void a_limit_weighs_nothing_and_a_piece_of_metadata_a_quarter() {
        var list = ListValue.newBuilder().addAllValues(Collections.nCopies(5, Value.getDefaultInstance()));
        var metadata = Struct.newBuilder()
                .putFields("list", Value.newBuilder().setListValue(list).build());
        // The map, its entry, the value that is a list, that list, and five values.
        var one = descriptor("a").setRateLimit(policy(RateLimitUnit.DAY, 1)).setMetadata(metadata);
        assertThat(weight(config(one))).as("2 + 9/4").isEqualTo(5);
        assertThat(weight(config(one, one))).as("3 + 18/4").isEqualTo(8);
    }

    @Test
    void long_names_weigh_again_with_each_descriptor_that_they_lead_to() {
        var outer = descriptor("k".repeat(500))
                .setValue("v".repeat(500))
                .addDescriptors(descriptor("a"))
                .addDescriptors(descriptor("b"));
        assertThat(weight(config(outer))).as("2 + 2 * (1 + 1000/256)").isEqualTo(10);
        assertThat(weight(RateLimitConfig.newBuilder()
                        .setDomain("d".repeat(300))
                        .addDescriptors(descriptor("a"))
                        .build()))
                .isEqualTo(3);
    }

    @Test
    void what_cannot_be_decoded_weighs_what_stands_before() {
        var whole = config(descriptor("a"), descriptor("b")).toByteString();
        var torn = new Weight(2);
        torn.add(whole.substring(0, whole.size() - 1));
        assertThat(torn.isTooMuch()).isTrue();
        var deep = new Weight(100);
        deep.add(nested(200));
        assertThat(deep.isTooMuch()).as("deeper than messages may be").isFalse();
    }

    private static ByteString nested(int levels) {
        var deep = descriptor("leaf").build();
        for (int i = 1; i < levels; i++) {
            deep = RateLimitDescriptor.newBuilder().addDescriptors(deep).build();
        }
        return RateLimitConfig.newBuilder().addDescriptors(deep).build().toByteString();
    }

    @Test
    void all_resources_of_a_response_are_weighed_together_before_they_are_decoded() throws Exception {
        var reader = new ResourceReader(new XdsOptions.Reading(true, Charge.ALWAYS, 2_002));
        var half = RateLimitConfig.newBuilder()
                .setDomain("edge")
                .addAllDescriptors(Collections.nCopies(1_000, RateLimitDescriptor.getDefaultInstance()))
                .build();
        assertThat(reader.read(response(config(descriptor("a"))), null).rules().domainNames())
                .containsExactly("edge");
        assertThat(catchThrowableOfType(
                        RulesException.class, () -> reader.read(response(half, half, config(descriptor("a"))), null)))
                .as("and no mistake of what is in them")
                .hasMessage(
                        "response: holds more than the 2,002 descriptors (or as much metadata) that this heap has room for;"
                                + " give Weir a larger one by WEIR_HEAP, or send fewer");
        assertThat(catchThrowableOfType(RulesException.class, () -> reader.read(response(half, half), null)))
                .as("as much as there is room for")
                .hasMessageStartingWith("resource number 1: descriptors[0].key: ");
    }

    private static DiscoveryResponse response(RateLimitConfig... configs) {
        var response = DiscoveryResponse.newBuilder();
        for (var config : configs) {
            response.addResources(AdsServer.resource(config));
        }
        return response.build();
    }

    private static RateLimitConfig config(RateLimitDescriptor.Builder... descriptors) {
        var config = RateLimitConfig.newBuilder().setName("edge").setDomain("edge");
        for (var descriptor : descriptors) {
            config.addDescriptors(descriptor);
        }
        return config.build();
    }

    /** Returns the least number of descriptors for which there must be room. */
    private static int weight(RateLimitConfig config) {
        for (int room = 0; ; room++) {
            var weight = new Weight(room);
            weight.add(config.toByteString());
            if (!weight.isTooMuch()) {
                return room;
            }
        }
    }
}
