{{- define "n8n-tuned.refuse.backup" -}}
{{- if .Values.backup.enabled -}}
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
{{- $trusted := include "n8n-tuned.backup.authority" $ }}
{{- if and (eq .type "external") .tls.enabled .tls.verify (not $trusted) }}
database.tls.caSecret.name: Expected the Secret of the authority that signed your PostgreSQL's certificate, got none:
  pg_dump, unlike n8n, knows no public ones. Name it, or leave backup.enabled out.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}

{{/* "true" if PostgreSQL's tools know who signed the server's certificate. */}}
{{- define "n8n-tuned.backup.authority" -}}
{{- $env := include "n8n-tuned.database.ofRole" (dict "root" . "name" "main") | fromYaml -}}
{{- if or $env.DB_POSTGRESDB_SSL_CA $env.DB_POSTGRESDB_SSL_CA_FILE $env.NODE_EXTRA_CA_CERTS -}}true{{- end -}}
{{- end -}}
