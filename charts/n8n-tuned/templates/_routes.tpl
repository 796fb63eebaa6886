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

{{/* What a role's port speaks: n8n's own TLS, if its variables switch that on. Workers have none. */}}
{{- define "n8n-tuned.scheme" -}}
{{- $env := (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
{{- $tls := and (eq (toString $env.N8N_PROTOCOL) "https") $env.N8N_SSL_KEY $env.N8N_SSL_CERT -}}
{{- or (empty $tls) (include "n8n-tuned.isWorker" .) | empty | ternary "https" "http" -}}
{{- end -}}

{{/* The address of a role's Service: (dict "root" $ "name" "main") */}}
{{- define "n8n-tuned.serviceUrl" -}}
{{- printf "%s://%s:%d" (include "n8n-tuned.scheme" .) (include "n8n-tuned.object" .) (int .root.Values.service.port) -}}
{{- end -}}

{{/* If webhooks have another address. */}}
{{- define "n8n-tuned.webhookUrl" -}}
{{- $at := include "n8n-tuned.path" . | empty | ternary "" (printf "%s/" (include "n8n-tuned.path" .)) -}}
{{- $ingress := .Values.ingress -}}
{{- $gateway := .Values.gateway -}}
{{- if .Values.webhookUrl -}}
  {{- .Values.webhookUrl -}}
{{- else if and $ingress.webhooks.host (not (include "n8n-tuned.shared" (list $ingress))) -}}
  {{- $tls := or $ingress.webhooks.tls.enabled $ingress.webhooks.tls.atBalancer -}}
  {{- printf "%s://%s%s" (ternary "https" "http" $tls) $ingress.webhooks.host $at -}}
{{- else if and $gateway.webhooks.host (not (include "n8n-tuned.shared" (list $gateway))) -}}
  {{- printf "%s://%s%s" (ternary "https" "http" $gateway.webhooks.tls) $gateway.webhooks.host $at -}}
{{- end -}}
{{- end -}}

{{/* "true" if webhooks have a route of their own on the first route's host: (list .Values.ingress) */}}
{{- define "n8n-tuned.shared" -}}
{{- with first . -}}
{{- if and .enabled .webhooks.host (has .webhooks.host (prepend .extraHosts .host)) -}}true{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.proxyHops" -}}
{{- if not (kindIs "invalid" .Values.proxyHops) -}}
  {{- int .Values.proxyHops -}}
{{- else if or .Values.ingress.enabled .Values.ingress.webhooks.host .Values.gateway.enabled
  .Values.gateway.webhooks.host -}}
  1
{{- else if hasPrefix "https://" .Values.publicUrl -}}
  {{- /* If n8n itself serves no TLS, something in front of it does. */ -}}
  {{- if eq (include "n8n-tuned.scheme" (dict "root" . "name" "main")) "http" -}}1{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Where paths lead, most particular first. Processors answer production webhooks and the call that continues a waiting
execution. From n8n 2.41 they also answer forms and MCP, as webhook.routes says. The editor, and whatever is being
tested in it, are main's. n8n serves everything at its root, so the path it is told it is reached under (N8N_PATH) has
to be taken off.
`ends` is for an ingress: Traefik compares text, and would take /webhook-test/ for a path that begins with /webhook.
(list $ .Values.ingress)
*/}}
{{- define "n8n-tuned.paths" -}}
{{- $root := first . -}}
{{- $elsewhere := list -}}
{{- if include "n8n-tuned.shared" (rest .) -}}
  {{- range include "n8n-tuned.paths.public" . | fromYamlArray -}}
    {{- $elsewhere = append $elsewhere .within -}}
  {{- end -}}
{{- end -}}
{{- if eq (include "n8n-tuned.webhookRole" $root) "webhook" }}
{{- $webhooks := include "n8n-tuned.paths.webhooks" $root | fromYamlArray }}
{{- range concat $webhooks (include "n8n-tuned.paths.routes" $root | fromYamlArray) }}
{{- if not (has .within $elsewhere) }}
- {{ toJson . }}
{{- end }}
{{- end }}
{{- end }}
- { path: {{ default "/" (include "n8n-tuned.path" $root) }}, within: /, ends: "", role: main }
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

{{/* Paths of a second ingress or route: (list $ .Values.ingress) */}}
{{- define "n8n-tuned.paths.public" -}}
{{- $root := first . -}}
{{- include "n8n-tuned.paths.webhooks" $root }}
{{- $answered := list -}}
{{- if eq (include "n8n-tuned.webhookRole" $root) "webhook" -}}
  {{- range include "n8n-tuned.paths.routes" $root | fromYamlArray -}}
    {{- $answered = append $answered .within -}}
  {{- end -}}
{{- end }}
{{- range (last .).webhooks.morePaths }}
{{- $role := has (trimSuffix "/" .) $answered | ternary "webhook" "main" }}
- { path: {{ include "n8n-tuned.path" $root }}{{ . }}, within: {{ . }}, ends: "", role: {{ $role }} }
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

{{/* A role's Service: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.service" -}}
{{- $own := (index .root.Values .name).service | default dict -}}
{{- $service := mergeOverwrite (dict "spec" dict) (deepCopy .root.Values.service) (deepCopy $own) -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" . "annotations" $service.annotations) | nindent 2 }}
spec:
  {{- $spec := dict "type" $service.type "selector" (include "n8n-tuned.selector" . | fromYaml) }}
  {{- $sticky := .root.Values.service.sticky }}
  {{- $several := include "n8n-tuned.multiMain" .root | empty | not }}
  {{- if and (eq .name "main") (kindIs "bool" $sticky | ternary $sticky $several) }}
  {{- /* The editor's push connection and its requests must reach the same main. */}}
  {{- $_ := set $spec "sessionAffinity" "ClientIP" }}
  {{- end }}
  {{- /* The first port of the values adds to the chart's own, such as a nodePort; others follow it. */}}
  {{- $port := dict "name" "http" "port" (int $service.port) "targetPort" "http" }}
  {{- $given := default list $service.spec.ports }}
  {{- $first := mergeOverwrite $port (first $given | default dict) }}
  {{- $spec = mergeOverwrite $spec (deepCopy $service.spec) (dict "ports" (prepend (rest $given) $first)) }}
  {{- toYaml $spec | nindent 2 }}
{{- end -}}
