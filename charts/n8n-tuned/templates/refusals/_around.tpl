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
{{- with .Values.monitoring -}}
{{- range $name := list "podMonitor" "rules" -}}
{{- if and (index $.Values.monitoring $name).enabled (not $.Values.monitoring.enabled) }}
monitoring.{{ $name }}.enabled: Expected monitoring.enabled beside it: without it there are no metrics to read.
  Set both.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
