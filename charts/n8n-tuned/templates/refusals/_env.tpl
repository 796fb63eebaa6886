{{/* Variables of the values: those that a value of the chart sets, and those that a release no longer reads. */}}
{{- define "n8n-tuned.refuse.env" -}}
{{- include "n8n-tuned.refuse.variables" . }}
{{- range $role := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $env := (include "n8n-tuned.role" (dict "root" $ "name" $role) | fromYaml).extraEnv }}
{{- if regexMatch "^(127[.].*|localhost|::1)$" (toString $env.N8N_LISTEN_ADDRESS) }}
{{ $role }}.extraEnv.N8N_LISTEN_ADDRESS: Expected an address that probes and the Service reach, got
  {{ $env.N8N_LISTEN_ADDRESS }}. Leave it out, or set "::".
{{- end }}
{{- $watched := or $.Values.monitoring.rules.enabled $.Values.monitoring.dashboard.enabled }}
{{- range $name, $value := $env }}
{{- if and $watched (eq $name "N8N_METRICS_PREFIX") (ne (toString $value) "n8n_") }}
{{ $role }}.extraEnv.{{ $name }}: Expected nothing beside monitoring.rules and monitoring.dashboard, got {{ $value }}: they
  read metrics that begin with n8n_. Leave it out.
{{- else if and $watched (hasPrefix "N8N_METRICS_INCLUDE_" $name) (eq (toString $value) "false") (has $name (include "n8n-tuned.metrics.needed" $ | fromYamlArray)) }}
{{ $role }}.extraEnv.{{ $name }}: Expected true beside monitoring.rules and monitoring.dashboard, got false: they read
  these metrics. Leave it out.
{{- end }}
{{- end }}
{{- $noWebhooks := has (toString $env.N8N_DISABLE_PRODUCTION_MAIN_PROCESS) (list "true" "1") }}
{{- if and (eq $role "main") $noWebhooks (eq (include "n8n-tuned.webhookRole" $) "main") }}
main.extraEnv.N8N_DISABLE_PRODUCTION_MAIN_PROCESS: Expected webhook processors beside it, got none: nothing would answer
  webhooks. Raise webhook.replicas in queue mode, or leave it out.
{{- end }}
{{- range $name := list "N8N_PATH" "N8N_ENDPOINT_WEBHOOK" "N8N_ENDPOINT_WEBHOOK_WAIT"
  "N8N_ENDPOINT_FORM" "N8N_ENDPOINT_FORM_WAIT" "N8N_ENDPOINT_MCP" }}
{{- if kindIs "map" (index $env $name) }}
{{ $role }}.extraEnv.{{ $name }}: Expected text, which the routes follow, got valueFrom. Write the path itself.
{{- else if and (hasKey $env $name) (ne (toString (index $env $name)) (include "n8n-tuned.said" (list $ $name ""))) }}
{{ $role }}.extraEnv.{{ $name }}: Expected the same for every role, got {{ index $env $name }}. Set it in role.extraEnv.
{{- end }}
{{- end }}
{{- if and (hasKey $env "NODE_EXTRA_CA_CERTS") (include "n8n-tuned.ca.file" $) }}
{{- $owner := include "n8n-tuned.ca.custom" $ | empty | ternary "redis.tls.caSecret" "customCA" }}
{{ $role }}.extraEnv.NODE_EXTRA_CA_CERTS: Expected nothing beside {{ $owner }}, whose authority it would replace: Node
  reads one file. Name yours in customCA, which puts all of them together, and leave this out.
{{- end }}
{{- if kindIs "map" $env.NODE_OPTIONS }}
{{ $role }}.extraEnv.NODE_OPTIONS: Expected text, which is appended to the chart's own flags, got valueFrom.
  Write the flags themselves.
{{- else if contains "--max-old-space-size" (toString $env.NODE_OPTIONS) }}
{{ $role }}.extraEnv.NODE_OPTIONS: Expected no --max-old-space-size, which the chart writes.
  Set {{ $role }}.heap.megabytes instead.
{{- end }}
{{- end }}
{{- $three := include "n8n-tuned.since" (list . "3.0.0") }}
{{- $version := include "n8n-tuned.version" . }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $role := include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml }}
{{- range $variable, $removed := include "n8n-tuned.removed" $ | fromYaml }}
{{- if and (hasKey $role.extraEnv $variable) (include "n8n-tuned.since" (list $ $removed.since)) }}
{{ $name }}.extraEnv.{{ $variable }}: Expected nothing for n8n {{ $version }}, which no longer reads it.
  {{ $removed.instead }}
{{- end }}
{{- end }}
{{- range $role.extraVolumeMounts }}
{{- if and $three (eq .mountPath "/home/node/.n8n/binaryData") (not $role.extraEnv.N8N_STORAGE_PATH) }}
{{ $name }}.extraVolumeMounts: Expected /home/node/.n8n/storage for n8n {{ $version }}, got {{ .mountPath }}: n8n 3.0
  renamed the folder and does not start with both.
  Mount it there, or set N8N_STORAGE_PATH in {{ $name }}.extraEnv to {{ .mountPath }}.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Metrics that alerts and the dashboard read, as a YAML list. */}}
{{- define "n8n-tuned.metrics.needed" -}}
{{- range $name, $value := include "n8n-tuned.env.monitoring" . | fromYaml }}
{{- if ne $value "false" }}
- {{ $name }}
{{- end }}
{{- end }}
- N8N_METRICS_INCLUDE_DEFAULT_METRICS
{{- end -}}

{{/* Variables that a later n8n no longer reads: since when, and what to do instead. */}}
{{- define "n8n-tuned.removed" -}}
N8N_PRE_EXECUTE_ERROR_CREATES_EXECUTION:
  since: 3.0.0
  instead: Leave it out.
N8N_MIGRATE_FS_STORAGE_PATH:
  since: 3.0.0
  instead: Leave it out, or name the folder that n8n should keep in N8N_STORAGE_PATH.
N8N_DB_PING_TIMEOUT:
  since: 3.0.0
  instead: Set DB_PING_TIMEOUT_MS.
OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS:
  since: 3.0.0
  instead: >-
    Leave it out: in queue mode workers always run manual executions, in the memory of worker.resources.
{{- end -}}
