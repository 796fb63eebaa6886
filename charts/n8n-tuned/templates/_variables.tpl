{{/*
Every file of the chart begins with this, so it does not matter which of them Helm renders first. It completes names
that are templates, and takes variables that say what a value says for that value.
*/}}
{{- define "n8n-tuned.begin" -}}
{{- if not (hasKey .Values "begun") -}}
  {{- include "n8n-tuned.completed" (dict "root" . "in" .Values) -}}
  {{- include "n8n-tuned.variables.read" . -}}
  {{- $_ := set .Values "begun" true -}}
{{- end -}}
{{- end -}}

{{/*
The variables of n8n on which something else of the chart depends than n8n's own environment: ports, probes, routes,
TLS, other programs' connections, alerts. They may stand in `extraEnv`, of every role or of one.

`read`: the variable is taken for this value, and so all of the chart follows it; `as` its type, text by default. With
`valueFrom` a render cannot read it: it is refused, unless what depends on it reads the variable itself (`byName`).
`use`: the variable is refused, with the value to use; without one, it is to be left out. `only` limits that to a mode,
`because` is what depends on it.
*/}}
{{- define "n8n-tuned.variables" -}}
N8N_WEBHOOK_URL: { read: webhookUrl }
WEBHOOK_URL: { read: webhookUrl }
N8N_EDITOR_BASE_URL: { read: publicUrl }
N8N_PROXY_HOPS: { read: proxyHops, as: int }
GENERIC_TIMEZONE: { read: timezone }
N8N_METRICS: { read: monitoring.enabled, as: bool }
N8N_DEFAULT_BINARY_DATA_MODE: { read: binaryData.mode }
N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME: { read: binaryData.s3.bucket, byName: true }
N8N_EXTERNAL_STORAGE_S3_BUCKET_REGION: { read: binaryData.s3.region, byName: true }
N8N_EXTERNAL_STORAGE_S3_HOST: { read: binaryData.s3.host, byName: true }
DB_POSTGRESDB_PORT: { read: database.port, as: int, byName: true }
DB_POSTGRESDB_DATABASE: { read: database.name, byName: true }
DB_POSTGRESDB_USER: { read: database.user, byName: true }
DB_POSTGRESDB_SCHEMA: { read: database.schema, byName: true }
DB_POSTGRESDB_SSL_ENABLED: { read: database.tls.enabled, as: bool }
DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: { read: database.tls.verify, as: bool }
QUEUE_BULL_REDIS_PORT: { read: redis.port, as: int }
QUEUE_BULL_REDIS_DB: { read: redis.db, as: int }
QUEUE_BULL_REDIS_USERNAME: { read: redis.username, byName: true }
QUEUE_BULL_REDIS_TLS: { read: redis.tls.enabled, as: bool }
QUEUE_BULL_REDIS_CLUSTER_NODES: { read: redis.clusterNodes, as: list }

