{{/* The addresses of Redis, as a YAML list of host:port; several are the nodes of a cluster. */}}
{{- define "n8n-tuned.redis.addresses" -}}
{{- with .Values.redis -}}
{{- if eq .type "embedded" -}}
- {{ include "n8n-tuned.object" (dict "root" $ "name" "redis") }}:6379
{{- else if .clusterNodes -}}
{{- toYaml .clusterNodes -}}
{{- else -}}
- {{ printf (contains ":" .host | ternary "[%s]:%d" "%s:%d") .host (int .port) | quote }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.redis.env" -}}
{{- $external := eq .Values.redis.type "external" -}}
{{- if eq .Values.executions.mode "queue" }}
{{- with .Values.redis }}
# n8n 0.x and later releases have different defaults, and the autoscaler needs the name.
QUEUE_BULL_PREFIX: {{ .prefix | quote }}
{{- if and $external .clusterNodes }}
QUEUE_BULL_REDIS_CLUSTER_NODES: {{ join "," .clusterNodes | quote }}
{{- else }}
{{- $own := include "n8n-tuned.object" (dict "root" $ "name" "redis") }}
QUEUE_BULL_REDIS_HOST: {{ $external | ternary .host $own | quote }}
QUEUE_BULL_REDIS_PORT: {{ $external | ternary .port 6379 | int | quote }}
{{- end }}
{{- if $external }}
{{- if not .clusterNodes }}
QUEUE_BULL_REDIS_DB: {{ int .db | quote }}
{{- end }}
{{- with .username }}
QUEUE_BULL_REDIS_USERNAME: {{ quote . }}
{{- end }}
{{- if .tls.enabled }}
QUEUE_BULL_REDIS_TLS: "true"
{{- end }}
{{- end }}
{{- with include "n8n-tuned.secret.env" (dict "root" $ "name" "redis-password") }}
QUEUE_BULL_REDIS_PASSWORD: {{ . }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A role's connection to Redis, with the authorities that it trusts, and including variables from extraEnv. */}}
{{- define "n8n-tuned.redis.ofRole" -}}
{{- $env := merge (include "n8n-tuned.redis.env" .root | fromYaml) (include "n8n-tuned.ca.env" .root | fromYaml) -}}
{{- range $name, $value := (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
  {{- $ours := or (hasPrefix "QUEUE_BULL_REDIS_" $name) (eq $name "NODE_EXTRA_CA_CERTS") -}}
  {{- if $ours -}}{{- $_ := set $env $name $value -}}{{- end -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}

{{/* The Secret with the authority that signed Redis' certificate, if one is mounted. */}}
{{- define "n8n-tuned.redis.ca" -}}
{{- with .Values.redis -}}
{{- if and (eq $.Values.executions.mode "queue") (eq .type "external") .tls.enabled -}}
{{- .tls.caSecret.name -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
MiB of data that the embedded Redis takes: 70 % of its memory limit. The rest is for its clients, and for copies of what
changes while it rewrites its journal. Empty without a limit.
*/}}
{{- define "n8n-tuned.redis.maxmemory" -}}
{{- with dig "limits" "memory" "" (default dict .Values.redis.embedded.resources) -}}
  {{- div (mul (include "n8n-tuned.mebibytes" . | int) 70) 100 -}}
{{- end -}}
{{- end -}}
