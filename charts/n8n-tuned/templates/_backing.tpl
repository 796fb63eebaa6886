{{/*
Redis and PostgreSQL of the chart's own, one pod each with a volume that outlives
the release: (dict "root" $ "name" "redis" "port" 6379 "values" its-values "container" "its container, but for…").
*/}}
{{- define "n8n-tuned.backing" -}}
{{- $values := .values -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" .) | nindent 2 }}
spec:
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
  selector:
    {{- include "n8n-tuned.selector" . | nindent 4 }}
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" .) | nindent 2 }}
spec:
  replicas: 1
  serviceName: {{ include "n8n-tuned.object" . }}
  selector:
    matchLabels:
      {{- include "n8n-tuned.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- $selector := include "n8n-tuned.selector" . | fromYaml }}
        {{- mergeOverwrite (deepCopy $values.podLabels) $selector | toYaml | nindent 8 }}
      {{- $checksum := include "n8n-tuned.secret.checksum" (dict "root" .root "names" .secrets) | fromYaml }}
      {{- with merge $checksum $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      {{- with $values.priorityClassName }}
      priorityClassName: {{ . | quote }}
      {{- end }}
      serviceAccountName: {{ include "n8n-tuned.plainAccountName" .root | quote }}
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        {{- toYaml $values.podSecurityContext | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      # Both save their state on SIGTERM.
      terminationGracePeriodSeconds: 60
      containers:
        - name: {{ .name }}
          image: {{ include "n8n-tuned.imageOf" (list $values.image "") | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- .container | nindent 10 }}
          ports:
            - { name: {{ .name }}, containerPort: {{ .port }} }
          resources:
            {{- include "n8n-tuned.resources" $values.resources | nindent 12 }}
          securityContext:
            {{- toYaml .root.Values.role.securityContext | nindent 12 }}
      volumes:
        - { name: tmp, emptyDir: { medium: Memory, sizeLimit: 16Mi } }
        {{- if not $values.persistence.enabled }}
        - { name: data, emptyDir: {} }
        {{- end }}
  {{- if $values.persistence.enabled }}
  volumeClaimTemplates:
    - apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        {{- /* Kubernetes allows no change of them once the StatefulSet exists, so it keeps what it has. */}}
        {{- $annotations := include "n8n-tuned.kept" .root | fromYaml }}
        {{- with lookup "apps/v1" "StatefulSet" .root.Release.Namespace (include "n8n-tuned.object" .) }}
        {{- range .spec.volumeClaimTemplates }}{{- $annotations = .metadata.annotations }}{{- end }}
        {{- end }}
        {{- with $annotations }}
        annotations:
          {{- toYaml . | nindent 10 }}
        {{- end }}
      spec:
        accessModes: [ReadWriteOnce]
        {{- with $values.persistence.storageClass }}
        storageClassName: {{ ternary "" . (eq . "-") | quote }}
        {{- end }}
        resources: { requests: { storage: {{ $values.persistence.size }} } }
  {{- end }}
{{- end -}}
