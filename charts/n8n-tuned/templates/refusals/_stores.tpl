{{/* The database, Redis, the key and backups. */}}
{{- define "n8n-tuned.refuse.stores" -}}
{{- include "n8n-tuned.withPort" (dict "root" . "name" "database") }}
{{- with .Values.database }}
{{- if and (eq .type "external") (not .host) }}
database.host: Expected the host of your PostgreSQL, got nothing. Set it, or database.type to embedded for a trial.
{{- end }}
{{- $password := include "n8n-tuned.secret.ref" (dict "root" $ "name" "database-password") }}
{{- $ofMain := include "n8n-tuned.role" (dict "root" $ "name" "main") | fromYaml }}
{{- $file := hasKey $ofMain.extraEnv "DB_POSTGRESDB_PASSWORD_FILE" }}
{{- if and (eq .type "external") (not .password.none) (not $password) (not $file) }}
database.password: Expected the password of your PostgreSQL, got none.
  Name a Secret in database.password.existingSecret, a file in role.extraEnv.DB_POSTGRESDB_PASSWORD_FILE, or set
  database.password.none if it asks for none or the password comes from role.extraEnvFrom.
{{- end }}
{{- include "n8n-tuned.refuse.lateProxy" (dict "root" $ "store" "database") }}
{{- if and .password.none (or (ne .type "external") $password) }}
{{- $beside := ne .type "external" | ternary (printf "with database.type %q" .type) "beside a password" }}
database.password.none: Expected false {{ $beside }}, got true. Leave it out.
{{- end }}
{{- range $name, $given := dict "clientSecret.name" .tls.clientSecret.name "caSecret.name" .tls.caSecret.name
  "verify" (ternary "" "false" .tls.verify) }}
{{- if and $given (not $.Values.database.tls.enabled) }}
database.tls.{{ $name }}: Expected database.tls.enabled beside it: without that, the connection has no TLS. Set both.
{{- end }}
{{- end }}
{{- if and (ne .type "external") .host }}
database.host: Expected nothing with database.type "{{ .type }}", got {{ .host }}. Set database.type to external.
{{- end }}
{{- if and (ne .type "external") .tls.enabled }}
database.tls.enabled: Expected false with database.type "{{ .type }}", which has no TLS, got true.
  Set database.type to external, or leave it out.
{{- end }}
{{- if and (eq .type "sqlite") (not (kindIs "invalid" .indexes.executionList)) }}
database.indexes.executionList: Expected a PostgreSQL, got database.type sqlite, which the chart makes no index in.
  Leave it out, or set database.type to external.
{{- end }}
{{- if include "n8n-tuned.mysql" $ }}
{{- if include "n8n-tuned.since" (list $ "2.0.0") }}
database.engine: Expected postgresql for n8n {{ include "n8n-tuned.version" $ }}, got mysql, which n8n 2.0 removed.
  Move the data to a PostgreSQL first, with n8n 1 (docs/move.md).
{{- end }}
{{- if or .tls.enabled (ne .schema "public") }}
database.engine: Expected neither TLS nor a schema beside mysql: n8n has no variables for them. Leave them out.
{{- end }}
{{- if $.Values.backup.enabled }}
backup.enabled: Expected a PostgreSQL or SQLite, got database.engine mysql. Back it up with its own tools.
{{- end }}
{{- if $.Values.monitoring.stuckExecutions.enabled }}
monitoring.stuckExecutions.enabled: Expected a PostgreSQL, got database.engine mysql. Leave it out.
{{- end }}
{{- if not (kindIs "invalid" .indexes.executionList) }}
database.indexes.executionList: Expected a PostgreSQL, got database.engine mysql. Leave it out.
{{- end }}
{{- else if and (eq .engine "mysql") (ne .type "external") }}
database.engine: Expected postgresql with database.type "{{ .type }}", got mysql. Set database.type to external.
{{- else if ne .type "sqlite" }}
{{- $needed := include "n8n-tuned.database.connections" $ | int }}
{{- $free := sub (int .maxConnections) 3 }}
{{- $each := include "n8n-tuned.database.poolSize" $ }}
{{- if gt $needed (int $free) }}
database.maxConnections: Expected {{ add $needed 3 }} or more, got {{ int .maxConnections }}: all replicas at their
  maximum, in the middle of an update, times database.poolSize {{ $each }} open {{ $needed }} connections, and
  PostgreSQL keeps 3 for itself. Raise it with the database's own, or lower poolSize, replicas or autoscaling.max.
{{- end }}
{{- end }}
{{- end }}
{{- if eq .Values.executions.mode "queue" }}
{{- include "n8n-tuned.withPort" (dict "root" . "name" "redis") }}
{{- with .Values.redis }}
{{- include "n8n-tuned.refuse.lateProxy" (dict "root" $ "store" "redis") }}
{{- if and (eq .type "external") (not .host) (not .clusterNodes) }}
redis.host: Expected the host of your Redis, got nothing. Set it or redis.clusterNodes, or redis.type to embedded.
{{- end }}
{{- if and (eq .type "external") .host .clusterNodes }}
redis.host: Expected nothing beside redis.clusterNodes, got {{ .host }}. Keep one of the two.
{{- end }}
{{- if and .tls.caSecret.name (not .tls.enabled) }}
redis.tls.caSecret.name: Expected redis.tls.enabled beside it: without that, the connection has no TLS. Set both.
{{- end }}
{{- if and (eq .type "embedded") (or .host .clusterNodes .tls.enabled .username) }}
redis.type: Expected "external" with a host, cluster nodes, a user or TLS of your own, got "embedded". Set it to external.
{{- end }}
{{- $worker := include "n8n-tuned.role" (dict "root" $ "name" "worker") | fromYaml }}
{{- if and (eq $worker.autoscaling.by "queue") (hasKey $worker.extraEnv "QUEUE_BULL_REDIS_PASSWORD_FILE") }}
redis.password.existingSecret.name: Expected a Secret that KEDA can read beside worker.autoscaling.by queue, got a file
  in QUEUE_BULL_REDIS_PASSWORD_FILE. Name one, or set worker.autoscaling.by to cpu.
{{- end }}
{{- if or (eq (int .port) 26379) (regexMatch ":26379(,|$)" (join "," .clusterNodes)) }}
redis.port: Expected the port of Redis itself, got Sentinel's 26379, whose protocol n8n does not support.
  Name a Service or proxy that follows the master, such as HAProxy (ci/redis-sentinel-values.yaml).
{{- end }}
{{- /* 1.27 is the first release in which we saw them. */}}
{{- if and (or .tls.enabled .clusterNodes) (not (include "n8n-tuned.since" (list $ "1.27.0"))) }}
{{- $name := ternary "tls.enabled" "clusterNodes" .tls.enabled }}
redis.{{ $name }}: Expected n8n 1.27.0 or later, got {{ include "n8n-tuned.version" $ }}, which does not know it.
  Use a later image.
{{- end }}
{{- end }}
{{- end }}
{{- $key := include "n8n-tuned.secret.ref" (dict "root" . "name" "encryption-key") }}
{{- $file := (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv.N8N_ENCRYPTION_KEY_FILE }}
{{- if and (eq .Values.database.type "external") (not $key) (not $file) }}
encryptionKey: Expected the encryption key of the credentials in your PostgreSQL, got none: a new key could not decrypt
  them. Name its Secret in encryptionKey.existingSecret, its file in role.extraEnv.N8N_ENCRYPTION_KEY_FILE, or set
  encryptionKey.generate for a database that is new (or whose key the chart generated before).
{{- end }}
{{- if and $file (not $key) (not (include "n8n-tuned.since" (list $ "1.116.0"))) }}
role.extraEnv.N8N_ENCRYPTION_KEY_FILE: Expected n8n 1.116.0 or later, got {{ include "n8n-tuned.version" $ }}, which
  does not read this file and would make a key of its own. Name a Secret in encryptionKey.existingSecret.
{{- end }}
{{- $values := dict
  "encryption-key" "encryptionKey"
  "database-password" "database.password"
  "redis-password" "redis.password"
  "runner-token" "runner.token"
  "license" "license" }}
{{- range $name, $value := $values }}
{{- with include "n8n-tuned.secret.values" (dict "root" $ "name" $name) | fromYaml }}
{{- if and .value .existingSecret.name }}
{{ $value }}.value: Expected nothing beside {{ $value }}.existingSecret.name. Keep one of the two.
{{- end }}
{{- end }}
{{- end }}
{{- if .Values.backup.enabled }}
{{- if and (eq .Values.database.type "sqlite") (not .Values.persistence.enabled) }}
backup.enabled: Expected a volume or a PostgreSQL that outlives the pod, got neither: there is nothing to back up.
  Set persistence.enabled, or leave it out.
{{- end }}
{{- $volume := include "n8n-tuned.persistent" (dict "root" . "name" "main") }}
{{- if and $volume (has "ReadWriteOncePod" .Values.persistence.accessModes) }}
backup.enabled: Expected persistence.accessModes ReadWriteOnce or ReadWriteMany beside it, got ReadWriteOncePod: the
  backup reads the volume beside n8n. Set persistence.accessModes, or leave it out.
{{- end }}
{{- if and (eq .Values.database.type "external") (not .Values.backup.image.tag) }}
backup.image.tag: Expected the release of your PostgreSQL, such as "17", got none: the pg_dump of
  {{ .Values.database.embedded.image.tag }} refuses a newer server, and there would be no backup. Set it.
{{- end }}
{{- with .Values.database }}
{{- $env := include "n8n-tuned.database.ofRole" (dict "root" $ "name" "main") | fromYaml }}
{{- /* What tells PostgreSQL's tools who signed the server's certificate. */}}
{{- $trusted := or $env.DB_POSTGRESDB_SSL_CA $env.DB_POSTGRESDB_SSL_CA_FILE $env.NODE_EXTRA_CA_CERTS }}
{{- if and (eq .type "external") .tls.enabled .tls.verify (not $trusted) }}
database.tls.caSecret.name: Expected the Secret of the authority that signed your PostgreSQL's certificate, got none:
  pg_dump, unlike n8n, knows no public ones. Name it, or leave backup.enabled out.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A host without a port; an IPv6 address has several colons. */}}
{{- define "n8n-tuned.withPort" -}}
{{- $host := (index .root.Values .name).host -}}
{{- if regexMatch "^[^:]*:[0-9]+$" $host }}
{{ .name }}.host: Expected a host without a port, got {{ $host }}.
  Set {{ .name }}.host to {{ splitList ":" $host | first }} and {{ .name }}.port to {{ splitList ":" $host | last }}.
{{- end }}
{{- end -}}

