{{/* Variables of the values: those that a value of the chart sets, and those that a release no longer reads. */}}
{{- define "n8n-tuned.refuse.env" -}}
{{- /* Variables that a value sets, because other rules of the chart need that value. */}}
{{- $owned := dict
  "EXECUTIONS_MODE" "executions.mode"
  "EXECUTIONS_PROCESS" "executions.process"
  "N8N_ENCRYPTION_KEY" "encryptionKey"
  "N8N_GRACEFUL_SHUTDOWN_TIMEOUT" "shutdown.gracefulSeconds"
  "QUEUE_WORKER_TIMEOUT" "worker.shutdown.gracefulSeconds"
  "QUEUE_HEALTH_CHECK_ACTIVE" "nothing"
  "QUEUE_BULL_PREFIX" "redis.prefix"
  "QUEUE_BULL_REDIS_HOST" "redis.host"
  "QUEUE_BULL_REDIS_PASSWORD" "redis.password"
  "DB_TYPE" "database.type"
  "DB_POSTGRESDB_HOST" "database.host"
  "DB_POSTGRESDB_PASSWORD" "database.password"
  "DB_POSTGRESDB_POOL_SIZE" "database.poolSize"
  "N8N_RUNNERS_MODE" "runner.mode"
  "N8N_RUNNERS_AUTH_TOKEN" "runner.token"
  "N8N_RUNNERS_MAX_OLD_SPACE_SIZE" "runner.heap.megabytes"
  "N8N_RUNNERS_STDLIB_ALLOW" "runner.python.stdlib"
  "N8N_RUNNERS_EXTERNAL_ALLOW" "runner.python.external"
  "N8N_MULTI_MAIN_SETUP_ENABLED" "main.replicas and license"
  "N8N_PORT" "service.port"
  "N8N_ENDPOINT_HEALTH" "nothing"
  "N8N_USER_FOLDER" "persistence" }}
{{- if eq .Values.executions.mode "queue" }}
  {{- $_ := set $owned "N8N_CONCURRENCY_PRODUCTION_LIMIT" "worker.concurrency" }}
{{- end }}
{{- range $role := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $env := (include "n8n-tuned.role" (dict "root" $ "name" $role) | fromYaml).extraEnv }}
{{- range $name, $value := $env }}
{{- with index $owned $name }}
{{ $role }}.extraEnv.{{ $name }}: Expected the chart's own value for this. Set {{ . }} instead.
{{- end }}
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
{{- if and $three (eq "default" (toString $role.extraEnv.N8N_DEFAULT_BINARY_DATA_MODE)) }}
{{ $name }}.extraEnv.N8N_DEFAULT_BINARY_DATA_MODE: Expected filesystem, s3, azure or database for n8n {{ $version }},
  got default, binary data in memory, which n8n 3.0 removed. Choose one of them.
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
