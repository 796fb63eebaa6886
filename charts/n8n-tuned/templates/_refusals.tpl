{{/*
Values that cannot work, or would end badly, are refused all at once, each with
its name and the fix. A rule is a template that prints a line where it applies.
*/}}
{{- define "n8n-tuned.refusals" -}}
{{- $found := list -}}
{{- range list "version" "process" "queue" "replicas" "autoscaling" "database" "redis" "runner" "heap" "shutdown" "tuning" "extraEnv" "removed" "secrets" "backup" "ingress" "networkPolicy" "monitoring" "loadtest" -}}
  {{- with include (printf "n8n-tuned.refuse.%s" .) $ | trim -}}
    {{- $found = append $found . -}}
  {{- end -}}
{{- end -}}
{{- with $found -}}
  {{- fail (join "\n" . | printf "\n%s") -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.process" -}}
{{- if and (eq .Values.executions.process "own") (include "n8n-tuned.since" (list . "1.27.0")) -}}
executions.process: Expected "main" or nothing for n8n {{ include "n8n-tuned.version" . }}, got "own", with which it would exit without a word: 1.27 removed it. Executions are isolated by queue mode with workers, or by external task runners.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.queue" -}}
{{- if eq .Values.executions.mode "queue" -}}
{{- if eq .Values.database.type "sqlite" }}
database.type: Expected "external" or "embedded" in queue mode, got "sqlite", a file that one process alone can use. Set it to a PostgreSQL, or executions.mode to regular.
{{- end }}
{{- if eq (include "n8n-tuned.replicas.max" (dict "root" . "name" "worker")) "0" }}
worker.replicas: Expected at least 1 in queue mode, got 0: executions would wait for ever. Raise it, or set executions.mode to regular.
{{- end }}
{{- if eq .Values.executions.process "own" }}
executions.process: Expected "main" or nothing in queue mode, got "own". Workers separate executions from main; leave it out.
{{- end }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.replicas" -}}
{{- if include "n8n-tuned.multiMain" . -}}
{{- $got := include "n8n-tuned.replicas.max" (dict "root" . "name" "main") -}}
{{- if ne .Values.executions.mode "queue" -}}
main.replicas: Expected 0 or 1, got {{ $got }}: two mains would each run every schedule, on one volume. Raise main.resources instead, or set executions.mode to queue.
{{- else if not .Values.license.existingSecret.name -}}
main.replicas: Expected 0 or 1 without a licence, got {{ $got }}: each would run every schedule. Name the licence's Secret in license.existingSecret, or raise worker.replicas and webhook.replicas instead.
{{- else if not (include "n8n-tuned.since" (list . "1.27.0")) -}}
main.replicas: Expected 0 or 1 for n8n {{ include "n8n-tuned.version" . }}, got {{ $got }}: it cannot have several. Use a later image.
{{- end -}}
{{- end -}}
{{- if and (eq .Values.executions.mode "regular") (eq .Values.main.strategy "RollingUpdate") }}
main.strategy: Expected "Recreate" or nothing in regular mode, got "RollingUpdate": two pods would share one volume. Leave it out.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.autoscaling" -}}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- $role := dict "root" $ "name" $name -}}
{{- with (include "n8n-tuned.role" $role | fromYaml).autoscaling }}
{{- if and (ne .by "none") (gt (int .min) (int .max)) }}
{{ $name }}.autoscaling.min: Expected at most autoscaling.max = {{ int .max }}, got {{ int .min }}. Change one of the two.
{{- end }}
{{- if and (eq .by "queue") (ne $name "worker") }}
{{ $name }}.autoscaling.by: Expected "cpu" or "none", got "queue": only workers take from the queue. Set it for worker alone.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* A host and nothing else; an address of IPv6 has several colons. */}}
{{- define "n8n-tuned.refuse.port" -}}
{{- $host := (index .root.Values .name).host -}}
{{- if regexMatch "^[^:]*:[0-9]+$" $host }}
{{ .name }}.host: Expected a host alone, got {{ $host }}. Set {{ .name }}.host to {{ splitList ":" $host | first }} and {{ .name }}.port to {{ splitList ":" $host | last }}.
{{- end }}
{{- end -}}

{{- define "n8n-tuned.refuse.database" -}}
{{- include "n8n-tuned.refuse.port" (dict "root" . "name" "database") -}}
{{- with .Values.database -}}
{{- if and (eq .type "external") (not .host) }}
database.host: Expected the host of your PostgreSQL, got nothing. Set it, or database.type to embedded for a trial.
{{- end }}
{{- if and (eq .type "external") (not (include "n8n-tuned.secret.ref" (dict "root" $ "name" "database-password"))) }}
database.password: Expected the password of your PostgreSQL, got none. Name a Secret in database.password.existingSecret.
{{- end }}
{{- if and (ne .type "external") .host }}
database.host: Expected nothing with database.type "{{ .type }}", got {{ .host }}. Set database.type to external.
{{- end }}
{{- if and (ne .type "external") .tls.enabled }}
database.tls.enabled: Expected false with database.type "{{ .type }}", which has no TLS, got true. Set database.type to external, or leave it out.
{{- end }}
{{- if ne .type "sqlite" }}
{{- $needed := include "n8n-tuned.database.connections" $ | int }}
{{- $free := sub (int .maxConnections) 3 }}
{{- if gt $needed (int $free) }}
database.maxConnections: Expected {{ add $needed 3 }} or more, got {{ int .maxConnections }}: all replicas at their maximum, in the middle of an update, times database.poolSize {{ include "n8n-tuned.database.poolSize" $ }} open {{ $needed }} connections, and PostgreSQL keeps 3 for itself. Raise it with the database's own, or lower poolSize, replicas or autoscaling.max.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.redis" -}}
{{- if eq .Values.executions.mode "queue" -}}
{{- include "n8n-tuned.refuse.port" (dict "root" . "name" "redis") -}}
{{- with .Values.redis -}}
{{- if and (eq .type "external") (not .host) (not .clusterNodes) }}
redis.host: Expected the host of your Redis, got nothing. Set it or redis.clusterNodes, or redis.type to embedded.
{{- end }}
{{- if and (eq .type "external") .host .clusterNodes }}
redis.host: Expected nothing beside redis.clusterNodes, got {{ .host }}. Keep one of the two.
{{- end }}
{{- if and (eq .type "embedded") (or .host .clusterNodes .tls.enabled) }}
redis.type: Expected "external" with a host, cluster nodes or TLS of your own, got "embedded". Set it to external.
{{- end }}
{{- /* 1.27 is the first release seen with them. */}}
{{- if and (or .tls.enabled .clusterNodes) (not (include "n8n-tuned.since" (list $ "1.27.0"))) }}
redis.{{ ternary "tls.enabled" "clusterNodes" .tls.enabled }}: Expected n8n 1.27.0 or later, got {{ include "n8n-tuned.version" $ }}, which does not know it. Use a later image.
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.runner" -}}
{{- with .Values.runner -}}
{{- if and (eq .mode "external") (not (include "n8n-tuned.since" (list $ "1.111.0"))) }}
runner.mode: Expected "internal" for n8n {{ include "n8n-tuned.version" $ }}, got "external": the image n8nio/runners begins with 1.111.0. Use a later image.
{{- end }}
{{- end -}}
{{- end -}}

{{/* Of every role, and of the external runner. */}}
{{- define "n8n-tuned.refuse.heap" -}}
{{- $roles := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- if eq .Values.runner.mode "external" -}}
  {{- $roles = append $roles "runner" -}}
{{- end -}}
{{- range $name := $roles -}}
{{- $role := dict "root" $ "name" $name -}}
{{- $limit := include "n8n-tuned.heap.limit" $role -}}
{{- $heap := include "n8n-tuned.heap" $role -}}
{{- if and $limit $heap -}}
{{- $given := (include "n8n-tuned.role" $role | fromYaml).heap.megabytes -}}
{{- $inside := include "n8n-tuned.runner.inside" $role | int -}}
{{- /* n8n 2 has 180 MB in it before it does anything. */ -}}
{{- $least := and (ne $name "runner") (include "n8n-tuned.since" (list $ "2.0.0")) | empty | ternary 128 192 -}}
{{- if and $given (ge (add (int $heap) $inside) (int $limit)) }}
{{ $name }}.heap.megabytes: Expected less than the memory limit of {{ $limit }} MiB{{ if $inside }} with the runner's {{ $inside }}{{ end }}, got {{ $heap }}: the pod would be killed before V8 collects. Leave it out to derive it, or raise {{ $name }}.resources.limits.memory.
{{- else if lt (int $heap) $least }}
{{ $name }}.resources.limits.memory: Expected room for a heap of {{ $least }} MB, got {{ $limit }} MiB, which leaves {{ $heap }} MB. Raise the limit to 640Mi or more, or set {{ $name }}.heap.megabytes.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.shutdown" -}}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- with (include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml).shutdown -}}
{{- $needed := add (int .delaySeconds) (int .gracefulSeconds) -}}
{{- if le (int .gracePeriodSeconds) $needed }}
{{ $name }}.shutdown.gracePeriodSeconds: Expected more than delaySeconds + gracefulSeconds = {{ $needed }}, got {{ int .gracePeriodSeconds }}: running executions would be killed. Raise it, or lower one of the two.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.tuning" -}}
{{- $tuning := .Values.tuning -}}
{{- range $key := keys $tuning | sortAlpha -}}
{{- if not (has $key (list "tier" "trustEditors" "settings" "patches")) }}
tuning.{{ $key }}: Expected tier, trustEditors, settings or patches, got "{{ $key }}". `profile` became `tier`, and single settings moved to tuning.settings and tuning.patches (docs/tiers.md).
{{- end -}}
{{- end -}}
{{- $settings := include "n8n-tuned.tuning.settings" . | fromYaml -}}
{{- $active := include "n8n-tuned.tuning.active" . | fromYamlArray -}}
{{- range $name, $entry := $settings -}}
{{- if eq true (index $tuning.settings $name) -}}
{{- include "n8n-tuned.refuse.misplaced" (dict "root" $ "name" (printf "settings.%s" $name) "entry" $entry) -}}
{{- if not (include "n8n-tuned.since" (list $ $entry.since)) }}
tuning.settings.{{ $name }}: Expected n8n {{ $entry.since }} or later, got {{ include "n8n-tuned.version" $ }}, which does not know it. Leave it out.
{{- end -}}
{{- end -}}
{{- end -}}
{{- $verified := .Files.Get "files/verified-n8n.json" | fromJson -}}
{{- range $name, $entry := include "n8n-tuned.patches.table" . | fromYaml -}}
{{- if eq true (index $tuning.patches $name) -}}
{{- include "n8n-tuned.refuse.misplaced" (dict "root" $ "name" (printf "patches.%s" $name) "entry" $entry) -}}
{{- $releases := (index $verified $name).n8n -}}
{{- if not (has (include "n8n-tuned.version" $) $releases) }}
tuning.patches.{{ $name }}: Expected an n8n release that it was verified on ({{ join ", " $releases }}), got {{ include "n8n-tuned.version" $ }}. Leave it out, or verify it (make verify-n8n VERSION={{ include "n8n-tuned.version" $ }}).
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $tuning.trustEditors (not (include "n8n-tuned.since" (list . "1.123.81"))) }}
tuning.trustEditors: Expected n8n 1.123.81 or later, got {{ include "n8n-tuned.version" . }}, which does not isolate expressions. Leave it out.
{{- end -}}
{{- end -}}

