{{/*
Where paths lead, most particular first. Processors answer production webhooks and
the call that continues a waiting execution; whatever is being tested in the
editor, forms, MCP and the editor itself are main's. n8n serves everything at its
root, so the path it is told it is reached under (N8N_PATH) has to be taken off.
`ends` is for an ingress: Traefik compares text, and would take /webhook-test/ for a path that begins with /webhook.
*/}}
{{- define "n8n-tuned.paths" -}}
{{- if eq (include "n8n-tuned.webhookRole" .) "webhook" }}
{{- include "n8n-tuned.paths.webhooks" . }}
{{- end }}
- { path: {{ default "/" (include "n8n-tuned.path" .) }}, within: /, ends: "", role: main }
{{- end -}}

{{- define "n8n-tuned.paths.webhooks" -}}
{{- $role := include "n8n-tuned.webhookRole" . }}
{{- range list (list "N8N_ENDPOINT_WEBHOOK" "webhook") (list "N8N_ENDPOINT_WEBHOOK_WAIT" "webhook-waiting") }}
{{- $path := include "n8n-tuned.said" (concat (list $) .) | trimAll "/" }}
- { path: {{ include "n8n-tuned.path" $ }}/{{ $path }}, within: /{{ $path }}, ends: /, role: {{ $role }} }
{{- end }}
{{- end -}}

{{/* Paths of the second ingress. */}}
{{- define "n8n-tuned.paths.public" -}}
{{- include "n8n-tuned.paths.webhooks" . }}
{{- range .Values.ingress.webhooks.morePaths }}
- { path: {{ include "n8n-tuned.path" $ }}{{ . }}, within: {{ . }}, ends: "", role: main }
{{- end }}
{{- end -}}

{{/* The path of n8n's URL, without a slash at its end: empty at the root. */}}
{{- define "n8n-tuned.path" -}}
{{- with include "n8n-tuned.said" (list . "N8N_PATH" "/") | trimAll "/" }}/{{ . }}{{ end -}}
{{- end -}}

{{/* The value from extraEnv, or n8n's own default: (list $ "N8N_PATH" "/") */}}
{{- define "n8n-tuned.said" -}}
{{- $role := dict "root" (first .) "name" (include "n8n-tuned.webhookRole" (first .)) -}}
{{- $env := (include "n8n-tuned.role" $role | fromYaml).extraEnv -}}
{{- default (last .) (index $env (index . 1)) | toString -}}
{{- end -}}
