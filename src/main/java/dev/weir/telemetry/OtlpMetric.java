package dev.weir.telemetry;

import dev.weir.meter.Help;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.resources.Resource;

/** One meter as OpenTelemetry has it. */
record OtlpMetric(Resource resource, String name, MetricDataType type, Data<?> points) implements MetricData {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("dev.weir");

    @Override
    public Resource getResource() {
        return resource;
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public String getDescription() {
        return Help.of(name);
    }

    @Override
    public String getUnit() {
        return "";
    }

    @Override
    public MetricDataType getType() {
        return type;
    }

    @Override
    public Data<?> getData() {
        return points;
    }
}
