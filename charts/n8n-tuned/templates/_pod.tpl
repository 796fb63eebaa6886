{{/* The pod template of every role: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.pod" -}}
{{- $root := .root -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
metadata:
  labels:
    {{- $version := dict "app.kubernetes.io/version" (include "n8n-tuned.version" $root) }}
    {{- $own := merge (include "n8n-tuned.selector" . | fromYaml) $version }}
    {{- mergeOverwrite (deepCopy $role.podLabels) $own | toYaml | nindent 4 }}
  {{- $secrets := list "encryption-key" "database-password" "redis-password" "runner-token" }}
  {{- with merge
    (include "n8n-tuned.loadtest.checksum" $root | fromYaml)
    (include "n8n-tuned.patches.checksum" $root | fromYaml)
    (include "n8n-tuned.tuning.annotations" $root | fromYaml)
    (include "n8n-tuned.secret.checksum" (dict "root" $root "names" $secrets) | fromYaml)
    $role.podAnnotations
    (include "n8n-tuned.runner.annotations" . | fromYaml) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "n8n-tuned.serviceAccountName" $root }}
  automountServiceAccountToken: false
  # Otherwise a Service called n8n would set N8N_PORT to its own URL.
  enableServiceLinks: false
  securityContext:
    {{- toYaml $role.podSecurityContext | nindent 4 }}
  {{- with $root.Values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  terminationGracePeriodSeconds: {{ int $role.shutdown.gracePeriodSeconds }}
  {{- /* The user's containers come first: one may be the proxy to the database. */}}
  {{- $init := $role.extraInitContainers | empty | ternary list (list (toYaml $role.extraInitContainers)) }}
  {{- range list "ca" "wait" "checkKey" "communityNodes" "loadtest" "workflows" "runner" "progress" "stuck" }}
    {{- with include (printf "n8n-tuned.%s.init" .) $ | trim }}
      {{- $init = append $init . }}
    {{- end }}
  {{- end }}
  {{- with $init }}
  initContainers:
    {{- join "\n" . | nindent 4 }}
  {{- end }}
  containers:
    - name: n8n
      image: {{ include "n8n-tuned.image" $root }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      {{- if include "n8n-tuned.isWorker" . }}
      args: [worker, --concurrency={{ int $role.concurrency }}]
      {{- else if eq .name "webhook" }}
      args: [webhook]
      {{- end }}
      env:
        {{- include "n8n-tuned.env" . | trim | nindent 8 }}
      {{- with $role.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        - { name: http, containerPort: 5678 }
      {{- include "n8n-tuned.probes" . | nindent 6 }}
      lifecycle:
        {{- if not $role.lifecycle.preStop }}
        preStop: { sleep: { seconds: {{ int $role.shutdown.delaySeconds }} } }
        {{- end }}
        {{- with $role.lifecycle }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      resources:
        {{- include "n8n-tuned.resources" $role.resources | nindent 8 }}
      {{- with $role.resizePolicy }}
      resizePolicy:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- toYaml $role.securityContext | nindent 8 }}
      volumeMounts:
        {{- include "n8n-tuned.mounts" . | nindent 8 }}
    {{- with $role.extraContainers }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  volumes:
    {{- include "n8n-tuned.volumes" . | nindent 4 }}
  {{- include "n8n-tuned.placement" . | trim | nindent 2 }}
{{- end -}}

{{- define "n8n-tuned.image" -}}
{{- with .Values.image -}}
{{- .repository }}:{{ .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{/* A command that runs one or several scripts of the chart; every n8n image has Node. (list $ "files/test.js") */}}
{{- define "n8n-tuned.script" -}}
command:
  - node
  - -e
  - |
    {{- range rest . }}
    {{- (first $).Files.Get . | trim | nindent 4 }}
    {{- end }}
{{- end -}}
