{{/*
Where the encryption key comes from. By default from n8n: it writes a key of its
own into the volume's `config` file on the first start. A Secret made by the chart
would have to be invented at render; `lookup` finds it again for `helm upgrade`,
but not for a GitOps controller, which renders without a cluster, and n8n stops
when the key changes. A key in the volume lives and dies with its database.
More than one role needs a shared key: take it from that file into a Secret
(docs/chart.md says how) and name it in encryptionKey.existingSecret.
*/}}
{{- define "n8n-tuned.encryptionKey.secret" -}}
{{- with .Values.encryptionKey -}}
  {{- if .existingSecret.name -}}
    {{- .existingSecret.name -}}
  {{- else if .value -}}
    {{- include "n8n-tuned.object" (dict "root" $ "name" "encryption-key") -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.encryptionKey.env" -}}
{{- with include "n8n-tuned.encryptionKey.secret" . }}
N8N_ENCRYPTION_KEY: { valueFrom: { secretKeyRef: { name: {{ quote . }}, key: {{ quote $.Values.encryptionKey.existingSecret.key }} } } }
{{- end }}
{{- end -}}
