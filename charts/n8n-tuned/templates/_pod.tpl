{{/* The Deployment of every role: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" .) | nindent 2 }}
spec:
  {{- /* An autoscaler decides where there is one. But if the number were left out of a Deployment that has had it,
  Kubernetes would take it for 1, and end all other pods. So it stays what it is in the cluster. A render without a
  cluster knows of none (docs/gitops.md). */}}
  {{- $replicas := include "n8n-tuned.replicas.min" . }}
  {{- if include "n8n-tuned.autoscaled" . }}
  {{- with lookup "apps/v1" "Deployment" .root.Release.Namespace (include "n8n-tuned.object" .) }}
  replicas: {{ max (int .spec.replicas) (int $replicas) }}
  {{- end }}
  {{- else }}
  replicas: {{ $replicas }}
  {{- end }}
  revisionHistoryLimit: {{ int (include "n8n-tuned.role" . | fromYaml).revisionHistoryLimit }}
  {{- if eq (include "n8n-tuned.strategy" .) "Recreate" }}
  # The old pod must first release the volume, or stop its schedules.
  strategy: { type: Recreate }
  {{- else }}
  # A pod ends only when another one is ready in its place.
  strategy: { type: RollingUpdate, rollingUpdate: {{ toJson (include "n8n-tuned.role" . | fromYaml).rollingUpdate }} }
  {{- end }}
  selector:
    matchLabels:
      {{- include "n8n-tuned.selector" . | nindent 6 }}
  template:
    {{- include "n8n-tuned.pod" . | nindent 4 }}
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

{{/* The pod template of every role: (dict "root" $ "name" "main"). */}}
{{- define "n8n-tuned.pod" -}}
{{- $root := .root -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
metadata:
  labels:
    {{- $version := dict "app.kubernetes.io/version" (include "n8n-tuned.version" $root) }}
    {{- $own := merge (include "n8n-tuned.selector" . | fromYaml) $version }}
    {{- mergeOverwrite (deepCopy $role.podLabels) $own | toYaml | nindent 4 }}
  {{- $secrets := list "encryption-key" "database-password" "redis-password" "runner-token" "license" }}
  {{- with merge
    (include "n8n-tuned.tuning.annotations" $root | fromYaml)
    (include "n8n-tuned.loadtest.checksum" $root | fromYaml)
    (include "n8n-tuned.secret.checksum" (dict "root" $root "names" $secrets) | fromYaml)
    $role.podAnnotations
    (include "n8n-tuned.runner.annotations" . | fromYaml) }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "n8n-tuned.serviceAccountName" $root | quote }}
  automountServiceAccountToken: {{ $root.Values.serviceAccount.automount }}
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
  {{- range list
    (include "n8n-tuned.ca.init" .)
    (include "n8n-tuned.wait.init" .)
    (include "n8n-tuned.checkKey.init" .)
    (include "n8n-tuned.communityNodes.init" .)
    (include "n8n-tuned.loadtest.init" .)
    (include "n8n-tuned.workflows.init" .)
    (include "n8n-tuned.runner.init" .)
    (include "n8n-tuned.progress.init" .)
    (include "n8n-tuned.stuck.init" .)
    (include "n8n-tuned.indexes.init" .) }}
    {{- with trim . }}{{- $init = append $init . }}{{- end }}
  {{- end }}
  {{- with $init }}
  initContainers:
    {{- join "\n" . | nindent 4 }}
  {{- end }}
  containers:
    - name: n8n
      image: {{ include "n8n-tuned.image" $root | quote }}
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
      {{- $ready := dict "path" (include "n8n-tuned.ready" $root) "port" "http" }}
      {{- $alive := dict "path" "/healthz" "port" (include "n8n-tuned.progress" . | empty | ternary "http" 5690) }}
      {{- if eq (include "n8n-tuned.scheme" .) "https" }}
      {{- range list $ready $alive }}{{- $_ := set . "scheme" "HTTPS" }}{{- end }}
      {{- end }}
      {{- /* A probe that the values set to null is left out. */}}
      {{- with $role.probes.startup }}
      startupProbe:
        httpGet: {{ toJson $ready }}
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $role.probes.readiness }}
      readinessProbe:
        httpGet: {{ toJson $ready }}
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $role.probes.liveness }}
      livenessProbe:
        httpGet: {{ toJson $alive }}
        {{- toYaml . | nindent 8 }}
      {{- end }}
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
  {{- /* Where it may run, by the names of Kubernetes' fields. */}}
  {{- range $field := list "priorityClassName" "runtimeClassName" "nodeSelector" "tolerations" "affinity" "hostAliases"
    "dnsConfig" "dnsPolicy" }}
  {{- with index $role $field }}
  {{- dict $field . | toYaml | nindent 2 }}
  {{- end }}
  {{- end }}
  {{- if kindIs "bool" $role.hostUsers }}
  hostUsers: {{ $role.hostUsers }}
  {{- end }}
  {{- /* On different nodes if possible. A single pod has the rule, too, so that adding others does not replace it. It
  counts only pods of the same rollout, not those that it replaces. */}}
  {{- $spread := dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway"
    "matchLabelKeys" (list "pod-template-hash") }}
  {{- $usual := eq $root.Values.executions.mode "queue" | ternary (list $spread) list }}
  {{- with default $usual $role.topologySpread }}
  topologySpreadConstraints:
    {{- range . }}
    {{- $selector := dict "matchLabels" (include "n8n-tuned.selector" $ | fromYaml) }}
    - {{- merge . (dict "labelSelector" $selector) | toYaml | nindent 6 }}
    {{- end }}
  {{- end }}
{{- end -}}

{{- define "n8n-tuned.image" -}}
{{- include "n8n-tuned.imageOf" (list .Values.image "") -}}
{{- end -}}

{{/* An image of the values, and the tag that it has if they name none: (list .Values.runner.image "2.41.1") */}}
{{- define "n8n-tuned.imageOf" -}}
{{- with first . -}}
{{- .repository }}:{{ default (last $) .tag }}{{ with .digest }}@{{ . }}{{ end }}
{{- end -}}
{{- end -}}

{{/*
A command that runs one or several scripts of the chart; every n8n image has Node. Their comments stay in the chart's
files. (list $ "files/test.js")
*/}}
{{- define "n8n-tuned.script" -}}
command:
  - node
  - -e
  - |
    {{- range rest . }}
    {{- regexReplaceAll "(?m)^ *(//|/\\*\\*|\\*[ /]).*\n|^\n" ((first $).Files.Get .) "" | trim | nindent 4 }}
    {{- end }}
{{- end -}}

{{/*
Alive: the process answers. Ready: its database is migrated and its webhooks are registered. n8n has a path for each
since 1.60, the first release in which we saw it.
*/}}
{{- define "n8n-tuned.ready" -}}
{{- include "n8n-tuned.since" (list . "1.60.0") | empty | ternary "/healthz" "/healthz/readiness" -}}
{{- end -}}

