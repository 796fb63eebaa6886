{{/* The URL of n8n, and the number of proxies before it. */}}
{{- define "n8n-tuned.url.env" -}}
{{- $public := include "n8n-tuned.publicUrl" . -}}
{{- with $public }}
N8N_EDITOR_BASE_URL: {{ quote . }}
{{- end }}
{{- with default $public (include "n8n-tuned.webhookUrl" .) }}
{{ include "n8n-tuned.since" (list $ "2.30.0") | empty | ternary "WEBHOOK_URL" "N8N_WEBHOOK_URL" }}: {{ quote . }}
{{- end }}
{{- if include "n8n-tuned.since" (list . "1.27.0") }}
{{- with include "n8n-tuned.proxyHops" . }}
N8N_PROXY_HOPS: {{ . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.publicUrl" -}}
{{- $ingress := .Values.ingress -}}
{{- $gateway := .Values.gateway -}}
{{- $at := include "n8n-tuned.path" . | empty | ternary "" (printf "%s/" (include "n8n-tuned.path" .)) -}}
{{- if .Values.publicUrl -}}
  {{- .Values.publicUrl -}}
{{- else if $ingress.enabled -}}
  {{- $scheme := or $ingress.tls.enabled $ingress.tls.atBalancer | ternary "https" "http" -}}
  {{- printf "%s://%s%s" $scheme $ingress.host $at -}}
{{- else if $gateway.enabled -}}
  {{- printf "%s://%s%s" (ternary "https" "http" $gateway.tls) $gateway.host $at -}}
{{- end -}}
{{- end -}}

{{/* If webhooks have another address. */}}
{{- define "n8n-tuned.webhookUrl" -}}
{{- with .Values.ingress.webhooks -}}
{{- if or $.Values.webhookUrl (not .host) -}}
  {{- $.Values.webhookUrl -}}
{{- else -}}
  {{- $at := include "n8n-tuned.path" $ | empty | ternary "" (printf "%s/" (include "n8n-tuned.path" $)) -}}
  {{- printf "%s://%s%s" (or .tls.enabled .tls.atBalancer | ternary "https" "http") .host $at -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.proxyHops" -}}
{{- if not (kindIs "invalid" .Values.proxyHops) -}}
  {{- int .Values.proxyHops -}}
{{- else if or .Values.ingress.enabled .Values.gateway.enabled .Values.ingress.webhooks.host -}}
  1
{{- else if and (hasPrefix "https://" .Values.publicUrl) (not (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv.N8N_SSL_KEY) -}}
  {{- /* n8n itself serves no TLS then, so something in front of it does. */ -}}
  1
{{- end -}}
{{- end -}}
