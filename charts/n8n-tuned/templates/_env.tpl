{{/*
The environment of a role, built as a map so that every name occurs once. Each concern adds its part, and the user's
`extraEnv` comes last.
*/}}
{{- define "n8n-tuned.env" -}}
{{- $root := .root -}}
{{- $env := dict -}}
{{- range list "executions" "tuning" "database" "redis" "ca" "encryptionKey" "url" "monitoring" "telemetry"
  "general" "communityNodes" "binaryData" "smtp" -}}
  {{- $env = mergeOverwrite $env (include (printf "n8n-tuned.%s.env" .) $root | fromYaml) -}}
{{- end -}}
{{- range list "runner" "part" "sso" "logStreaming" -}}
  {{- $env = mergeOverwrite $env (include (printf "n8n-tuned.%s.env" .) $ | fromYaml) -}}
{{- end -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $extra := $role.extraEnv -}}
{{- with printf "%s %s" (include "n8n-tuned.heap.flags" .) (include "n8n-tuned.patches.flags" $root) | trim -}}
  {{- $_ := set $extra "NODE_OPTIONS" (printf "%s %s" . (default "" $extra.NODE_OPTIONS) | trim) -}}
{{- end -}}
{{- range $name, $value := $extra -}}
  {{- $_ := set $env $name $value -}}
{{- end -}}
{{- include "n8n-tuned.env.list" $env -}}
{{- end -}}

{{/* A map of names to values as a container's list. */}}
{{- define "n8n-tuned.env.list" -}}
{{- range $name, $value := . }}
- name: {{ $name }}
  {{- if kindIs "map" $value }}
  {{- toYaml $value | nindent 2 }}
  {{- else }}
  value: {{ include "n8n-tuned.text" $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* A value as text. Helm reads whole numbers as floats, and would print 1e+06. */}}
{{- define "n8n-tuned.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}

{{- define "n8n-tuned.executions.env" -}}
EXECUTIONS_MODE: {{ .Values.executions.mode }}
{{- /* n8n 1.27 and later refuse to start with this name, or warn. `own` is the default only below 1.0. */}}
{{- if not (include "n8n-tuned.since" (list . "1.27.0")) }}
{{- $tuned := and (ne .Values.tuning.tier "n8n-defaults") (not (include "n8n-tuned.since" (list . "1.0.0"))) }}
{{- with default (ternary "main" "" $tuned) .Values.executions.process }}
EXECUTIONS_PROCESS: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Variables that only one role needs. */}}
{{- define "n8n-tuned.part.env" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- if include "n8n-tuned.since" (list .root "1.27.0") }}
N8N_GRACEFUL_SHUTDOWN_TIMEOUT: {{ int $role.shutdown.gracefulSeconds }}
{{- else if include "n8n-tuned.isWorker" . }}
QUEUE_WORKER_TIMEOUT: {{ int $role.shutdown.gracefulSeconds }}
{{- end }}
{{- if .root.Values.worker.pools }}
N8N_WORKER_POOLS_ENABLED: "true"
{{- if hasPrefix "worker-" .name }}
N8N_WORKER_POOL_NAME: {{ trimPrefix "worker-" .name | quote }}
{{- end }}
{{- end }}
{{- if include "n8n-tuned.isWorker" . }}
# Without it a worker listens on no port, so probes and metrics cannot reach it.
QUEUE_HEALTH_CHECK_ACTIVE: "true"
{{- end }}
{{- if and (eq .name "main") (include "n8n-tuned.multiMain" .root) }}
N8N_MULTI_MAIN_SETUP_ENABLED: "true"
{{- end }}
{{- with .root.Values.license.existingSecret }}
{{- if and .name (ne $.name "webhook") }}
N8N_LICENSE_ACTIVATION_KEY: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .key }} } } }
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.telemetry.env" -}}
{{- if not .Values.telemetry.enabled }}
N8N_DIAGNOSTICS_ENABLED: "false"
N8N_VERSION_NOTIFICATIONS_ENABLED: "false"
{{- end }}
{{- if not .Values.telemetry.templates }}
N8N_TEMPLATES_ENABLED: "false"
{{- end }}
{{- end -}}

{{- define "n8n-tuned.monitoring.env" -}}
{{- if .Values.monitoring.enabled }}
N8N_METRICS: "true"
{{- /* 1.60 is the first release in which we saw them; earlier ones always count workflows. */}}
{{- if include "n8n-tuned.since" (list . "1.60.0") }}
# Executions that started, succeeded and failed.
N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS: "true"
{{- if eq .Values.executions.mode "queue" }}
N8N_METRICS_INCLUDE_QUEUE_METRICS: "true"
{{- end }}
{{- end }}
{{- if include "n8n-tuned.since" (list . "2.15.0") }}
# On by default in n8n. It fails on an execution that had not begun when n8n was killed, and then n8n no longer starts.
# n8n's statistics have the same fault; the lean tier switches them off.
N8N_METRICS_INCLUDE_WORKFLOW_EXECUTION_DURATION: "false"
{{- end }}
{{- /* 2.28.5 is the first release in which we saw it. */}}
{{- if include "n8n-tuned.since" (list . "2.28.5") }}
N8N_METRICS_INCLUDE_WEBHOOK_METRICS: "true"
{{- end }}
{{- if include "n8n-tuned.since" (list . "2.30.0") }}
N8N_METRICS_INCLUDE_DB_POOL_METRICS: "true"
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.general.env" -}}
GENERIC_TIMEZONE: {{ .Values.timezone }}
TZ: {{ .Values.timezone }}
N8N_LOG_LEVEL: {{ .Values.logLevel }}
# The root file system is read-only, but npm runs when a user installs a community node in the editor.
NPM_CONFIG_CACHE: /tmp/npm
{{- end -}}
