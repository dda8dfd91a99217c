{{/* The seconds of a duration in whole numbers, `30s`, `1m30s`, `500ms` (one begun counts), or `0`; nothing of any other. */}}
{{- define "weir.seconds" -}}
{{- if eq . "0" }}0{{ end }}
{{- if regexMatch "^([0-9]{1,6}(ms|s|m|h))+$" . }}
{{- $seconds := 0.0 }}
{{- range regexFindAll "[0-9]+(ms|s|m|h)" . -1 }}
{{- $unit := get (dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0) (regexFind "[a-z]+$" .) }}
{{- $seconds = addf $seconds (mulf (regexFind "^[0-9]+" . | float64) $unit) }}
{{- end }}
{{- ceil $seconds | int }}
{{- end }}
{{- end }}

{{/* The bytes of a size, of which the first is the text and the second what its units stand for; nothing of any other. */}}
{{- define "weir.bytes" -}}
{{- $text := index . 0 }}
{{- $unit := regexFind "[a-zA-Z]*$" $text }}
{{- if and (regexMatch "^[0-9]{1,12}[a-zA-Z]*$" $text) (hasKey (index . 1) $unit) }}
{{- mul (regexFind "^[0-9]+" $text | int64) (get (index . 1) $unit) }}
{{- end }}
{{- end }}

{{/* The thousandths of a number of processors, `500m`, `0.5`; nothing of any other. */}}
{{- define "weir.millis" -}}
{{- if regexMatch "^[0-9]{1,6}m$" . }}
{{- trimSuffix "m" . | float64 }}
{{- else if regexMatch "^([0-9]{1,6}([.][0-9]*)?|[.][0-9]+)$" . }}
{{- mulf (float64 .) 1000 }}
{{- end }}
{{- end }}

{{/* The value of the chart in which a variable stands: the first is those that do not stand in `env`, the second its name. */}}
{{- define "weir.where" -}}
{{- get (index . 0) (index . 1) | default "env" }}
{{- end }}

