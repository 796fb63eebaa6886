{{/* PostgreSQL in one snapshot, with the server's own tool. */}}
{{- define "n8n-tuned.backup.dump" -}}
- name: dump
  {{- include "n8n-tuned.backup.postgresql" .root | trim | nindent 2 }}
  command:
    - sh
    - -ec
    - |
      umask 077
      mkdir "/backup/.$POD"
      pg_dump --format=custom --file="/backup/.$POD/database.dump"
  {{- include "n8n-tuned.backup.limits" .root | nindent 2 }}
  volumeMounts:
    - { name: backup, mountPath: /backup }
    - { name: tmp, mountPath: /tmp }
    {{- include "n8n-tuned.backup.certificates.mount" .root | nindent 4 }}
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
  command: [sleep, "7200"]
  workingDir: /backup
  {{- include "n8n-tuned.backup.limits" .root | nindent 2 }}
  volumeMounts:
    {{- include "n8n-tuned.backup.mounts" .root | nindent 4 }}
    {{- include "n8n-tuned.backup.certificates.mount" .root | nindent 4 }}
{{- end -}}

{{- define "n8n-tuned.backup.limits" -}}
resources:
  {{- include "n8n-tuned.resources" .Values.backup.resources | nindent 2 }}
securityContext:
  {{- toYaml (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).securityContext | nindent 2 }}
{{- end -}}

{{- define "n8n-tuned.backup.mounts" -}}
- { name: backup, mountPath: /backup }
- { name: tmp, mountPath: /tmp }
{{- $main := dict "root" . "name" "main" }}
{{- if include "n8n-tuned.persistent" $main }}
{{ include "n8n-tuned.mount.data" $main }}
{{- end }}
{{- end -}}

{{/* PostgreSQL's own image, with PostgreSQL's own names for n8n's variables. */}}
{{- define "n8n-tuned.backup.postgresql" -}}
{{- $image := .Values.database.embedded.image -}}
{{- $env := include "n8n-tuned.database.ofRole" (dict "root" . "name" "main") | fromYaml -}}
image: {{ default $image.repository .Values.backup.image.repository }}:{{ default $image.tag .Values.backup.image.tag }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - { name: POD, valueFrom: { fieldRef: { fieldPath: metadata.name } } }
  {{- $names := dict "HOST" "PGHOST" "PORT" "PGPORT" "DATABASE" "PGDATABASE" "USER" "PGUSER" "PASSWORD" "PGPASSWORD" }}
  {{- $own := dict }}
  {{- range $theirs, $name := $names }}
  {{- with index $env (printf "DB_POSTGRESDB_%s" $theirs) }}{{- $_ := set $own $name . }}{{- end }}
  {{- end }}
  {{- if eq (toString $env.DB_POSTGRESDB_SSL_ENABLED) "true" }}
  {{- $unverified := eq (toString $env.DB_POSTGRESDB_SSL_REJECT_UNAUTHORIZED) "false" }}
  {{- $_ := set $own "PGSSLMODE" (ternary "require" "verify-full" $unverified) }}
  {{- range $file, $name := dict "ca" "PGSSLROOTCERT" "cert" "PGSSLCERT" "key" "PGSSLKEY" }}
  {{- if index $env (printf "DB_POSTGRESDB_SSL_%s" (upper $file)) }}
  {{- $_ := set $own $name (printf "/etc/n8n-tuned/database/%s" $file) }}
  {{- end }}
  {{- end }}
  {{- end }}
  {{- include "n8n-tuned.env.list" $own | trim | nindent 2 }}
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

{{- define "n8n-tuned.backup.certificates.mount" -}}
{{- with include "n8n-tuned.backup.certificates" . | fromYaml -}}
- { name: certificates, mountPath: /etc/n8n-tuned/database, readOnly: true }
{{- end -}}
{{- end -}}
