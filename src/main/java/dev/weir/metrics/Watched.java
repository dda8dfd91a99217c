package dev.weir.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Gauges whose values other rooms know. Those rooms are built later; until then a gauge is zero, and those of the control plane and of
 * certificates do not exist. The registry refers to this object weakly, so {@link Statistics} must hold it.
 */
final class Watched {
    private final MeterRegistry registry;
    private volatile BooleanSupplier storeReachable = () -> false;
    private volatile IntSupplier replicas = () -> 0;
    private volatile IntSupplier connections = () -> 0;
    private volatile LongSupplier connectionsRefused = () -> 0;
    private volatile LongSupplier connectionsSentAway = () -> 0;

    Watched(MeterRegistry registry) {
        this.registry = registry;
        var _ = Gauge.builder(MeterNames.STORE_REACHABLE, this, self -> self.storeReachable.getAsBoolean() ? 1 : 0)
                .register(registry);
        var _ = Gauge.builder(MeterNames.REPLICAS, this, self -> self.replicas.getAsInt())
                .register(registry);
        var _ = Gauge.builder(MeterNames.CONNECTIONS, this, self -> self.connections.getAsInt())
                .register(registry);
        registry.more()
                .counter(MeterNames.CONNECTIONS_REFUSED, List.of(), this, self -> self.connectionsRefused.getAsLong());
        registry.more()
                .counter(
                        MeterNames.CONNECTIONS_SENT_AWAY,
                        List.of(),
                        this,
                        self -> self.connectionsSentAway.getAsLong());
    }

    void store(BooleanSupplier reachable, IntSupplier sharing) {
        storeReachable = reachable;
        replicas = sharing;
    }

    void connections(IntSupplier open, LongSupplier refused, LongSupplier sentAway) {
        connections = open;
        connectionsRefused = refused;
        connectionsSentAway = sentAway;
    }

    void controlPlane(BooleanSupplier connected) {
        var _ = Gauge.builder(MeterNames.CONTROL_PLANE_CONNECTED, () -> connected.getAsBoolean() ? 1 : 0)
                .register(registry);
    }

    void certificate(String which, Supplier<Instant> expiry) {
        var _ = Gauge.builder(MeterNames.TLS_EXPIRY, () -> expiry.get().getEpochSecond())
                .tag(MeterNames.CERTIFICATE, which)
                .baseUnit("seconds")
                .register(registry);
    }
}
