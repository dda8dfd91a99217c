package dev.weir.settings;

import dev.weir.settings.table.Environment;
import dev.weir.settings.table.Kind;
import dev.weir.settings.table.Rows;
import dev.weir.settings.table.Secret;
import dev.weir.settings.table.Setting;
import dev.weir.settings.table.Setting.Group;
import java.util.List;

/**
 * Where to listen.
 *
 * @param http {@code /json} and the pages of probes
 * @param grpc the rate limit service
 * @param debug what only operators should see
 * @param adminToken who says it may change counters and rules; empty if nobody may
 */
public record Servers(Listener http, Listener grpc, Listener debug, AdminToken adminToken) {
    private static final Rows ROWS = new Rows(Group.SERVERS);

    private static final Setting<String> HOST = ROWS.add(
            "HOST", "0.0.0.0", Kind.HOST, "Where HTTP (`/json`, `/healthcheck`, `/livez`, `/readyz`) listens.");
    private static final Setting<Integer> PORT = ROWS.add("PORT", "8080", Kind.PORT, "Its port.");
    private static final Setting<String> GRPC_HOST =
            ROWS.add("GRPC_HOST", "0.0.0.0", Kind.HOST, "Where gRPC (`ShouldRateLimit`, health) listens.");
    private static final Setting<Integer> GRPC_PORT = ROWS.add("GRPC_PORT", "8081", Kind.PORT, "Its port.");
    private static final Setting<String> DEBUG_HOST = ROWS.add(
            "DEBUG_HOST",
            "127.0.0.1",
            Kind.HOST,
            "Where `/busiest`, `/explain`, `/live`, `/reset`, `/rlconfig`, `/rules` and `/stats` listen; only this machine may ask, unless told otherwise (the Go service:"
                    + " everyone).");
    private static final Setting<Integer> DEBUG_PORT = ROWS.add("DEBUG_PORT", "6070", Kind.PORT, "Its port.");
    private static final Secret ADMIN_TOKEN = Secret.add(
            ROWS,
            "ADMIN_TOKEN",
            Kind.TOKEN,
            "Who says it (`Authorization: Bearer ...`) may [let callers in again](debug-port.md#letting-a-caller-in-again) with `/reset`"
                    + " and [change rules](debug-port.md#rules-without-a-rollout) with `/rules` on the debug port; nobody may without it.");

    /**
     * An address to listen on.
     *
     * @param host a name or an address; {@code 0.0.0.0} and {@code ::} are every one
     * @param port 0 for any free one, to 65535
     */
    public record Listener(String host, int port) {

        private static Listener of(Environment environment, Setting<String> host, Setting<Integer> port) {
            String name = environment.read(host);
            return new Listener(name.isEmpty() ? "0.0.0.0" : name, environment.read(port));
        }
    }

    /**
     * A secret that lets in who says it.
     *
     * @param text empty where nobody is let in
     */
    public record AdminToken(String text) {
        @Override
        public String toString() {
            return text.isEmpty() ? "none" : "***";
        }
    }

    static List<Setting<?>> rows() {
        return ROWS.all();
    }

    static Servers of(Environment environment) {
        return new Servers(
                Listener.of(environment, HOST, PORT),
                Listener.of(environment, GRPC_HOST, GRPC_PORT),
                Listener.of(environment, DEBUG_HOST, DEBUG_PORT),
                new AdminToken(ADMIN_TOKEN.read(environment)));
    }
}
