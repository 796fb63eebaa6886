{{/*
Alive: the process answers. Ready: its database is migrated and its webhooks are registered. n8n has a path for each
since 1.60, the first release in which we saw it.
*/}}
{{- define "n8n-tuned.ready" -}}
{{- include "n8n-tuned.since" (list . "1.60.0") | empty | ternary "/healthz" "/healthz/readiness" -}}
{{- end -}}

{{- define "n8n-tuned.probes" -}}
{{- $probes := (include "n8n-tuned.role" . | fromYaml).probes -}}
{{- $ready := include "n8n-tuned.ready" .root -}}
{{- /* A probe that the values set to null is left out. */ -}}
{{- with $probes.startup }}
startupProbe:
  httpGet: { path: {{ $ready }}, port: http }
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $probes.readiness }}
readinessProbe:
  httpGet: { path: {{ $ready }}, port: http }
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $probes.liveness }}
livenessProbe:
  httpGet: { path: /healthz, port: {{ include "n8n-tuned.progress" $ | empty | ternary "http" 5690 }} }
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
