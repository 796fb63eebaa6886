{{- define "n8n-tuned.refuse.ingress" -}}
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
ingress.webhooks.host: Expected another host than those of ingress, got {{ .host }}: the editor would be public there. Give webhooks a name of their own.
{{- end }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
ingress.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable ingress.enabled.
{{- end -}}
{{- end -}}

{{/* Metrics are served on n8n's own port: who may not reach that cannot read them. */}}
{{- define "n8n-tuned.refuse.networkPolicy" -}}
{{- with .Values.networkPolicy -}}
{{- if and .enabled .from (not .metricsFrom) $.Values.monitoring.enabled -}}
networkPolicy.metricsFrom: Expected who reads the metrics beside networkPolicy.from, got none: Prometheus could not reach main. Name its namespace: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: monitoring}}}].
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.monitoring" -}}
{{- with .Values.monitoring -}}
{{- range $name := list "podMonitor" "rules" -}}
{{- if and (index $.Values.monitoring $name).enabled (not $.Values.monitoring.enabled) }}
monitoring.{{ $name }}.enabled: Expected monitoring.enabled beside it: there are no metrics to read without. Set both.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
