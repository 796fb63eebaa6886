{{/*
Values that cannot work, or would end badly, are refused all at once, each with
its name and the fix. A rule is a template that prints a line where it applies.
*/}}
{{- define "n8n-tuned.refusals" -}}
{{- $found := list -}}
{{- range list "process" "replicas" "heap" "shutdown" "tuning" "extraEnv" "encryptionKey" "ingress" "loadtest" -}}
  {{- with include (printf "n8n-tuned.refuse.%s" .) $ | trim -}}
    {{- $found = append $found . -}}
  {{- end -}}
{{- end -}}
{{- with $found -}}
  {{- fail (join "\n" . | printf "\n%s") -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.process" -}}
{{- if and (eq .Values.executions.process "own") (include "n8n-tuned.since" (list . "1.27.0")) -}}
executions.process: Expected "main" or nothing for n8n {{ include "n8n-tuned.version" . }}, got "own", with which it would exit without a word: 1.27 removed it. Executions are isolated by queue mode with workers, or by external task runners.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.replicas" -}}
{{- if gt (int .Values.main.replicas) 1 -}}
main.replicas: Expected 0 or 1, got {{ int .Values.main.replicas }}: two mains would each run every schedule, on one SQLite file. Raise main.resources instead.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.heap" -}}
{{- $main := dict "root" . "name" "main" -}}
{{- $limit := include "n8n-tuned.heap.limit" $main -}}
{{- $heap := include "n8n-tuned.heap" $main -}}
{{- if and $limit $heap -}}
{{- $given := (include "n8n-tuned.role" $main | fromYaml).heap.megabytes -}}
{{- if and $given (ge (int $heap) (int $limit)) -}}
main.heap.megabytes: Expected less than the memory limit of {{ $limit }} MiB, got {{ $heap }}: the pod would be killed before V8 collects. Leave it out to derive it, or raise main.resources.limits.memory.
{{- else if lt (int $heap) 128 -}}
main.resources.limits.memory: Expected room for a heap of 128 MB, got {{ $limit }} MiB, which leaves {{ $heap }} MB. Raise the limit to 512Mi or more, or set main.heap.megabytes.
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.shutdown" -}}
{{- with (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).shutdown -}}
{{- $needed := add (int .delaySeconds) (int .gracefulSeconds) -}}
{{- if le (int .gracePeriodSeconds) $needed -}}
main.shutdown.gracePeriodSeconds: Expected more than delaySeconds + gracefulSeconds = {{ $needed }}, got {{ int .gracePeriodSeconds }}: running executions would be killed. Raise it, or lower one of the two.
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.tuning" -}}
{{- $tuning := .Values.tuning -}}
{{- $active := include "n8n-tuned.tuning.active" . | fromYamlArray -}}
{{- range $name, $setting := include "n8n-tuned.tuning.table" . | fromYaml -}}
{{- if and (index $tuning $name | eq true) (not (has $name $active)) }}
tuning.{{ $name }}: Expected n8n {{ $setting.since }} or later, got {{ include "n8n-tuned.version" $ }}, which does not know it. Leave it out.
{{- end -}}
{{- if and $setting.with (has $name $active) (not (has $setting.with $active)) }}
tuning.{{ $name }}: Expected tuning.{{ $setting.with }} beside it: alone it fills the volume for ever. Set both, or neither.
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Names with a value of their own, which other rules rely on. */}}
{{- define "n8n-tuned.refuse.extraEnv" -}}
{{- $owned := dict
  "EXECUTIONS_MODE" "executions.mode"
  "EXECUTIONS_PROCESS" "executions.process"
  "N8N_ENCRYPTION_KEY" "encryptionKey"
  "N8N_GRACEFUL_SHUTDOWN_TIMEOUT" "main.shutdown.gracefulSeconds"
  "N8N_PORT" "service.port"
  "N8N_USER_FOLDER" "persistence" -}}
{{- $env := (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv -}}
{{- range $name, $value := $env }}
{{- with index $owned $name }}
main.extraEnv.{{ $name }}: Expected the chart's own value for this. Set {{ . }} instead.
{{- end }}
{{- end }}
{{- if kindIs "map" $env.NODE_OPTIONS }}
main.extraEnv.NODE_OPTIONS: Expected text, which is appended to the chart's own flags, got valueFrom. Write the flags themselves.
{{- else if contains "--max-old-space-size" (toString $env.NODE_OPTIONS) }}
main.extraEnv.NODE_OPTIONS: Expected no --max-old-space-size, which the chart writes. Set main.heap.megabytes instead.
{{- end }}
{{- end -}}

{{- define "n8n-tuned.refuse.encryptionKey" -}}
{{- with .Values.encryptionKey -}}
{{- if and .value .existingSecret.name -}}
encryptionKey.value: Expected nothing beside encryptionKey.existingSecret.name. Keep one of the two.
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.ingress" -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
ingress.host: Expected a host name such as n8n.example.com, got nothing. Set it, or disable ingress.enabled.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.loadtest" -}}
{{- if and .Values.loadtest.enabled (not (.Files.Get "files/n8n-nodes-tuned/package.json")) -}}
loadtest.enabled: Expected the built node package in the chart's files/n8n-nodes-tuned, found none. Run `make build` in the project, then render again.
{{- end -}}
{{- end -}}