{{/* A proxy beside n8n starts after the chart's own containers, which then wait for it in vain. */}}
{{- define "n8n-tuned.refuse.lateProxy" -}}
{{- $store := index .root.Values .store }}
{{- if and (eq $store.type "external") (regexMatch "^(127[.]|localhost$|\\[?::1\\]?$)" (toString $store.host)) }}
{{- $late := list }}
{{- range $name := include "n8n-tuned.roles" .root | fromYamlArray }}
{{- $role := include "n8n-tuned.role" (dict "root" $.root "name" $name) | fromYaml }}
{{- $stays := false }}
{{- range $role.extraInitContainers }}{{- if eq (toString .restartPolicy) "Always" }}{{- $stays = true }}{{- end }}{{- end }}
{{- $proxy := false }}
{{- range $role.extraContainers }}
{{- if regexMatch "proxy|bouncer|tunnel|envoy|pgcat|pgpool|socat" (printf "%s %s" .name .image) }}{{- $proxy = true }}{{- end }}
{{- end }}
{{- if and $proxy (not $stays) }}{{- $late = append $late $name }}{{- end }}
{{- end }}
{{- with $late }}
{{ $.store }}.host: Expected the proxy on {{ $store.host }} to start before the chart's own containers, got it beside
  n8n: they would wait for it in vain. Move it from extraContainers to extraInitContainers, with restartPolicy: Always
  ({{ join ", " . }}).
{{- end }}
{{- end }}
{{- end -}}