{{/* A setting or patch that was asked for beside the wrong mode or database. */}}
{{- define "n8n-tuned.refuse.misplaced" -}}
{{- $database := include "n8n-tuned.tuning.database" .root -}}
{{- $mode := .root.Values.executions.mode -}}
{{- if ne (default $mode .entry.mode) $mode }}
tuning.{{ .name }}: Expected executions.mode {{ .entry.mode }} beside it, got {{ $mode }}. Leave it out.
{{- else if ne (default $database .entry.database) $database }}
tuning.{{ .name }}: Expected {{ eq .entry.database "sqlite" | ternary "SQLite" "a PostgreSQL" }} beside it, got database.type {{ quote .root.Values.database.type }}. Leave it out.
{{- end -}}
{{- end -}}

{{/* Names with a value of their own, which other rules rely on. */}}
{{- define "n8n-tuned.refuse.extraEnv" -}}
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
  "N8N_MULTI_MAIN_SETUP_ENABLED" "main.replicas and license"
  "N8N_PORT" "service.port"
  "N8N_ENDPOINT_HEALTH" "nothing"
  "N8N_USER_FOLDER" "persistence" -}}
{{- if eq .Values.executions.mode "queue" -}}
  {{- $_ := set $owned "N8N_CONCURRENCY_PRODUCTION_LIMIT" "worker.concurrency" -}}
{{- end -}}
{{- range $role := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $env := (include "n8n-tuned.role" (dict "root" $ "name" $role) | fromYaml).extraEnv -}}
{{- range $name, $value := $env }}
{{- with index $owned $name }}
{{ $role }}.extraEnv.{{ $name }}: Expected the chart's own value for this. Set {{ . }} instead.
{{- end }}
{{- end }}
{{- range $name := list "N8N_PATH" "N8N_ENDPOINT_WEBHOOK" "N8N_ENDPOINT_WEBHOOK_WAIT" }}
{{- if kindIs "map" (index $env $name) }}
{{ $role }}.extraEnv.{{ $name }}: Expected text, which the routes follow, got valueFrom. Write the path itself.
{{- else if and (hasKey $env $name) (ne (toString (index $env $name)) (include "n8n-tuned.said" (list $ $name ""))) }}
{{ $role }}.extraEnv.{{ $name }}: Expected the same for every role, got {{ index $env $name }}. Set it in role.extraEnv.
{{- end }}
{{- end }}
{{- if and (hasKey $env "NODE_EXTRA_CA_CERTS") (include "n8n-tuned.redis.ca" $) }}
{{ $role }}.extraEnv.NODE_EXTRA_CA_CERTS: Expected nothing beside redis.tls.caSecret, whose authority it would replace: Node reads one file. Put all certificates into that Secret's {{ $.Values.redis.tls.caSecret.key }}, one after another, and leave this out.
{{- end }}
{{- if kindIs "map" $env.NODE_OPTIONS }}
{{ $role }}.extraEnv.NODE_OPTIONS: Expected text, which is appended to the chart's own flags, got valueFrom. Write the flags themselves.
{{- else if contains "--max-old-space-size" (toString $env.NODE_OPTIONS) }}
{{ $role }}.extraEnv.NODE_OPTIONS: Expected no --max-old-space-size, which the chart writes. Set {{ $role }}.heap.megabytes instead.
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.refuse.secrets" -}}
{{- if and (eq .Values.database.type "external") (not (include "n8n-tuned.secret.ref" (dict "root" . "name" "encryption-key"))) }}
encryptionKey: Expected the key of what is in your PostgreSQL, got none: a new one could not read the credentials there. Name its Secret in encryptionKey.existingSecret, or set encryptionKey.generate for a database that is new (or whose key the chart generated before).
{{- end }}
{{- $values := dict "encryption-key" "encryptionKey" "database-password" "database.password" "redis-password" "redis.password" "runner-token" "runner.token" -}}
{{- range $name, $value := $values -}}
{{- with include "n8n-tuned.secret.values" (dict "root" $ "name" $name) | fromYaml -}}
{{- if and .value .existingSecret.name }}
{{ $value }}.value: Expected nothing beside {{ $value }}.existingSecret.name. Keep one of the two.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.backup" -}}
{{- if .Values.backup.enabled -}}
{{- if and (eq .Values.database.type "sqlite") (not .Values.persistence.enabled) }}
backup.enabled: Expected a volume or a PostgreSQL that outlives the pod, got neither: there is nothing to back up. Set persistence.enabled, or leave it out.
{{- end }}
{{- if and (include "n8n-tuned.persistent" .) (has "ReadWriteOncePod" .Values.persistence.accessModes) }}
backup.enabled: Expected persistence.accessModes ReadWriteOnce or ReadWriteMany beside it, got ReadWriteOncePod: the backup reads the volume beside n8n. Set persistence.accessModes, or leave it out.
{{- end }}
{{- with .Values.database }}
{{- if and (eq .type "external") .tls.enabled .tls.verify (not .tls.caSecret.name) }}
database.tls.caSecret.name: Expected the Secret of the authority that signed your PostgreSQL's certificate, got none: pg_dump, unlike n8n, knows no public ones. Name it, or leave backup.enabled out.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* Metrics are served on n8n's own port: who may not reach that cannot read them. */}}
{{- define "n8n-tuned.refuse.networkPolicy" -}}
{{- with .Values.networkPolicy -}}
{{- if and .enabled .from (not .metricsFrom) $.Values.monitoring.enabled -}}
networkPolicy.metricsFrom: Expected who reads the metrics beside networkPolicy.from, got none: Prometheus could not reach main. Name its namespace: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}].
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.monitoring" -}}
{{- with .Values.monitoring -}}
{{- range $name := list "podMonitor" "rules" -}}
{{- if and (index $.Values.monitoring $name).enabled (not $.Values.monitoring.enabled) }}
monitoring.{{ $name }}.enabled: Expected monitoring.enabled beside it: there are no metrics to read without. Set both.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.ingress" -}}
{{- with .Values.gateway -}}
{{- if and .enabled (not .host) }}
gateway.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable gateway.enabled.
{{- end }}
{{- if and .enabled (not .parentRefs) }}
gateway.parentRefs: Expected the Gateway that the route belongs to, got none. Set [{name: …, namespace: …}].
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
ingress.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable ingress.enabled.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.loadtest" -}}
{{- if and .Values.loadtest.enabled (not (.Files.Get "files/n8n-nodes-tuned/package.json")) -}}
loadtest.enabled: Expected the built node package in the chart's files/n8n-nodes-tuned, found none. Run `make build` in the project, then render again.
{{- end -}}
{{- if not .Values.loadtest.enabled -}}
{{- if .Values.loadtest.workflows }}
loadtest.workflows: Expected loadtest.enabled beside it: alone it imports nothing. Set both.
{{- end }}
{{- if .Values.loadtest.k6.enabled }}
loadtest.k6.enabled: Expected loadtest.enabled beside it: there is nothing to load without. Set both.
{{- end }}
{{- end -}}
{{- if .Values.loadtest.enabled -}}
{{- range .Values.loadtest.workflows -}}
{{- if not ($.Files.Get (printf "files/loadtest/workflows/%s.json" .)) }}
loadtest.workflows: Expected the name of a bundled workflow, got {{ . }}, which is not in the chart's files/loadtest/workflows. Run `make build`, or name another.
{{- end -}}
{{- end -}}
{{- with .Values.loadtest.k6 -}}
{{- if and .enabled (not ($.Files.Get (printf "files/loadtest/scenarios/%s.ts" .scenario))) }}
loadtest.k6.scenario: Expected the name of a load shape, got {{ .scenario }}, which is not in the chart's files/loadtest/scenarios. Run `make build`, or name another.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
