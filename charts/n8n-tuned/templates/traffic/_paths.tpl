{{/*
Where paths lead, most particular first. Processors answer production webhooks and
the call that continues a waiting execution; whatever is being tested in the
editor, forms, MCP and the editor itself are main's. n8n serves everything at its
root, so the path it is told it is reached under (N8N_PATH) has to be taken off.
*/}}
{{- define "n8n-tuned.paths" -}}
{{- $at := include "n8n-tuned.path" . -}}
{{- if eq (include "n8n-tuned.webhookRole" .) "webhook" }}
{{- range list (list "N8N_ENDPOINT_WEBHOOK" "webhook") (list "N8N_ENDPOINT_WEBHOOK_WAIT" "webhook-waiting") }}
{{- $path := include "n8n-tuned.said" (concat (list $) .) | trimAll "/" }}
- { path: {{ $at }}/{{ $path }}, within: /{{ $path }}, role: webhook }
{{- end }}
{{- end }}
- { path: {{ default "/" $at }}, within: /, role: main }
{{- end -}}

{{/* The path that n8n is reached under, without a slash at its end: empty at the root. */}}
{{- define "n8n-tuned.path" -}}
{{- with include "n8n-tuned.said" (list . "N8N_PATH" "/") | trimAll "/" }}/{{ . }}{{ end -}}
{{- end -}}

{{/* What extraEnv says, or n8n's own default: (list $ "N8N_PATH" "/") */}}
{{- define "n8n-tuned.said" -}}
{{- $env := (include "n8n-tuned.role" (dict "root" (first .) "name" (include "n8n-tuned.webhookRole" (first .))) | fromYaml).extraEnv -}}
{{- default (last .) (index $env (index . 1)) | toString -}}
{{- end -}}
