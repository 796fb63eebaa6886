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
  {{- if and (eq .name "main") (include "n8n-tuned.sticky" .root) }}
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

{{- define "n8n-tuned.sticky" -}}
{{- $sticky := .Values.service.sticky -}}
{{- if kindIs "bool" $sticky | ternary $sticky (include "n8n-tuned.multiMain" . | empty | not) -}}true{{- end -}}
{{- end -}}
