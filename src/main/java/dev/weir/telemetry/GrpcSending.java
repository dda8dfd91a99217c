package dev.weir.telemetry;

import io.opentelemetry.sdk.common.export.GrpcSender;
import io.opentelemetry.sdk.common.export.GrpcSenderConfig;
import io.opentelemetry.sdk.common.export.GrpcSenderProvider;

/** Lets the exporters speak gRPC through the library that Weir has anyway. They find it by {@code META-INF/services}. */
public final class GrpcSending implements GrpcSenderProvider {
    @Override
    public GrpcSender createSender(GrpcSenderConfig config) {
        return new GrpcExports(config);
    }
}
