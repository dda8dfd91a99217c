package dev.weir.telemetry;

import dev.weir.words.Secrets;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where to send to, and how.
 *
 * @param isGrpc whether it is spoken to over gRPC, not over HTTP
 * @param address over HTTP with the path; over gRPC without
 * @param headers sent with each export; secrets may be among them
 * @param isCompressed whether what is sent is packed with gzip
 * @param timeout of one export
 * @param authorities who may have signed its certificate, in PEM; null for those whom Java trusts
 */
public record Collector(
        boolean isGrpc,
        URI address,
        Map<String, String> headers,
        boolean isCompressed,
        Duration timeout,
        @Nullable String authorities) {

    public Collector {
        headers = Map.copyOf(headers);
    }

    /** Without the headers' values. */
    @Override
    public String toString() {
        return "Collector[isGrpc=" + isGrpc + ", address=" + address + ", headers=" + headers.keySet()
                + ", isCompressed=" + isCompressed + ", timeout=" + timeout + "]";
    }

    /**
     * Returns the same collector, whose certificate one of these authorities must have signed.
     *
     * @param authorities in PEM
     */
    public Collector trusting(String authorities) {
        return new Collector(isGrpc, address, headers, isCompressed, timeout, authorities);
    }

    /** Returns what the collector is told that it must not repeat to others. */
    Secrets secrets() {
        return Secrets.among(headers.values());
    }

    String compression() {
        return isCompressed ? "gzip" : "none";
    }
}