{{/* What cannot work is refused in a sentence. A variable of `env` or `extraEnv` that the chart decides by a value of its own
     would stand in the container twice. */}}
{{- define "weir.refuse" -}}
{{- $env := deepCopy (.Values.env | default dict) }}
{{- $from := dict }}
{{- range .Values.extraEnv }}
{{- if hasKey $env .name }}
{{- fail (printf "extraEnv: %s is given twice, here and %s; keep one of them" .name (printf "in %s" (include "weir.where" (list $from .name)))) }}
{{- end }}
{{- $_ := set $from .name "extraEnv" }}
{{- /* What the pod or a Secret says is not known here, and is none of the values that are refused, but of GRPC_UDS any is. */}}
{{- $_ := set $env .name (hasKey . "valueFrom" | ternary "?" (.value | default "")) }}
{{- end }}
{{- $values := dict
  "BACKEND_TYPE" "redis.url" "REDIS_URL" "redis.url or redis.urlSecret" "REDIS_TYPE" "redis.type" "REDIS_TLS" "redis.tls"
  "CONFIG_TYPE" "xds.enabled" "CONFIG_GRPC_XDS_SERVER_URL" "xds.server" "CONFIG_GRPC_XDS_NODE_ID" "xds.nodeId"
  "RUNTIME_ROOT" "rules or existingRules" "RUNTIME_SUBDIRECTORY" "rules or existingRules"
  "RUNTIME_APPDIRECTORY" "rules or existingRules" "RUNTIME_WATCH_ROOT" "rules or existingRules"
  "RUNTIME_IGNOREDOTFILES" "rules or existingRules" "USE_PROMETHEUS" "metrics.enabled"
  "GRPC_SERVER_USE_TLS" "tls.existingSecret" "GRPC_SERVER_TLS_CERT" "tls.existingSecret"
  "GRPC_SERVER_TLS_KEY" "tls.existingSecret" "GRPC_CLIENT_TLS_CACERT" "tls.client.existingSecret"
  "GRPC_CLIENT_TLS_SAN" "tls.client.name"
}}
{{- range $name, $value := $values }}
{{- if hasKey $env $name }}
{{- fail (printf "%s.%s: the chart sets this variable by itself; write %s in its place" (include "weir.where" (list $from $name)) $name $value) }}
{{- end }}
{{- end }}
{{- range $name := list "PORT" "GRPC_PORT" "PROMETHEUS_ADDR" "PROMETHEUS_PATH" }}
{{- if hasKey $env $name }}
{{- fail (printf "%s.%s: the Service and those who ask it count on the default; take it out" (include "weir.where" (list $from $name)) $name) }}
{{- end }}
{{- end }}
{{- range $name := list "HOST" "GRPC_HOST" }}
{{- $host := get $env $name | default "" | toString }}
{{- if regexMatch "^(127[.].*|localhost|\\[?::1\\]?)$" $host }}
{{- fail (printf "%s.%s: nobody outside the pod reaches %s, not even the kubelet's probes; take it out" (include "weir.where" (list $from $name)) $name $host) }}
{{- end }}
{{- end }}
{{- if get $env "GRPC_UDS" }}
{{- fail (printf "%s.GRPC_UDS: with a socket the port that the Service leads to is not open; take it out" (include "weir.where" (list $from "GRPC_UDS"))) }}
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
{{- range $name, $_ := .Values.rules }}
{{- if hasPrefix "." $name }}
{{- fail (printf "rules.%s: a file whose name begins with a dot is not read, and its rules would never be in force; take the dot out" $name) }}
{{- end }}
{{- end }}
{{- if and .Values.redis.existingSecret (hasKey $env "REDIS_AUTH") }}
{{- fail (printf "%s.REDIS_AUTH: the password is in redis.existingSecret already; keep one of them" (include "weir.where" (list $from "REDIS_AUTH"))) }}
{{- end }}
{{- if and .Values.redis.url .Values.redis.urlSecret.name }}
{{- fail "redis.url: redis.urlSecret names a Secret that takes its place; keep one of them" }}
{{- end }}
{{- if and .Values.redis.existingSecret (not .Values.redis.url) (not .Values.redis.urlSecret.name) }}
{{- fail "redis.existingSecret: without redis.url or redis.urlSecret counts are kept in memory, and need no password; name a Redis too" }}
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
{{- /* A collector of OpenTelemetry may hand all of them on to Prometheus; whether one is told may stand where it cannot be read. */}}
{{- if and .Values.metrics.rules.enabled (not .Values.metrics.enabled) (empty .Values.envFrom) (not (regexMatch "otlp|^[?]$" (get $env "OTEL_METRICS_EXPORTER" | toString))) }}
{{- fail "metrics.rules.enabled: without metrics.enabled there is nothing that alerts could go by, and WeirAbsent would never end; set it too" }}
{{- end }}
{{- $further := dict "podLabels" .Values.podLabels "metrics.serviceMonitor.labels" .Values.metrics.serviceMonitor.labels "metrics.rules.labels" .Values.metrics.rules.labels "metrics.dashboard.labels" .Values.metrics.dashboard.labels }}
{{- range $from, $labels := $further }}
{{- range $name, $_ := include "weir.labels" $ | fromYaml }}
{{- if hasKey ($labels | default dict) $name }}
{{- fail (printf "%s.%s: the chart sets this label by itself; take it out" $from $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- /* Not by default, to which the number 0 is nothing. */}}
{{- $delay := include "weir.seconds" (hasKey $env "DRAIN_DELAY" | ternary $env.DRAIN_DELAY (include "weir.drain" . | default "5s") | toString) }}
{{- $timeout := include "weir.seconds" (hasKey $env "DRAIN_TIMEOUT" | ternary $env.DRAIN_TIMEOUT "30s" | toString) }}
{{- $grace := int (.Values.terminationGracePeriodSeconds | default 30) }}
{{- /* Metrics and traces that are pushed may then take four seconds and two. */}}
{{- $ending := add (int ($delay | default 0)) (int ($timeout | default 0)) 6 }}
{{- if and $delay $timeout (ge $ending (int64 $grace)) }}
{{- fail (printf "terminationGracePeriodSeconds: after %d s a pod is killed, and ending may take %d (env.DRAIN_DELAY and env.DRAIN_TIMEOUT together, and 6 for the last metrics and traces); write more than that" $grace $ending) }}
{{- end }}
{{- if .Values.autoscaling.enabled }}
{{- if gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas) }}
{{- fail (printf "autoscaling.minReplicas: %v are more than autoscaling.maxReplicas, %v; write as many or fewer" .Values.autoscaling.minReplicas .Values.autoscaling.maxReplicas) }}
{{- end }}
{{- $resources := .Values.resources | default dict }}
{{- $most := dig "limits" "cpu" "" $resources | toJson | trimAll "\"" | trimPrefix "null" }}
{{- /* As Kubernetes does: where only the limit is written, it is asked for. */}}
{{- $cpu := dig "requests" "cpu" "" $resources | toJson | trimAll "\"" | trimPrefix "null" | default $most }}
{{- $millis := include "weir.millis" $cpu }}
{{- $full := and $millis (gt (float64 $millis) 0.0) (eq $millis (include "weir.millis" $most)) }}
{{- if and (not $full) (or (not $cpu) (and $millis (lt (float64 $millis) 1000.0))) }}
{{- fail (printf "resources.requests.cpu: the autoscaler adds replicas at %v %% of it, so %s is too little; write what you mean by a full pod, 1 or more, or limits.cpu that is no more than it" .Values.autoscaling.targetCPUUtilizationPercentage ($cpu | default "nothing")) }}
{{- end }}
{{- end }}
{{- $limit := dig "limits" "memory" "" (.Values.resources | default dict) }}
{{- /* The heap of bin/weir, unless flags may name another, or envFrom may. */}}
{{- $heap := get $env "WEIR_HEAP" | toJson | trimAll "\"" | default (.Values.envFrom | empty | ternary "112m" "") }}
{{- range $name := list "JAVA_OPTS" "_JAVA_OPTIONS" }}
{{- if regexMatch "Xmx|HeapSize=|RAM|OptionsFile=|Flags=|@|^[?]$" (get $env $name | toString) }}
{{- $heap = "" }}
{{- end }}
{{- end }}
{{- $ofJava := dict "" 1 "k" 1024 "K" 1024 "m" 1048576 "M" 1048576 "g" 1073741824 "G" 1073741824 }}
{{- $ofKubernetes := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 }}
{{- $heapBytes := include "weir.bytes" (list $heap $ofJava) }}
{{- $limitBytes := include "weir.bytes" (list ($limit | toJson | trimAll "\"") $ofKubernetes) }}
{{- $beside := mul 115 1048576 }}
{{- if and $heapBytes $limitBytes (lt (int64 $limitBytes) (add (int64 $heapBytes) $beside)) }}
{{- fail (printf "resources.limits.memory: %v has no room for the heap of %s (%s) and some 115Mi beside it, so that pods would be killed under load; write the heap and 210Mi" $limit $heap (hasKey $env "WEIR_HEAP" | ternary (printf "%s.WEIR_HEAP" (include "weir.where" (list $from "WEIR_HEAP"))) "the preset")) }}
{{- end }}
{{- end }}
