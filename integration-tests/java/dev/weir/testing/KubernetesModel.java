package dev.weir.testing;

import static com.fasterxml.jackson.databind.cfg.CoercionAction.Fail;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import io.fabric8.istio.api.networking.v1alpha3.EnvoyFilter;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.gatewayapi.v1beta1.ReferenceGrant;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.openshift.api.model.monitoring.v1.PrometheusRule;
import io.fabric8.openshift.api.model.monitoring.v1.ServiceMonitor;
import java.util.Map;

/**
 * Objects of Kubernetes, read as its API describes them: a field that is not known there, text where a number belongs, or a
 * number where text belongs, fails.
 */
public final class KubernetesModel {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "v1 ConfigMap", ConfigMap.class,
            "v1 Service", Service.class,
            "apps/v1 Deployment", Deployment.class,
            "autoscaling/v2 HorizontalPodAutoscaler", HorizontalPodAutoscaler.class,
            "policy/v1 PodDisruptionBudget", PodDisruptionBudget.class,
            "networking.k8s.io/v1 NetworkPolicy", NetworkPolicy.class,
            "monitoring.coreos.com/v1 ServiceMonitor", ServiceMonitor.class,
            "monitoring.coreos.com/v1 PrometheusRule", PrometheusRule.class,
            "gateway.networking.k8s.io/v1beta1 ReferenceGrant", ReferenceGrant.class,
            "networking.istio.io/v1alpha3 EnvoyFilter", EnvoyFilter.class);

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .annotationIntrospector(new WithoutRoomForMore())
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    text -> text.setCoercion(CoercionInputShape.Integer, Fail)
                            .setCoercion(CoercionInputShape.Float, Fail)
                            .setCoercion(CoercionInputShape.Boolean, Fail))
            .build();

    private KubernetesModel() {}

    /** Returns the object that {@code tree} writes; fails with the place if it does not fit its kind, or is of none here. */
    public static HasMetadata read(JsonNode tree) {
        var kind = tree.path("apiVersion").asText() + " " + tree.path("kind").asText();
        var type = KINDS.get(kind);
        if (type == null) {
            throw new AssertionError("a kind that is not known here: " + kind);
        }
        try {
            return MAPPER.treeToValue(tree, type);
        } catch (JsonProcessingException e) {
            throw new AssertionError("no %s: %s".formatted(kind, e.getMessage()), e);
        }
    }

    /** The classes keep what they do not know; without that, it is a mistake. */
    private static final class WithoutRoomForMore extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public Boolean hasAnySetter(Annotated annotated) {
            return false;
        }
    }
}
