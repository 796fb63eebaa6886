{{/*
The pod that makes a backup, and the pod in which a person restores one. Both have the volume of backups, n8n's volume
if there is one, and PostgreSQL's environment. (dict "root" $ "name" "backup" "container" "")
*/}}
{{- define "n8n-tuned.backup.cronJob" -}}
{{- $root := .root -}}
{{- $main := include "n8n-tuned.role" (dict "root" $root "name" "main") | fromYaml -}}
{{- $postgresql := ne $root.Values.database.type "sqlite" -}}
{{- $pod := dict "root" $root "name" .name "own" $root.Values.backup -}}
apiVersion: batch/v1
kind: CronJob
metadata:
  {{- include "n8n-tuned.metadata" (dict "of" . "called" (include "n8n-tuned.backup.called" .)) | nindent 2 }}
spec:
  schedule: {{ .schedule | quote }}
  timeZone: {{ $root.Values.timezone | quote }}
  suspend: {{ .suspend }}
  concurrencyPolicy: Forbid
  # A backup that could not begin in time, for example while the cluster was down, is made up to an hour late.
  startingDeadlineSeconds: 3600
  jobTemplate:
    spec:
      backoffLimit: {{ .retries }}
      activeDeadlineSeconds: {{ .seconds }}
      template:
        metadata:
          labels:
            {{- include "n8n-tuned.job.labels" $pod | nindent 12 }}
          annotations:
            {{- include "n8n-tuned.job.annotations" $pod | nindent 12 }}
        spec:
          restartPolicy: Never
          {{- with default $root.Values.jobs.priorityClassName $root.Values.backup.priorityClassName }}
          priorityClassName: {{ . }}
          {{- end }}
          terminationGracePeriodSeconds: 5
          {{- /* The proxy to the database that comes along from main may log in as n8n's account. */}}
          {{- if and $postgresql $main.extraInitContainers }}
          serviceAccountName: {{ include "n8n-tuned.serviceAccountName" $root }}
          {{- else }}
          serviceAccountName: {{ include "n8n-tuned.plainAccountName" $root }}
          {{- end }}
          automountServiceAccountToken: false
          enableServiceLinks: false
          securityContext:
            {{- toYaml $main.podSecurityContext | nindent 12 }}
          {{- with $root.Values.image.pullSecrets }}
          imagePullSecrets:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- range $field := list "nodeSelector" "tolerations" "hostAliases" "dnsConfig" }}
          {{- with index $main $field }}
          {{- dict $field . | toYaml | nindent 10 }}
          {{- end }}
          {{- end }}
          {{- with include "n8n-tuned.backup.affinity" . }}
          affinity:
            {{- . | nindent 12 }}
          {{- end }}
          {{- /* The user's containers come first: one may be the proxy to the database. */}}
          {{- $init := list }}
          {{- if $postgresql }}
          {{- with $main.extraInitContainers }}{{- $init = append $init (toYaml .) }}{{- end }}
          {{- with include "n8n-tuned.ca.init" (dict "root" $root "name" "main") }}{{- $init = append $init . }}{{- end }}
          {{- if eq .name "backup" }}{{- $init = append $init (include "n8n-tuned.backup.dump" . | trim) }}{{- end }}
          {{- end }}
          {{- with $init }}
          initContainers:
            {{- join "\n" . | nindent 12 }}
          {{- end }}
          containers:
            {{- include (printf "n8n-tuned.backup.%s" .name) . | trim | nindent 12 }}
          volumes:
            {{- include "n8n-tuned.backup.volumes" $root | nindent 12 }}
{{- end -}}

{{- define "n8n-tuned.backup.volumes" -}}
{{- $main := dict "root" . "name" "main" -}}
{{- $claim := dict "claimName" (include "n8n-tuned.backup.claimName" .) -}}
{{- $ours := list (dict "name" "backup" "persistentVolumeClaim" $claim) (dict "name" "tmp" "emptyDir" dict) -}}
{{- if include "n8n-tuned.persistent" $main -}}
  {{- $data := dict "claimName" (include "n8n-tuned.claimName" .) -}}
  {{- $ours = append $ours (dict "name" "data" "persistentVolumeClaim" $data) -}}
{{- end -}}
{{- $given := list -}}
{{- if ne .Values.database.type "sqlite" -}}
  {{- with include "n8n-tuned.backup.certificates" . | fromYaml -}}
    {{- $projected := dict "defaultMode" 0440 "sources" .sources -}}
    {{- $ours = append $ours (dict "name" "certificates" "projected" $projected) -}}
  {{- end -}}
  {{- $ours = concat $ours (include "n8n-tuned.ca.volumes" . | fromYamlArray) -}}
  {{- $given = (include "n8n-tuned.role" $main | fromYaml).extraVolumes -}}
{{- end -}}
{{- include "n8n-tuned.role.list" (list $given $ours "name") -}}
{{- end -}}

{{/* The name of a CronJob may have 52 characters, because its Jobs add eleven. */}}
{{- define "n8n-tuned.backup.called" -}}
{{- $room := sub 51 (len .name) | int -}}
{{- printf "%s-%s" (include "n8n-tuned.fullname" .root | trunc $room | trimSuffix "-") .name -}}
{{- end -}}

{{- define "n8n-tuned.backup.claimName" -}}
{{- default (include "n8n-tuned.object" (dict "root" . "name" "backup")) .Values.backup.persistence.existingClaim -}}
{{- end -}}

{{/* On the node of main, because both use main's volume. For a restore main is stopped, so any node will do. */}}
{{- define "n8n-tuned.backup.affinity" -}}
{{- $main := dict "root" .root "name" "main" -}}
{{- $runs := ne (include "n8n-tuned.replicas.max" $main) "0" -}}
{{- if and (eq .name "backup") (include "n8n-tuned.persistent" $main) $runs -}}
podAffinity:
  requiredDuringSchedulingIgnoredDuringExecution:
    - topologyKey: kubernetes.io/hostname
      labelSelector: { matchLabels: {{ include "n8n-tuned.selector" $main | fromYaml | toJson }} }
{{- end -}}
{{- end -}}
