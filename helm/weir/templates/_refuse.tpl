{{/* What cannot work is refused in a sentence. A variable of `env` that the chart decides by a value of its own would stand
     in the container twice. */}}
{{- define "weir.refuse" -}}
{{- $values := dict
  "BACKEND_TYPE" "redis.url" "REDIS_URL" "redis.url" "REDIS_TYPE" "redis.type" "REDIS_TLS" "redis.tls"
  "CONFIG_TYPE" "xds.enabled" "CONFIG_GRPC_XDS_SERVER_URL" "xds.server" "CONFIG_GRPC_XDS_NODE_ID" "xds.nodeId"
  "RUNTIME_ROOT" "rules or existingRules" "RUNTIME_SUBDIRECTORY" "rules or existingRules"
  "RUNTIME_APPDIRECTORY" "rules or existingRules" "RUNTIME_WATCH_ROOT" "rules or existingRules"
  "RUNTIME_IGNOREDOTFILES" "rules or existingRules" "USE_PROMETHEUS" "metrics.enabled"
  "GRPC_SERVER_USE_TLS" "tls.existingSecret" "GRPC_SERVER_TLS_CERT" "tls.existingSecret"
  "GRPC_SERVER_TLS_KEY" "tls.existingSecret" "GRPC_CLIENT_TLS_CACERT" "tls.client.existingSecret"
  "GRPC_CLIENT_TLS_SAN" "tls.client.name"
}}
{{- range $name, $value := $values }}
{{- if hasKey $.Values.env $name }}
{{- fail (printf "env.%s: the chart sets this variable by itself; write %s in its place" $name $value) }}
{{- end }}
{{- end }}
{{- range $name := list "PORT" "GRPC_PORT" "PROMETHEUS_ADDR" "PROMETHEUS_PATH" }}
{{- if hasKey $.Values.env $name }}
{{- fail (printf "env.%s: the Service and those who ask it count on the default; take it out" $name) }}
{{- end }}
{{- end }}
{{- if and .Values.xds.enabled (not .Values.xds.server) }}
{{- fail "xds.server: xds.enabled needs to know where the control plane listens; write host:port" }}
{{- end }}
{{- if and .Values.xds.enabled (or .Values.rules .Values.existingRules) }}
{{- fail "rules, existingRules: with xds.enabled no files are read; take them out" }}
{{- end }}
{{- if and .Values.rules .Values.existingRules }}
{{- fail "rules: existingRules names a ConfigMap that takes their place; keep one of them" }}
{{- end }}
{{- if and .Values.redis.existingSecret (hasKey .Values.env "REDIS_AUTH") }}
{{- fail "env.REDIS_AUTH: the password is in redis.existingSecret already; keep one of them" }}
{{- end }}
{{- if and .Values.tls.client.existingSecret (not .Values.tls.existingSecret) }}
{{- fail "tls.client.existingSecret: without TLS callers show no certificate; name the service's own in tls.existingSecret too" }}
{{- end }}
{{- if and .Values.tls.client.name (not .Values.tls.client.existingSecret) }}
{{- fail "tls.client.name: a name proves nothing unless an authority vouches for it; name its Secret in tls.client.existingSecret" }}
{{- end }}
{{- if and .Values.tls.existingSecret (eq .Values.service.appProtocol "kubernetes.io/h2c") }}
{{- fail "service.appProtocol: h2c is HTTP/2 without TLS; leave it empty with tls.existingSecret" }}
{{- end }}
{{- if and .Values.metrics.serviceMonitor.enabled (not .Values.metrics.enabled) }}
{{- fail "metrics.serviceMonitor.enabled: there is nothing to read without metrics.enabled; set it too" }}
{{- end }}
{{- end }}