EXECUTIONS_MODE: { use: executions.mode }
EXECUTIONS_PROCESS: { use: executions.process }
N8N_ENCRYPTION_KEY: { use: encryptionKey }
N8N_GRACEFUL_SHUTDOWN_TIMEOUT: { use: shutdown.gracefulSeconds }
QUEUE_WORKER_TIMEOUT: { use: worker.shutdown.gracefulSeconds }
N8N_CONCURRENCY_PRODUCTION_LIMIT: { use: worker.concurrency, only: queue }
QUEUE_BULL_PREFIX: { use: redis.prefix }
QUEUE_BULL_REDIS_HOST: { use: redis.host }
QUEUE_BULL_REDIS_PASSWORD: { use: redis.password }
DB_TYPE: { use: database.type }
DB_POSTGRESDB_HOST: { use: database.host }
DB_POSTGRESDB_PASSWORD: { use: database.password }
DB_POSTGRESDB_POOL_SIZE: { use: database.poolSize }
DB_MYSQLDB_HOST: { use: database.host }
DB_MYSQLDB_PORT: { use: database.port }
DB_MYSQLDB_DATABASE: { use: database.name }
DB_MYSQLDB_USER: { use: database.user }
DB_MYSQLDB_PASSWORD: { use: database.password }
N8N_RUNNERS_MODE: { use: runner.mode }
N8N_RUNNERS_AUTH_TOKEN: { use: runner.token }
N8N_RUNNERS_MAX_OLD_SPACE_SIZE: { use: runner.heap.megabytes }
N8N_RUNNERS_STDLIB_ALLOW: { use: runner.python.stdlib }
N8N_RUNNERS_EXTERNAL_ALLOW: { use: runner.python.external }
N8N_RUNNERS_BROKER_PORT: { because: external runners ask port 5679 }
N8N_MULTI_MAIN_SETUP_ENABLED: { use: main.replicas and license }
N8N_PORT: { use: service.port }
QUEUE_HEALTH_CHECK_ACTIVE: { because: probes and metrics ask for it }
QUEUE_HEALTH_CHECK_PORT: { because: probes and metrics ask port 5678 }
N8N_ENDPOINT_HEALTH: { because: probes ask for n8n's own path }
N8N_USER_FOLDER: { use: persistence }
{{- end -}}

{{/* Takes the variables that can be read for the values that they say. Those that remain in extraEnv are refused, or read
by their names. A name that an earlier release of n8n has comes after the later one, which wins. */}}
{{- define "n8n-tuned.variables.read" -}}
{{- $values := .Values -}}
{{- $places := list -}}
{{- range concat (list $values.role $values.main $values.worker $values.webhook) (default list ($values.worker).pools) -}}
  {{- with (default dict .).extraEnv -}}{{- $places = append $places . -}}{{- end -}}
{{- end -}}
{{- $done := list -}}
{{- range $variable, $row := include "n8n-tuned.variables" . | fromYaml -}}
  {{- if $row.read -}}
    {{- $said := list -}}
    {{- range $places -}}
      {{- if not (kindIs "invalid" (index . $variable)) -}}{{- $said = append $said (index . $variable) | uniq -}}{{- end -}}
    {{- end -}}
    {{- if and (eq (len $said) 1) (not (kindIs "map" (first $said))) -}}
      {{- $value := include "n8n-tuned.text" (first $said) -}}
      {{- if eq (default "" $row.as) "int" -}}{{- $value = int $value -}}{{- end -}}
      {{- if eq (default "" $row.as) "bool" -}}{{- $value = has $value (list "true" "1") -}}{{- end -}}
      {{- if eq (default "" $row.as) "list" -}}{{- $value = splitList "," $value -}}{{- end -}}
      {{- if not (has $row.read $done) -}}
        {{- include "n8n-tuned.variables.set" (list $values (splitList "." $row.read) $value) -}}
      {{- end -}}
      {{- $done = append $done $row.read -}}
      {{- range $places -}}{{- $_ := unset . $variable -}}{{- end -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- include "n8n-tuned.variables.implied" . -}}
{{- end -}}

{{/* What n8n itself takes from other variables: each of these switches TLS to PostgreSQL on. */}}
{{- define "n8n-tuned.variables.implied" -}}
{{- $env := mergeOverwrite dict (default dict (.Values.role).extraEnv) (default dict (.Values.main).extraEnv) -}}
{{- if eq (.Values.database).type "external" -}}
  {{- range list "CA" "CERT" "KEY" "CA_FILE" "CERT_FILE" "KEY_FILE" -}}
    {{- if index $env (printf "DB_POSTGRESDB_SSL_%s" .) -}}{{- $_ := set $.Values.database.tls "enabled" true -}}{{- end -}}
  {{- end -}}
{{- end -}}
{{- if eq (toString $env.N8N_EXPRESSION_ENGINE) "legacy" -}}
  {{- $_ := set .Values.tuning "trustEditors" true -}}
{{- end -}}
{{- end -}}

{{/* Sets a value by its path: (list $.Values (list "redis" "db") 3) */}}
{{- define "n8n-tuned.variables.set" -}}
{{- $path := index . 1 -}}
{{- if eq (len $path) 1 -}}
  {{- $_ := set (first .) (first $path) (last .) -}}
{{- else -}}
  {{- include "n8n-tuned.variables.set" (list (index (first .) (first $path)) (rest $path) (last .)) -}}
{{- end -}}
{{- end -}}

{{/* Refuses the variables that cannot be taken for a value. */}}
{{- define "n8n-tuned.refuse.variables" -}}
{{- $table := include "n8n-tuned.variables" . | fromYaml }}
{{- range $role := include "n8n-tuned.roles" . | fromYamlArray }}
{{- range $name, $value := (include "n8n-tuned.role" (dict "root" $ "name" $role) | fromYaml).extraEnv }}
{{- with index $table $name }}
{{- $said := printf "%s.extraEnv.%s" $role $name }}
{{- if kindIs "invalid" $value }}
{{- else if and .read (not (kindIs "map" $value)) }}
{{ $said }}: Expected the same for every role, got {{ $value }} and others. Set {{ .read }} instead.
{{- else if and .read (not .byName) }}
{{ $said }}: Expected text, which the rest of the chart follows, got valueFrom. Set {{ .read }} instead.
{{- else if and .byName (hasPrefix "DB_" $name) (ne $.Values.database.type "external") }}
{{ $said }}: Expected text, which the chart's own database follows, got valueFrom. Set {{ .read }} instead.
{{- else if .read }}
{{- else if eq (default $.Values.executions.mode .only) $.Values.executions.mode }}
{{ $said }}: Expected the chart's own value for this
{{- with .because }}, because {{ . }}{{ end }}. {{ empty .use | ternary "Leave it out." (printf "Set %s instead." (toString .use)) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
