package dev.weir.telemetry;

import io.opentelemetry.common.ComponentLoader;
import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;
import java.util.List;

/**
 * Lets our exporters speak gRPC through the library that Weir has anyway. They are handed it: found by {@code META-INF/services} it would
 * come between an application and its own exporters (docs/library.md).
 */
final class GrpcSending implements GrpcSenderProvider, ComponentLoader {
    private static final ComponentLoader OTHERS = ComponentLoader.forClassLoader(GrpcSending.class.getClassLoader());

    @Override
    public <T> Iterable<T> load(Class<T> wanted) {
        return wanted == GrpcSenderProvider.class ? List.of(wanted.cast(this)) : OTHERS.load(wanted);
    }

    @Override
    public GrpcSender createSender(GrpcSenderConfig config) {
        return new GrpcExports(config);
    }
}
