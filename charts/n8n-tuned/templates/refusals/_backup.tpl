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
{{- with .Values.database }}
{{- if and (eq .type "external") .tls.enabled .tls.verify (not .tls.caSecret.name) }}
database.tls.caSecret.name: Expected the Secret of the authority that signed your PostgreSQL's certificate, got none:
  pg_dump, unlike n8n, knows no public ones. Name it, or leave backup.enabled out.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
