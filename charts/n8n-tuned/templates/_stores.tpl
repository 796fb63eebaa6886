{{- define "n8n-tuned.database.host" -}}
{{- if eq .Values.database.type "embedded" -}}
  {{- include "n8n-tuned.object" (dict "root" . "name" "postgresql") -}}
{{- else -}}
  {{- .Values.database.host -}}
{{- end -}}
{{- end -}}

{{/* A host and its port; an IPv6 address needs brackets: (list "fd00::5" 5432) */}}
{{- define "n8n-tuned.address" -}}
{{- $host := first . | trimAll "[]" -}}
{{- printf (contains ":" $host | ternary "[%s]:%d" "%s:%d") $host (last . | int) -}}
{{- end -}}

{{- define "n8n-tuned.database.port" -}}
{{- $usual := include "n8n-tuned.mysql" . | empty | ternary 5432 3306 -}}
{{- eq .Values.database.type "embedded" | ternary 5432 (default $usual .Values.database.port) | int -}}
{{- end -}}

{{/* Connections that one n8n process may open; n8n's own default is 2. */}}
{{- define "n8n-tuned.database.poolSize" -}}
{{- $tuned := has "databasePool" (include "n8n-tuned.tuning.active" . | fromYamlArray) -}}
{{- default (ternary 5 2 $tuned) .Values.database.poolSize | int -}}
{{- end -}}

{{/*
Connections that all processes may open at once: at the autoscalers' maximum, during a rolling update.
*/}}
{{- define "n8n-tuned.database.connections" -}}
{{- $processes := 0 -}}
{{- range include "n8n-tuned.roles" . | fromYamlArray -}}
  {{- $max := include "n8n-tuned.replicas.max" (dict "root" $ "name" .) | int -}}
  {{- $surge := (include "n8n-tuned.role" (dict "root" $ "name" .) | fromYaml).rollingUpdate.maxSurge | toString -}}
  {{- $more := trimSuffix "%" $surge | float64 -}}
  {{- if hasSuffix "%" $surge -}}{{- $more = mulf $max $more 0.01 | ceil -}}{{- end -}}
  {{- $surge = eq $.Values.executions.mode "queue" | ternary (int $more) 0 -}}
  {{- $processes = add $processes $max $surge -}}
{{- end -}}
{{- mul $processes (include "n8n-tuned.database.poolSize" . | int) -}}
{{- end -}}

{{/* "true" for a MySQL, which n8n knows up to 1.x. */}}
{{- define "n8n-tuned.mysql" -}}
{{- if and (eq .Values.database.type "external") (eq .Values.database.engine "mysql") -}}true{{- end -}}
{{- end -}}

{{- define "n8n-tuned.database.env" -}}
{{- with .Values.database }}
{{- if include "n8n-tuned.mysql" $ }}
DB_TYPE: mysqldb
DB_MYSQLDB_HOST: {{ include "n8n-tuned.database.host" $ | quote }}
DB_MYSQLDB_PORT: {{ include "n8n-tuned.database.port" $ | quote }}
DB_MYSQLDB_DATABASE: {{ .name | quote }}
DB_MYSQLDB_USER: {{ .user | quote }}
{{- with include "n8n-tuned.secret.env" (dict "root" $ "name" "database-password") }}
DB_MYSQLDB_PASSWORD: {{ . }}
{{- end }}
{{- else if ne .type "sqlite" }}
DB_TYPE: postgresdb
DB_POSTGRESDB_HOST: {{ include "n8n-tuned.database.host" $ | quote }}
DB_POSTGRESDB_PORT: {{ include "n8n-tuned.database.port" $ | quote }}
DB_POSTGRESDB_DATABASE: {{ .name | quote }}
DB_POSTGRESDB_USER: {{ .user | quote }}
DB_POSTGRESDB_SCHEMA: {{ .schema | quote }}
{{- with include "n8n-tuned.secret.env" (dict "root" $ "name" "database-password") }}
DB_POSTGRESDB_PASSWORD: {{ . }}
{{- end }}
{{- if and (eq .type "external") .tls.enabled }}
DB_POSTGRESDB_SSL_ENABLED: "true"
DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED: {{ .tls.verify | quote }}
{{- with .tls.caSecret }}
{{- if .name }}
DB_POSTGRESDB_SSL_CA: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .key }} } } }
{{- end }}
{{- end }}
{{- with .tls.clientSecret }}
{{- if .name }}
DB_POSTGRESDB_SSL_CERT: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .certificate }} } } }
DB_POSTGRESDB_SSL_KEY: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .privateKey }} } } }
{{- end }}
{{- end }}
{{- end }}
{{- /* 0.x opens ten connections, and has no variable for that. */}}
{{- if or .poolSize (has "databasePool" (include "n8n-tuned.tuning.active" $ | fromYamlArray)) }}
DB_POSTGRESDB_POOL_SIZE: {{ include "n8n-tuned.database.poolSize" $ | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
A role's connection to its database, with the authorities that it trusts, and including variables from extraEnv. What
comes from extraEnvFrom is added by the containers that use this, and files by their mounts.
*/}}
{{- define "n8n-tuned.database.ofRole" -}}
{{- $env := merge (include "n8n-tuned.database.env" .root | fromYaml) (include "n8n-tuned.ca.env" .root | fromYaml) -}}
{{- range $name, $value := (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
  {{- if or (hasPrefix "DB_" $name) (eq $name "NODE_EXTRA_CA_CERTS") -}}{{- $_ := set $env $name $value -}}{{- end -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}

{{/* "true" if no value says the password: it is in a file or in a Secret of extraEnvFrom, or there is none. */}}
{{- define "n8n-tuned.database.passwordElsewhere" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $unsaid := not (include "n8n-tuned.secret.ref" (dict "root" .root "name" "database-password")) -}}
{{- if and $unsaid (or $role.extraEnv.DB_POSTGRESDB_PASSWORD_FILE $role.extraEnvFrom) -}}true{{- end -}}
{{- end -}}

{{/* The addresses of Redis, as a YAML list of host:port; several are the nodes of a cluster. */}}
{{- define "n8n-tuned.redis.addresses" -}}
{{- with .Values.redis -}}
{{- if eq .type "embedded" -}}
- {{ include "n8n-tuned.object" (dict "root" $ "name" "redis") }}:6379
{{- else if .clusterNodes -}}
{{- toYaml .clusterNodes -}}
{{- else -}}
- {{ include "n8n-tuned.address" (list .host .port) | quote }}
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
{{- if .usernameSecret.name }}
QUEUE_BULL_REDIS_USERNAME:
  valueFrom: { secretKeyRef: { name: {{ quote .usernameSecret.name }}, key: {{ quote .usernameSecret.key }} } }
{{- else if .username }}
QUEUE_BULL_REDIS_USERNAME: {{ quote .username }}
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

{{/* "true" if workers take any certificate of Redis. */}}
{{- define "n8n-tuned.redis.unchecked" -}}
{{- $env := include "n8n-tuned.redis.ofRole" (dict "root" . "name" "worker") | fromYaml -}}
{{- if has (toString $env.QUEUE_BULL_REDIS_TLS_VALIDATE_CERTIFICATE | lower) (list "false" "0") -}}true{{- end -}}
{{- end -}}

{{/* The Secret with the authority that signed Redis' certificate, if one is mounted. */}}
{{- define "n8n-tuned.redis.ca" -}}
{{- with .Values.redis -}}
{{- if and (eq $.Values.executions.mode "queue") (eq .type "external") .tls.enabled -}}
{{- .tls.caSecret.name -}}
{{- end -}}
{{- end -}}
{{- end -}}

