{{/* The Deployment of every role: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" .) | nindent 2 }}
spec:
  {{- with include "n8n-tuned.replicas" . }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: {{ int (include "n8n-tuned.role" . | fromYaml).revisionHistoryLimit }}
  {{- if eq (include "n8n-tuned.strategy" .) "Recreate" }}
  # The old pod must first release the volume, or stop its schedules.
  strategy: { type: Recreate }
  {{- else }}
  # A pod ends only when another one is ready in its place.
  strategy: { type: RollingUpdate, rollingUpdate: { maxUnavailable: 0, maxSurge: 25% } }
  {{- end }}
  selector:
    matchLabels:
      {{- include "n8n-tuned.selector" . | nindent 6 }}
  template:
    {{- include "n8n-tuned.pod" . | nindent 4 }}
{{- end -}}

{{/*
How many pods the Deployment asks for; empty leaves it to Kubernetes. An autoscaler decides where there is one. But if
the number were left out of a Deployment that has had it, Kubernetes would take it for 1, and end all other pods. So it
stays what it is in the cluster. A render without a cluster knows of none (docs/gitops.md).
*/}}
{{- define "n8n-tuned.replicas" -}}
{{- $least := include "n8n-tuned.replicas.min" . -}}
{{- if not (include "n8n-tuned.autoscaled" .) -}}
  {{- $least -}}
{{- else -}}
  {{- with lookup "apps/v1" "Deployment" .root.Release.Namespace (include "n8n-tuned.object" .) -}}
    {{- max (int .spec.replicas) (int $least) -}}
  {{- end -}}
{{- end -}}
{{- end -}}

{{/* A main that executes itself, or whose volume only one pod at a time may use, is recreated. */}}
{{- define "n8n-tuned.strategy" -}}
{{- $shared := has "ReadWriteMany" .root.Values.persistence.accessModes -}}
{{- $alone := and (include "n8n-tuned.persistent" .) (not $shared) -}}
{{- if or $alone (eq .root.Values.executions.mode "regular") -}}
  Recreate
{{- else -}}
  {{- default "RollingUpdate" (include "n8n-tuned.role" . | fromYaml).strategy -}}
{{- end -}}
{{- end -}}
