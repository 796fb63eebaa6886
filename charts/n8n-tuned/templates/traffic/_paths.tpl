{{/*
Where paths lead, most particular first. Processors answer production webhooks and
the call that continues a waiting execution; whatever is being tested in the
editor, forms, MCP and the editor itself are main's.
*/}}
{{- define "n8n-tuned.paths" -}}
{{- if eq (include "n8n-tuned.webhookRole" .) "webhook" }}
- { path: /webhook, role: webhook }
- { path: /webhook-waiting, role: webhook }
{{- end }}
- { path: /, role: main }
{{- end -}}
