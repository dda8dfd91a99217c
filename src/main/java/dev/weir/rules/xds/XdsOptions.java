package dev.weir.rules.xds;

import dev.weir.limit.Charge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How to speak with the control plane, and how to read what it says.
 *
 * @param server its address, {@code host:port}
 * @param node who asks
 * @param headers sent with each stream, by their names in lower case
 * @param maxMessageBytes how large a response may be; 0 for gRPC's own bound of 4 MiB
 * @param tls null to speak in the clear
 * @param patience how long a connection may take to come about
 * @param unreachable how long to wait where no connection came about
 * @param broken how long to wait where a stream ended
 * @param silence how long nothing may come after a refusal until everything is asked for anew
 * @param reading how resources become rules
 */
public record XdsOptions(
        String server,
        Node node,
        Map<String, String> headers,
        int maxMessageBytes,
        @Nullable Tls tls,
        Duration patience,
        Backoff unreachable,
        Backoff broken,
        Duration silence,
        Reading reading) {

    public XdsOptions {
        headers = Map.copyOf(headers);
    }

    /** Without the headers, which may hold secrets. */
    @Override
    public String toString() {
        return "XdsOptions[server=" + server + "]";
    }

    /**
     * Who asks, so that the control plane knows what to answer.
     *
     * @param id the replica, or all of them
     * @param metadata whatever the control plane wants to know
     */
    public record Node(String id, Map<String, String> metadata) {

        public Node {
            metadata = Map.copyOf(metadata);
        }
    }

    /**
     * Who is trusted, and with what we prove who we are. Files are read again for each connection.
     *
     * @param authorities PEM file of those who may have signed the server's certificate; null for those that Java trusts
     * @param chain PEM file of our own certificate and those between it and an authority; null if the server asks for none
     * @param key PEM file of the private key of our certificate; null exactly where {@code chain} is
     * @param serverName the name that the server's certificate must have; empty for the host of its address
     */
    public record Tls(
            @Nullable Path authorities,
            @Nullable Path chain,
            @Nullable Path key,
            String serverName) {}

    /**
     * How resources become rules.
     *
     * @param mergeDomains whether several resources may define the same domain
     * @param fixedWindowCharge when hits are counted: the messages cannot say
     * @param mostDescriptors how many one response may hold: the heap must bear them twice
     */
    public record Reading(boolean mergeDomains, Charge fixedWindowCharge, long mostDescriptors) {}
}
