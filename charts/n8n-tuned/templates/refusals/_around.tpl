{{- define "n8n-tuned.refuse.ingress" -}}
{{- if and (kindIs "bool" .Values.enabled) (not .Values.enabled) }}
enabled: Expected an umbrella chart whose dependency has "condition: {{ .Chart.Name }}.enabled", got this chart rendered
  in spite of it. Name the condition, or leave enabled out.
{{- end }}
{{- with .Values.gateway -}}
{{- if and .enabled (not .host) }}
gateway.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable gateway.enabled.
{{- end }}
{{- if and .enabled (not .parentRefs) }}
gateway.parentRefs: Expected the Gateway that the route belongs to, got none. Set [{name: …, namespace: …}].
{{- end }}
{{- end }}
{{- with .Values.ingress.webhooks }}
{{- if and .host $.Values.ingress.enabled (has .host (prepend $.Values.ingress.extraHosts $.Values.ingress.host)) }}
ingress.webhooks.host: Expected another host than those of ingress, got {{ .host }}: the editor would be public there.
  Give webhooks another name.
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
ingress.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable ingress.enabled.
{{- end -}}
{{- end -}}

{{/* Metrics have the same port as n8n, so only peers that may reach the port can read them. */}}
{{- define "n8n-tuned.refuse.networkPolicy" -}}
{{- with .Values.networkPolicy -}}
{{- if and .enabled .from (not .metricsFrom) $.Values.monitoring.enabled -}}
networkPolicy.metricsFrom: Expected the readers of metrics beside networkPolicy.from, got none: Prometheus could not
  reach main. Name its namespace: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}].
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.monitoring" -}}
{{- range $name := list "podMonitor" "rules" "stuckExecutions" -}}
{{- if and (index $.Values.monitoring $name).enabled (not $.Values.monitoring.enabled) }}
monitoring.{{ $name }}.enabled: Expected monitoring.enabled beside it: without it there are no metrics to read.
  Set both.
{{- end -}}
{{- end -}}
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
{{- end -}}
{{- end -}}
