{{/*
Five secrets. Each is given (`value`, for trials), read from a Secret of the user (`existingSecret`), or generated.

A render cannot generate. `lookup` finds the earlier secret for `helm upgrade`, but not for a GitOps controller, which
renders without a cluster. Each sync would replace the key that n8n's credentials are encrypted with. So a hook Job
generates in the cluster, once: it creates the Secret `<name>-generated`, and leaves an existing one as it is. Helm does
not own that Secret, so no upgrade, rollback or uninstall touches it. A GitOps controller runs the hook before it syncs
(Argo CD: PreSync). The Job may create Secrets but not read them, and its permission is deleted with it.

With SQLite the encryption key is n8n's own: on its first start n8n writes one into the volume, beside the database.
*/}}
{{- define "n8n-tuned.secret.values" -}}
{{- $values := dict
  "encryption-key" .root.Values.encryptionKey
  "database-password" .root.Values.database.password
  "redis-password" .root.Values.redis.password
  "runner-token" .root.Values.runner.token
  "license" .root.Values.license -}}
{{- index $values .name | toYaml -}}
{{- end -}}

{{/* Secrets that have to be generated unless they are given, as a YAML list. */}}
{{- define "n8n-tuned.secret.needed" -}}
{{- $embedded := eq .Values.database.type "embedded" }}
{{- $external := eq .Values.database.type "external" }}
{{- if or $embedded (and $external .Values.encryptionKey.generate) }}
- encryption-key
{{- end }}
{{- if $embedded }}
- database-password
{{- end }}
{{- if and (eq .Values.executions.mode "queue") (eq .Values.redis.type "embedded") }}
- redis-password
{{- end }}
{{- if eq .Values.runner.mode "external" }}
- runner-token
{{- end }}
{{- end -}}

{{/* "true" for a secret that the hook generates. (dict "root" $ "name" "runner-token") */}}
{{- define "n8n-tuned.secret.generated" -}}
{{- $values := include "n8n-tuned.secret.values" . | fromYaml -}}
{{- if not (or $values.value $values.existingSecret.name) -}}
{{- if has .name (include "n8n-tuned.secret.needed" .root | default "[]" | fromYamlArray) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{/* The place of a secret: {name, key} as YAML, or nothing. */}}
{{- define "n8n-tuned.secret.ref" -}}
{{- $values := include "n8n-tuned.secret.values" . | fromYaml -}}
{{- if $values.existingSecret.name -}}
{ name: {{ quote $values.existingSecret.name }}, key: {{ quote $values.existingSecret.key }} }
{{- else if $values.value -}}
{ name: {{ include "n8n-tuned.object" . }}, key: {{ quote $values.existingSecret.key }} }
{{- else if include "n8n-tuned.secret.generated" . -}}
{ name: {{ include "n8n-tuned.object" (dict "root" .root "name" "generated") }}, key: {{ .name }} }
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.secret.env" -}}
{{- with include "n8n-tuned.secret.ref" . -}}
{ valueFrom: { secretKeyRef: {{ . }} } }
{{- end -}}
{{- end -}}

{{/* Changes with each of the given secrets, so that new pods read it: (dict "root" $ "names" (list …)) */}}
{{- define "n8n-tuned.secret.checksum" -}}
{{- $given := dict -}}
{{- range .names -}}
  {{- $values := include "n8n-tuned.secret.values" (dict "root" $.root "name" .) | fromYaml -}}
  {{- if and $values.value (not $values.existingSecret.name) -}}
    {{- $_ := set $given . $values.value -}}
  {{- end -}}
{{- end -}}
{{- with $given -}}
checksum/secrets: {{ toJson . | sha256sum }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.encryptionKey.env" -}}
{{- with include "n8n-tuned.secret.env" (dict "root" . "name" "encryption-key") }}
N8N_ENCRYPTION_KEY: {{ . }}
{{- end }}
{{- end -}}
