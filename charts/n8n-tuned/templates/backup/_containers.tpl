{{/* PostgreSQL in one snapshot, with the server's own tool. */}}
{{- define "n8n-tuned.backup.dump" -}}
- name: dump
  {{- include "n8n-tuned.backup.postgresql" .root | trim | nindent 2 }}
  command:
    - sh
    - -ec
    - |
      {{- include "n8n-tuned.backup.pgpass" .root | nindent 6 }}
      umask 077
      mkdir "/backup/.$POD"
      pg_dump --format=custom --file="/backup/.$POD/database.dump"
        {{- if eq .root.Values.database.type "external" }} --schema="$SCHEMA"{{ end }}
  {{- include "n8n-tuned.backup.limits" .root | nindent 2 }}
  volumeMounts:
    {{- include "n8n-tuned.backup.mounts.postgresql" (list .root (include "n8n-tuned.backup.mounts.own" .root)) | nindent 4 }}
{{- end -}}

{{/* SQLite and n8n's files, with n8n's image, because it has the driver. */}}
{{- define "n8n-tuned.backup.backup" -}}
- name: backup
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list .root "files/database.js" "files/backup.js") | nindent 2 }}
  workingDir: /backup
  env:
    - { name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
    - { name: KEEP, value: {{ int .root.Values.backup.keep | quote }} }
    - { name: DB_TYPE, value: {{ ternary "sqlite" "postgresdb" (eq .root.Values.database.type "sqlite") }} }
    {{- with (include "n8n-tuned.role" (dict "root" .root "name" "main") | fromYaml).extraEnv.DB_SQLITE_DATABASE }}
    - { name: DB_SQLITE_DATABASE, value: {{ quote . }} }
    {{- end }}
  {{- include "n8n-tuned.backup.limits" .root | nindent 2 }}
  volumeMounts:
    {{- include "n8n-tuned.backup.mounts" .root | nindent 4 }}
{{- end -}}

{{/* Waits for a person, who restores a backup in it (docs/backup.md). */}}
{{- define "n8n-tuned.backup.restore" -}}
- name: restore
  {{- if eq .root.Values.database.type "sqlite" }}
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  {{- else }}
  {{- include "n8n-tuned.backup.postgresql" .root | trim | nindent 2 }}
  {{- end }}
  {{- if include "n8n-tuned.backup.pgpass" .root }}
  command:
    - sh
    - -ec
    - |
      {{- include "n8n-tuned.backup.pgpass" .root | nindent 6 }}
      exec sleep 7200
  {{- else }}
  command: [sleep, "7200"]
  {{- end }}
  workingDir: /backup
  {{- include "n8n-tuned.backup.limits" .root | nindent 2 }}
  volumeMounts:
    {{- if eq .root.Values.database.type "sqlite" }}
    {{- include "n8n-tuned.backup.mounts" .root | nindent 4 }}
    {{- else }}
    {{- include "n8n-tuned.backup.mounts.postgresql" (list .root (include "n8n-tuned.backup.mounts" .root)) | nindent 4 }}
    {{- end }}
{{- end -}}

{{- define "n8n-tuned.backup.limits" -}}
resources:
  {{- include "n8n-tuned.resources" .Values.backup.resources | nindent 2 }}
securityContext:
  {{- toYaml (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).securityContext | nindent 2 }}
{{- end -}}

{{- define "n8n-tuned.backup.mounts.own" -}}
- { name: backup, mountPath: /backup }
- { name: tmp, mountPath: /tmp }
{{- end -}}

{{- define "n8n-tuned.backup.mounts" -}}
{{ include "n8n-tuned.backup.mounts.own" . }}
{{- $main := dict "root" . "name" "main" }}
{{- if include "n8n-tuned.persistent" $main }}
{{ include "n8n-tuned.mount.data" $main }}
{{- end }}
{{- end -}}

{{/* PostgreSQL's own image, with PostgreSQL's own names for n8n's variables. */}}
{{- define "n8n-tuned.backup.postgresql" -}}
{{- $main := dict "root" . "name" "main" -}}
{{- $image := .Values.database.embedded.image -}}
{{- $env := include "n8n-tuned.database.ofRole" $main | fromYaml -}}
image: {{ default $image.repository .Values.backup.image.repository }}:{{ default $image.tag .Values.backup.image.tag }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - { name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  {{- $names := dict "HOST" "PGHOST" "PORT" "PGPORT" "DATABASE" "PGDATABASE" "USER" "PGUSER" "PASSWORD" "PGPASSWORD" }}
  {{- $own := dict }}
  {{- range $theirs, $name := $names }}
  {{- with index $env (printf "DB_POSTGRESDB_%s" $theirs) }}{{- $_ := set $own $name . }}{{- end }}
  {{- end }}
  {{- if eq .Values.database.type "external" }}
  {{- /* A pattern of pg_dump: in quotes it is the name as it is. Other schemas are not n8n's. */}}
  {{- $_ := set $own "SCHEMA" (toString $env.DB_POSTGRESDB_SCHEMA | replace "\"" "\"\"" | printf "\"%s\"") }}
  {{- end }}
  {{- if include "n8n-tuned.database.passwordElsewhere" $main }}
  {{- $_ := set $own "PGPASSFILE" "/tmp/pgpass" }}
  {{- with $env.DB_POSTGRESDB_PASSWORD_FILE }}{{- $_ := set $own "DB_POSTGRESDB_PASSWORD_FILE" . }}{{- end }}
  {{- end }}
  {{- if eq (toString $env.DB_POSTGRESDB_SSL_ENABLED) "true" }}
  {{- $unverified := eq (toString $env.DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED) "false" }}
  {{- $_ := set $own "PGSSLMODE" (ternary "require" "verify-full" $unverified) }}
  {{- range $file, $name := dict "CA" "PGSSLROOTCERT" "CERT" "PGSSLCERT" "KEY" "PGSSLKEY" }}
  {{- with index $env (printf "DB_POSTGRESDB_SSL_%s_FILE" $file) }}{{- $_ := set $own $name . }}{{- end }}
  {{- if index $env (printf "DB_POSTGRESDB_SSL_%s" $file) }}
  {{- $_ := set $own $name (printf "/etc/n8n-tuned/database/%s" (lower $file)) }}
  {{- end }}
  {{- end }}
  {{- /* n8n trusts these authorities too. */}}
  {{- if and (not $own.PGSSLROOTCERT) $env.NODE_EXTRA_CA_CERTS }}
  {{- $_ := set $own "PGSSLROOTCERT" $env.NODE_EXTRA_CA_CERTS }}
  {{- end }}
  {{- end }}
  {{- include "n8n-tuned.env.list" $own | trim | nindent 2 }}
{{- with (include "n8n-tuned.role" $main | fromYaml).extraEnvFrom }}
envFrom:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
Commands that write the password into a file for PostgreSQL's tools, if it comes from a file or from a Secret of
extraEnvFrom, as n8n reads it.
*/}}
{{- define "n8n-tuned.backup.pgpass" -}}
{{- if include "n8n-tuned.database.passwordElsewhere" (dict "root" . "name" "main") -}}
umask 077
password=${DB_POSTGRESDB_PASSWORD-}
[ -n "$password" ] || [ -z "${DB_POSTGRESDB_PASSWORD_FILE-}" ] || password=$(cat "$DB_POSTGRESDB_PASSWORD_FILE")
printf '*:*:*:*:%s\n' "$(printf %s "$password" | sed 's/[:\\]/\\&/g')" >"$PGPASSFILE"
{{- end -}}
{{- end -}}

{{/* PostgreSQL's tools read files where n8n reads variables: {sources: […]}, or nothing. */}}
{{- define "n8n-tuned.backup.certificates" -}}
{{- $env := include "n8n-tuned.database.ofRole" (dict "root" . "name" "main") | fromYaml -}}
{{- $sources := list -}}
{{- range $file := list "ca" "cert" "key" -}}
  {{- $value := index $env (printf "DB_POSTGRESDB_SSL_%s" (upper $file)) -}}
  {{- if kindIs "map" $value -}}
    {{- with $value.valueFrom.secretKeyRef -}}
      {{- $items := list (dict "key" .key "path" $file) -}}
      {{- $sources = append $sources (dict "secret" (dict "name" .name "items" $items)) -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- with $sources }}{{ dict "sources" . | toYaml }}{{ end -}}
{{- end -}}

{{/* Mounts of a container that connects to PostgreSQL, beside these: (list $ "- {…}") */}}
{{- define "n8n-tuned.backup.mounts.postgresql" -}}
{{- $mounts := last . | fromYamlArray -}}
{{- if include "n8n-tuned.backup.certificates" (first .) -}}
  {{- $certificates := dict "name" "certificates" "mountPath" "/etc/n8n-tuned/database" "readOnly" true -}}
  {{- $mounts = append $mounts $certificates -}}
{{- end -}}
{{- $given := include "n8n-tuned.mounts.given" (dict "root" (first .) "name" "main") | fromYamlArray -}}
{{- include "n8n-tuned.role.list" (list $given $mounts "mountPath") -}}
{{- end -}}
