{{/*
Task runners execute the code of Code nodes. Internal ones are child processes of n8n, in its container and with its
memory. External ones are a sidecar with their own image, heap and limits. Webhook processors execute nothing.
*/}}
{{- define "n8n-tuned.runner.external" -}}
{{- if and (eq .root.Values.runner.mode "external") (ne .name "webhook") -}}true{{- end -}}
{{- end -}}

{{/*
MB of a role's memory that the internal runner takes. Without a heap of its own, about 100 while idle (n8n 2.x always
starts it). With one, that heap and 64 MB beside it.
*/}}
{{- define "n8n-tuned.runner.inside" -}}
{{- $heap := .root.Values.runner.heap.megabytes -}}
{{- if not (and (eq .root.Values.runner.mode "internal") (or (eq .name "main") (include "n8n-tuned.isWorker" .))) -}}
  0
{{- else if $heap -}}
  {{- add $heap 64 -}}
{{- else -}}
  {{- include "n8n-tuned.since" (list .root "2.0.0") | empty | ternary 0 96 -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.runner.env" -}}
{{- with .root.Values.runner }}
{{- if include "n8n-tuned.runner.external" $ }}
N8N_RUNNERS_MODE: external
{{- if not (include "n8n-tuned.since" (list $.root "2.0.0")) }}
N8N_RUNNERS_ENABLED: "true"
{{- if include "n8n-tuned.runner.python" $.root }}
# In n8n 1 they were a preview: Python ran in n8n's own process.
N8N_NATIVE_PYTHON_RUNNER: "true"
{{- end }}
{{- end }}
N8N_RUNNERS_AUTH_TOKEN: {{ include "n8n-tuned.secret.env" (dict "root" $.root "name" "runner-token") }}
{{- else if ne $.name "webhook" }}
{{- with .heap.megabytes }}
# The internal runner does not inherit NODE_OPTIONS.
N8N_RUNNERS_MAX_OLD_SPACE_SIZE: {{ int . | quote }}
{{- end }}
{{- include "n8n-tuned.runner.javascript" $.root }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Modules that JavaScript in Code nodes may import, in either mode. */}}
{{- define "n8n-tuned.runner.javascript" -}}
{{- range $name, $key := dict "NODE_FUNCTION_ALLOW_BUILTIN" "builtin" "NODE_FUNCTION_ALLOW_EXTERNAL" "external" }}
{{- with index $.Values.runner.javascript $key }}
{{ $name }}: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.runner.python" -}}
{{- range $name, $key := dict "N8N_RUNNERS_STDLIB_ALLOW" "stdlib" "N8N_RUNNERS_EXTERNAL_ALLOW" "external" }}
{{- with index $.Values.runner.python $key }}
{{ $name }}: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}
