{{/* Objects around n8n, and the load test. */}}
{{- define "n8n-tuned.refuse.around" -}}
{{- if and (kindIs "bool" .Values.enabled) (not .Values.enabled) }}
enabled: Expected an umbrella chart whose dependency has "condition: {{ .Chart.Name }}.enabled", got this chart rendered
  in spite of it. Name the condition, or leave enabled out.
{{- end }}
{{- with .Values.gateway }}
{{- if and .enabled (not .host) }}
gateway.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable gateway.enabled.
{{- end }}
{{- if and .enabled (not .parentRefs) }}
gateway.parentRefs: Expected the Gateway that the route belongs to, got none. Set [{name: …, namespace: …}].
{{- end }}
{{- end }}
{{- if and .Values.gateway.webhooks.host (not (or .Values.gateway.parentRefs .Values.gateway.webhooks.parentRefs)) }}
gateway.webhooks.parentRefs: Expected the Gateway that the route belongs to, got none.
  Set [{name: …, namespace: …}] here or in gateway.parentRefs.
{{- end }}
{{- if and .Values.ingress.webhooks.host .Values.gateway.webhooks.host (not .Values.webhookUrl) }}
webhookUrl: Expected the one address of webhooks beside ingress.webhooks and gateway.webhooks, got none. Set it.
{{- end }}
{{- if and .Values.ingress.enabled .Values.gateway.enabled (not .Values.publicUrl) }}
{{- if ne .Values.ingress.host .Values.gateway.host }}
publicUrl: Expected the one address of n8n beside ingress and gateway, got none. Set it.
{{- end }}
{{- end }}
{{- if contains "*" (include "n8n-tuned.publicUrl" .) }}
publicUrl: Expected the address of the editor beside a host with a wildcard, got none. Set it.
{{- end }}
{{- if contains "*" (include "n8n-tuned.webhookUrl" .) }}
webhookUrl: Expected the one address of webhooks beside a host with a wildcard, got none. Set it.
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
ingress.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable ingress.enabled.
{{- end }}
{{- /* Metrics have the same port as n8n, so only peers that may reach the port can read them. */}}
{{- with .Values.networkPolicy }}
{{- if and .enabled .from (not .metricsFrom) $.Values.monitoring.enabled }}
networkPolicy.metricsFrom: Expected the readers of metrics beside networkPolicy.from, got none: Prometheus could not
  reach main. Name its namespace: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}].
{{- end }}
{{- end }}
{{- range $name := list "podMonitor" "rules" "stuckExecutions" }}
{{- if and (index $.Values.monitoring $name).enabled (not $.Values.monitoring.enabled) }}
monitoring.{{ $name }}.enabled: Expected monitoring.enabled beside it: without it there are no metrics to read.
  Set both.
{{- end }}
{{- end }}
{{- if .Values.monitoring.stuckExecutions.enabled }}
{{- if ne .Values.executions.mode "queue" }}
monitoring.stuckExecutions.enabled: Expected executions.mode queue, got {{ .Values.executions.mode }}: there is no queue
  to look into. Leave it out.
{{- else if .Values.worker.pools }}
monitoring.stuckExecutions.enabled: Expected no worker.pools beside it, got some: they have queues of their own, and
  their executions would look stuck. Leave one of the two out.
{{- else if not (include "n8n-tuned.since" (list . "1.123.0")) }}
monitoring.stuckExecutions.enabled: Expected n8n 1.123.0 or later, got {{ include "n8n-tuned.version" . }}, whose tables
  it does not know. Use a later image, or leave it out.
{{- end }}
{{- end }}
{{- if and .Values.loadtest.enabled (not (.Files.Get "files/n8n-nodes-tuned/package.json")) }}
loadtest.enabled: Expected the built node package in the chart's files/n8n-nodes-tuned, found none.
  Run `make build` in the project, then render again.
{{- end }}
{{- if not .Values.loadtest.enabled }}
{{- if .Values.loadtest.workflows }}
loadtest.workflows: Expected loadtest.enabled beside it: without it nothing is imported. Set both.
{{- end }}
{{- if .Values.loadtest.k6.enabled }}
loadtest.k6.enabled: Expected loadtest.enabled beside it: without it there is nothing to load. Set both.
{{- end }}
{{- end }}
{{- if .Values.loadtest.enabled }}
{{- range .Values.loadtest.workflows }}
{{- if not ($.Files.Get (printf "files/loadtest/workflows/%s.json" .)) }}
loadtest.workflows: Expected the name of a bundled workflow, got {{ . }}, which is not in the chart's
  files/loadtest/workflows. Run `make build`, or name another.
{{- end }}
{{- end }}
{{- with .Values.loadtest.k6 }}
{{- if and .enabled (not ($.Files.Get (printf "files/loadtest/scenarios/%s.ts" .scenario))) }}
loadtest.k6.scenario: Expected the name of a load shape, got {{ .scenario }}, which is not in the chart's
  files/loadtest/scenarios. Run `make build`, or name another.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
