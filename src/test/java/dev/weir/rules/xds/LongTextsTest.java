package dev.weir.rules.xds;

import static dev.weir.rules.xds.Configs.descriptor;
import static dev.weir.rules.xds.Configs.policy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Any;
import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.limit.Charge;
import dev.weir.rules.Mistake;
import dev.weir.rules.RulesException;
import dev.weir.testing.AdsServer;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitReplace;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitUnit;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is made of texts that nobody can read: 1,000 mistakes in a resource with a name of 200,000 characters filled the heap. */
final class LongTextsTest {
    private static final String LONG = "x".repeat(200_000);

    private final ResourceReader reader =
            new ResourceReader(new XdsOptions.Reading(false, Charge.ALWAYS, 1_000_000_000));

    @Test
    void mistakes_quote_only_their_beginning() {
        var response = DiscoveryResponse.newBuilder()
                .addResources(Any.newBuilder().setTypeUrl(LONG))
                .addResources(resource(3))
                .addResources(resource(3))
                .build();
        assertThat(mistakes(response).stream().map(Mistake::message))
                .allSatisfy(message -> assertThat(message).hasSizeLessThan(900))
                .anyMatch(message -> message.startsWith("is of the type `xxx"))
                .anyMatch(message -> message.contains("the domain `xxx"))
                .anyMatch(message -> message.contains("...` and value `xxx"))
                .anyMatch(message -> message.contains("...` replaces itself"));
    }

    @Test
    void a_long_name_is_not_told_with_each_of_a_thousand_mistakes() {
        var told = mistakes(
                DiscoveryResponse.newBuilder().addResources(resource(2_000)).build());
        assertThat(told).hasSize(1_001);
        assertThat(told.stream().mapToInt(mistake -> mistake.file().length()).max())
                .hasValue("resource ".length() + 203);
    }

    @Test
    void a_long_key_of_metadata_is_not_told_with_each_mistake_below_it() {
        var list = ListValue.newBuilder()
                .addAllValues(Collections.nCopies(
                        1_000, Value.newBuilder().setNumberValue(Double.NaN).build()));
        var below = Struct.newBuilder()
                .putFields(LONG, Value.newBuilder().setListValue(list).build());
        var metadata = Struct.newBuilder()
                .putFields(LONG, Value.newBuilder().setStructValue(below).build());
        var config = RateLimitConfig.newBuilder()
                .setDomain("edge")
                .addDescriptors(descriptor("a").setMetadata(metadata))
                .build();
        var told = mistakes(DiscoveryResponse.newBuilder()
                .addResources(AdsServer.resource(config))
                .build());
        assertThat(told).hasSize(1_000);
        assertThat(told).allSatisfy(mistake -> assertThat(mistake.message()).hasSizeLessThan(900));
        assertThat(told.getLast().message()).contains("x...[999]: the number NaN of `metadata` is not finite");
    }

    private List<Mistake> mistakes(DiscoveryResponse response) {
        return catchThrowableOfType(RulesException.class, () -> reader.read(response, null))
                .mistakes();
    }

    /** Everything that can be long is, and so many descriptors have no key. */
    private static Any resource(int mistakes) {
        var own = policy(RateLimitUnit.DAY, 1)
                .setName(LONG)
                .addReplaces(RateLimitReplace.newBuilder().setName(LONG));
        var twice = descriptor(LONG).setValue(LONG);
        var config = RateLimitConfig.newBuilder()
                .setName(LONG)
                .setDomain(LONG)
                .addDescriptors(descriptor("a").setRateLimit(own))
                .addDescriptors(twice)
                .addDescriptors(twice);
        for (int i = 0; i < mistakes; i++) {
            config.addDescriptors(descriptor(""));
        }
        return AdsServer.resource(config.build());
    }
}
