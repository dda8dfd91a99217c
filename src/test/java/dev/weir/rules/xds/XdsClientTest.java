package dev.weir.rules.xds;

import static dev.weir.rules.xds.Configs.bad;
import static dev.weir.rules.xds.Configs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.testing.AdsServer;
import dev.weir.testing.Eventually;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitConfig;
import io.envoyproxy.ratelimit.config.ratelimit.v3.RateLimitDescriptor;
import io.grpc.Metadata;
import io.grpc.Status;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client says to a control plane, over a real connection, and which rules are in force meanwhile. */
final class XdsClientTest {
    private static final String MISTAKE =
            "resource edge: descriptors[2].rate_limit.unit: `unit` is missing; write second, minute, hour, day, week, month,"
                    + " year";

    private final AdsServer ads = AdsServer.start();
    private final RecordingXds listener = new RecordingXds();
    private XdsClient client;

    @BeforeEach
    void start() throws XdsException {
        client = new XdsClient(RecordingXds.options(ads, null), listener);
        client.start();
    }

    @AfterEach
    void end() {
        client.close();
        ads.close();
    }

    @Test
    void it_asks_for_everything_and_says_who_it_is() {
        var opening = ads.next();
        assertThat(opening.getTypeUrl()).isEqualTo(AdsServer.TYPE);
        assertThat(opening.getVersionInfo()).isEmpty();
        assertThat(opening.getResponseNonce()).isEmpty();
        assertThat(opening.getResourceNamesList()).isEmpty();
        assertThat(opening.getNode().getId()).isEqualTo("envoy-ratelimit");
        assertThat(opening.getNode().getMetadata())
                .isEqualTo(Struct.newBuilder()
                        .putFields(
                                "zone",
                                Value.newBuilder().setStringValue("eu-1").build())
                        .build());
        assertThat(ads.headers().get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER)))
                .isEqualTo("Bearer sesame");
    }

    @Test
    void a_good_set_is_in_force_and_accepted_with_its_version_and_nonce() {
        ads.next();
        ads.push("1", "one", limited("edge", 5), limited("shop", 5));
        assertSays(ads.next(), "1", "one");
        assertThat(listener.domainsInForce()).containsExactly("edge", "shop");

        ads.push("2", "two", limited("shop", 5));
        assertSays(ads.next(), "2", "two");
        assertThat(listener.domainsInForce()).as("the full set").containsExactly("shop");
        assertThat(listener.told()).containsExactly("connected", "accepted 1: 2 resources", "accepted 2: 1 resources");
    }

    @Test
    void an_empty_set_removes_all_domains() {
        ads.next();
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        ads.push("2", "two");
        assertSays(ads.next(), "2", "two");
        assertThat(listener.domainsInForce()).isEmpty();
    }

    @Test
    void a_bad_resource_refuses_the_whole_set_with_its_name_and_field() {
        ads.next();
        ads.push("1", "one", limited("shop", 5));
        ads.next();
        ads.push("2", "two", limited("bank", 5), bad("edge"));

        var refusal = ads.next();
        assertThat(refusal.getVersionInfo()).as("accepted before").isEqualTo("1");
        assertThat(refusal.getResponseNonce()).isEqualTo("two");
        assertThat(refusal.getErrorDetail().getMessage()).isEqualTo(MISTAKE);
        assertThat(refusal.getErrorDetail().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT.value());
        assertThat(listener.domainsInForce()).containsExactly("shop");

        ads.push("3", "three", limited("bank", 5), limited("edge", 5));
        assertSays(ads.next(), "3", "three");
        assertThat(listener.domainsInForce()).containsExactly("bank", "edge");
    }

    @Test
    void a_refused_set_that_comes_again_is_told_once_and_refused_again() {
        ads.next();
        for (int i = 0; i < 2; i++) {
            ads.push("1", "nonce " + i, bad("edge"));
            var refusal = ads.next();
            assertThat(refusal.hasErrorDetail()).isTrue();
            assertThat(refusal.getResponseNonce()).isEqualTo("nonce " + i);
        }
        assertThat(listener.told()).containsExactly("connected", "refused [" + MISTAKE + "]");

        ads.push("2", "another", limited("bank", 5), bad("edge"));
        assertThat(ads.next().getVersionInfo()).as("nothing was accepted").isEmpty();
        assertThat(listener.told()).as("another version, and the same is wrong").hasSize(2);
        ads.push("3", "mended", limited("edge", 5));
        ads.next();
        ads.push("4", "as before", bad("edge"));
        ads.next();
        assertThat(listener.told()).as("after a good set").hasSize(4);
    }

    @Test
    void a_control_plane_that_waits_for_no_answer_is_answered_all_the_same() {
        ads.next();
        for (int i = 0; i < 100; i++) {
            ads.push("1", "nonce " + i, bad("edge"));
        }
        assertThat(ads.next().getResponseNonce()).isEqualTo("nonce 0");
        int answers = 1;
        while (!ads.next().getResponseNonce().equals("nonce 99")) {
            answers++;
        }
        assertThat(answers).as("one in a second").isLessThan(50);
        assertThat(listener.told()).hasSize(2);
    }

    @Test
    void a_control_plane_that_goes_back_to_what_was_accepted_is_heard() throws XdsException {
        assertSays(ads.next(), "", "");
        client.close();
        Eventually.await("the stream is closed", ads::isIdle);
        client = new XdsClient(RecordingXds.restless(ads.address()), listener);
        client.start();
        assertSays(ads.next(), "", "");
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        ads.push("2", "two", bad("edge"));
        assertThat(ads.next().hasErrorDetail()).isTrue();
        assertSays(ads.next(), "", "");
        assertThat(listener.told())
                .as("nothing was heard on the new stream")
                .containsExactly("connected", "accepted 1: 1 resources", "refused [" + MISTAKE + "]", "silent");
        ads.push("1", "one again", limited("edge", 5));
        assertSays(ads.next(), "1", "one again");
        assertThat(listener.told()).endsWith("silent", "connected", "accepted 1: 1 resources");
        assertThat(ads.streams()).as("that of before, and two").isEqualTo(3);
    }

    @Test
    void mistakes_without_number_are_counted_and_the_first_ones_told() {
        ads.next();
        ads.push(
                "1",
                "one",
                RateLimitConfig.newBuilder()
                        .setName("edge")
                        .setDomain("edge")
                        .addAllDescriptors(Collections.nCopies(5_000, RateLimitDescriptor.getDefaultInstance()))
                        .build());
        String told = ads.next().getErrorDetail().getMessage();
        assertThat(told).hasLineCount(21).endsWith("\nand 981 more");
        assertThat(listener.told()).last().asString().endsWith(", response: 4000 more are not told]");
    }

    @Test
    void versions_and_nonces_are_the_control_planes_affair() {
        ads.next();
        ads.push("7", "same", limited("edge", 5));
        assertSays(ads.next(), "7", "same");
        ads.push("7", "same", limited("shop", 5));
        assertSays(ads.next(), "7", "same");
        assertThat(listener.domainsInForce()).as("one version, twice").containsExactly("shop");
        ads.push("", "", limited("bank", 5));
        assertSays(ads.next(), "", "");
        assertThat(listener.domainsInForce()).containsExactly("bank");
        ads.push("6", "back", limited("edge", 5));
        assertSays(ads.next(), "6", "back");
    }

    @Test
    void an_answer_to_somebody_elses_question_removes_nothing() {
        ads.next();
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        ads.push(DiscoveryResponse.newBuilder()
                .setTypeUrl("type.googleapis.com/envoy.config.cluster.v3.Cluster")
                .setVersionInfo("2")
                .setNonce("two")
                .build());
        assertThat(ads.next().getErrorDetail().getMessage()).startsWith("response: is of the type ");
        assertThat(listener.domainsInForce()).containsExactly("edge");
    }

    @Test
    void a_restarted_control_plane_is_asked_for_everything_anew() {
        ads.next();
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        ads.stop();
        listener.await("lost the stream from the control plane at " + ads.address() + " ended: ");
        listener.await("lost the control plane at " + ads.address() + " cannot be reached: Connection refused");
        assertThat(listener.domainsInForce()).as("the last good set").containsExactly("edge");

        ads.restart();
        var opening = ads.next();
        assertThat(opening.getVersionInfo())
                .as("a new process counts from 1 again: this version may be another one there")
                .isEmpty();
        assertThat(opening.getResponseNonce()).isEmpty();
        ads.push("1", "one", limited("shop", 5));
        assertSays(ads.next(), "1", "one");
        assertThat(listener.domainsInForce()).containsExactly("shop");
    }

    @Test
    void a_stream_that_ends_between_two_pushes_is_opened_again() {
        ads.next();
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        ads.complete();
        listener.await(
                "lost the stream from the control plane at " + ads.address() + " ended: the control plane closed it");
        assertThat(ads.next().getResponseNonce()).isEmpty();
        ads.push("2", "two", limited("shop", 5));
        assertSays(ads.next(), "2", "two");

        ads.fail(Status.PERMISSION_DENIED.withDescription("not\u001b[31m you" + "!".repeat(300)));
        listener.await("lost the stream from the control plane at " + ads.address()
                + " ended: PERMISSION_DENIED: not [31m you" + "!".repeat(188) + "...");
        assertThat(ads.next().getResponseNonce()).isEmpty();
    }

    @Test
    void a_control_plane_that_says_good_bye_may_finish() {
        ads.next();
        ads.goAway();
        ads.push("1", "one", limited("edge", 5));
        assertSays(ads.next(), "1", "one");
        ads.complete();
        listener.await("lost ");
        assertThat(listener.domainsInForce()).containsExactly("edge");
    }

    @Test
    void waits_grow_while_streams_fail_and_are_short_again_once_rules_came() {
        ads.next();
        ads.refuse(Status.UNAVAILABLE.withDescription("too busy"));
        ads.fail(Status.UNAVAILABLE.withDescription("too busy"));
        Eventually.await("six streams were lost", () -> listener.waits().size() >= 6);
        assertThat(listener.waits().subList(0, 6).stream().map(Duration::toMillis))
                .containsExactly(1L, 2L, 4L, 8L, 8L, 8L);
        assertThat(listener.told().getFirst()).endsWith(" ended: too busy");

        ads.refuse(null);
        ads.next();
        ads.push("1", "one", limited("edge", 5));
        ads.next();
        int lost = listener.waits().size();
        ads.complete();
        Eventually.await("another stream was lost", () -> listener.waits().size() > lost);
        assertThat(listener.waits().get(lost)).hasMillis(1);
    }

    @Test
    void resources_without_a_name_are_taken_with_a_doubt() {
        ads.next();
        ads.push("1", "one", limited("edge", 5).toBuilder().clearName().build());
        assertSays(ads.next(), "1", "one");
        assertThat(listener.told())
                .contains(
                        "accepted 1: 1 resources",
                        "doubted 1 resource without a name: a control plane that keeps them by name has lost all but one");
    }

    @Test
    void a_peer_that_accepts_and_says_nothing_is_left() throws Exception {
        try (var mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            var quiet = new RecordingXds();
            String address = "127.0.0.1:" + mute.getLocalPort();
            try (var other = new XdsClient(RecordingXds.impatient(address), quiet)) {
                other.start();
                quiet.await("lost the control plane at " + address + " cannot be reached: no word from it within 1 s");
            }
        }
    }

    @Test
    void a_closed_client_asks_no_more_and_may_be_closed_again() {
        ads.next();
        client.close();
        client.close();
        Eventually.await("the stream is gone", () -> ads.isIdle());
        assertThat(listener.told()).isEmpty();
        assertThat(ads.streams()).isEqualTo(1);
    }

    private static void assertSays(DiscoveryRequest request, String version, String nonce) {
        assertThat(request.getTypeUrl()).isEqualTo(AdsServer.TYPE);
        assertThat(request.getVersionInfo()).isEqualTo(version);
        assertThat(request.getResponseNonce()).isEqualTo(nonce);
        assertThat(request.hasErrorDetail())
                .as("refused: %s", request.getErrorDetail())
                .isFalse();
        assertThat(request.getNode().getId()).as("in each request").isEqualTo("envoy-ratelimit");
    }
}
