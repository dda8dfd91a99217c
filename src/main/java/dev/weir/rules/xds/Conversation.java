package dev.weir.rules.xds;

import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import com.google.rpc.Code;
import com.google.rpc.Status;
import io.envoyproxy.envoy.config.core.v3.Node;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryRequest;
import io.envoyproxy.envoy.service.discovery.v3.DiscoveryResponse;
import java.util.List;

/**
 * What is said on one stream, state of the world: each response is the full set, and is answered with its own nonce; to be
 * accepted with its version too, to be refused with the version accepted before and the reason.
 *
 * <p>A new stream begins without a version even if rules are in force. Control planes count their versions from 1 again
 * after a restart, and one that is shown a number that it happens to have reached would keep to itself what has changed.
 */
final class Conversation {
    /** Mistakes of a refusal: a control plane needs the first ones, and messages are bounded. */
    private static final int MOST_MISTAKES = 20;

    private final Node node;
    private String version = "";

    Conversation(XdsOptions.Node node) {
        var metadata = Struct.newBuilder();
        node.metadata()
                .forEach((key, value) -> metadata.putFields(
                        key, Value.newBuilder().setStringValue(value).build()));
        this.node = Node.newBuilder().setId(node.id()).setMetadata(metadata).build();
    }

    /** Asks for all resources. */
    DiscoveryRequest opening() {
        return request().build();
    }

    /** Says that the response is in force. */
    DiscoveryRequest accept(DiscoveryResponse response) {
        version = response.getVersionInfo();
        return request().setResponseNonce(response.getNonce()).build();
    }

    /** Says that the response of this nonce is not in force, and why. */
    DiscoveryRequest refuse(String nonce, List<String> mistakes) {
        String told = String.join("\n", mistakes.subList(0, Math.min(MOST_MISTAKES, mistakes.size())));
        int untold = mistakes.size() - MOST_MISTAKES;
        var reason = Status.newBuilder()
                .setCode(Code.INVALID_ARGUMENT_VALUE)
                .setMessage(untold > 0 ? told + "\nand " + untold + " more" : told);
        return request().setResponseNonce(nonce).setErrorDetail(reason).build();
    }

    private DiscoveryRequest.Builder request() {
        return DiscoveryRequest.newBuilder()
                .setNode(node)
                .setTypeUrl(ResourceReader.TYPE)
                .setVersionInfo(version);
    }
}
