{{/*
An ingress: (dict "root" $ "of" its-values "called" its-name-if-not-main's "hosts" (list …) "paths" (list …)
"tls" "tls")
*/}}
{{- define "n8n-tuned.ingress" }}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  {{- include "n8n-tuned.metadata" (dict
    "of" (dict "root" .root "name" "main")
    "called" .called
    "annotations" .of.annotations) | nindent 2 }}
spec:
  {{- with .of.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- if .of.tls.enabled }}
  {{- $own := .of.tls.secretNames }}
  {{- $shared := list }}
  {{- range .hosts }}{{- if not (hasKey $own .) }}{{- $shared = append $shared . }}{{- end }}{{- end }}
  tls:
    {{- if $shared }}
    - hosts: {{ $shared | toJson }}
      secretName: {{ default (include "n8n-tuned.object" (dict "root" .root "name" .tls)) .of.tls.secretName }}
    {{- end }}
    {{- range .hosts }}
    {{- if hasKey $own . }}
    - hosts: {{ list . | toJson }}
      secretName: {{ index $own . }}
    {{- end }}
    {{- end }}
  {{- end }}
  rules:
    {{- range .hosts }}
    - host: {{ . | quote }}
      http:
        paths:
          {{- range $.paths }}
          - path: {{ .path }}{{ .ends }}
            pathType: Prefix
            backend:
              service:
                name: {{ include "n8n-tuned.object" (dict "root" $.root "name" .role) }}
                port: { name: http }
          {{- end }}
    {{- end }}
{{- end -}}
