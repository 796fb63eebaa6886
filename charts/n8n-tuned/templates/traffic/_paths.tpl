{{/*
Where paths lead, most particular first. Processors answer production webhooks and the call that continues a waiting
execution. From n8n 2.41 they also answer forms and MCP, as webhook.routes says. The editor, and whatever is being tested
in it, are main's. n8n serves everything at its root, so the path it is told it is reached under (N8N_PATH) has
to be taken off.
`ends` is for an ingress: Traefik compares text, and would take /webhook-test/ for a path that begins with /webhook.
*/}}
{{- define "n8n-tuned.paths" -}}
{{- if eq (include "n8n-tuned.webhookRole" .) "webhook" }}
{{- include "n8n-tuned.paths.webhooks" . }}
{{- include "n8n-tuned.paths.routes" . }}
{{- end }}
- { path: {{ default "/" (include "n8n-tuned.path" .) }}, within: /, ends: "", role: main }
{{- end -}}

{{- define "n8n-tuned.paths.webhooks" -}}
{{- include "n8n-tuned.paths.named" (list . (list "N8N_ENDPOINT_WEBHOOK" "webhook")) }}
{{- include "n8n-tuned.paths.named" (list . (list "N8N_ENDPOINT_WEBHOOK_WAIT" "webhook-waiting")) }}
{{- end -}}

{{/* What else processors answer. 2.41 is the first release in which we saw it. */}}
{{- define "n8n-tuned.paths.routes" -}}
{{- if include "n8n-tuned.since" (list . "2.41.0") }}
{{- if has "form" .Values.webhook.routes }}
{{- include "n8n-tuned.paths.named" (list . (list "N8N_ENDPOINT_FORM" "form")) }}
{{- include "n8n-tuned.paths.named" (list . (list "N8N_ENDPOINT_FORM_WAIT" "form-waiting")) }}
{{- end }}
{{- if has "mcp" .Values.webhook.routes }}
{{- include "n8n-tuned.paths.named" (list . (list "N8N_ENDPOINT_MCP" "mcp")) }}
{{- end }}
{{- end }}
{{- end -}}

{{/* A path that a variable may name otherwise: (list $ (list "N8N_ENDPOINT_WEBHOOK" "webhook")) */}}
{{- define "n8n-tuned.paths.named" -}}
{{- $root := first . -}}
{{- $path := include "n8n-tuned.said" (concat (list $root) (last .)) | trimAll "/" -}}
{{- $role := include "n8n-tuned.webhookRole" $root }}
- { path: {{ include "n8n-tuned.path" $root }}/{{ $path }}, within: /{{ $path }}, ends: /, role: {{ $role }} }
{{- end -}}

{{/* Paths of the second ingress. */}}
{{- define "n8n-tuned.paths.public" -}}
{{- include "n8n-tuned.paths.webhooks" . }}
{{- $answered := list -}}
{{- if eq (include "n8n-tuned.webhookRole" .) "webhook" -}}
  {{- range include "n8n-tuned.paths.routes" . | fromYamlArray -}}{{- $answered = append $answered .within -}}{{- end -}}
{{- end }}
{{- range .Values.ingress.webhooks.morePaths }}
{{- $role := has (trimSuffix "/" .) $answered | ternary "webhook" "main" }}
- { path: {{ include "n8n-tuned.path" $ }}{{ . }}, within: {{ . }}, ends: "", role: {{ $role }} }
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
