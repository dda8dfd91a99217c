package dev.weir.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.resources.Resource;
import java.util.Map;

/**
 * Who tells.
 *
 * @param attributes of this process, by the names of OpenTelemetry ({@code service.name} ...); empty values are left out
 */
public record Identity(Map<String, String> attributes) {

    public Identity {
        attributes = Map.copyOf(attributes);
    }

    Resource resource() {
        var all = Attributes.builder();
        attributes.forEach((name, value) -> {
            if (!value.isEmpty()) {
                all.put(name, value);
            }
        });
        return Resource.getDefault().merge(Resource.create(all.build()));
    }
}
