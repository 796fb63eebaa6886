{{/* A role's Service: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.service" -}}
{{- $service := mergeOverwrite (deepCopy .root.Values.service) (deepCopy (index .root.Values .name).service) -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" . "annotations" $service.annotations) | nindent 2 }}
spec:
  type: {{ $service.type }}
  {{- if and (eq .name "main") (include "n8n-tuned.sticky" .root) }}
  # The editor's push connection and its requests must reach the same main.
  sessionAffinity: ClientIP
  {{- end }}
  {{- with $service.spec }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  ports:
    - { name: http, port: {{ int $service.port }}, targetPort: http }
  selector:
    {{- include "n8n-tuned.selector" . | nindent 4 }}
{{- end -}}

{{- define "n8n-tuned.sticky" -}}
{{- $sticky := .Values.service.sticky -}}
{{- if kindIs "bool" $sticky | ternary $sticky (include "n8n-tuned.multiMain" . | empty | not) -}}true{{- end -}}
{{- end -}}
