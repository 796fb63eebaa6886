{{- define "n8n-tuned.refuse.runner" -}}
{{- with .Values.runner -}}
{{- if and (eq .mode "external") (not (include "n8n-tuned.since" (list $ "1.111.0"))) }}
runner.mode: Expected "internal" for n8n {{ include "n8n-tuned.version" $ }}, got "external": the image n8nio/runners
  begins with 1.111.0. Use a later image.
{{- end }}
{{- $own := or .python.stdlib .python.external .extraEnv .extraEnvFrom .extraVolumes .extraVolumeMounts }}
{{- if and (ne .mode "external") $own }}
runner.mode: Expected "external" beside python, extraEnv, extraEnvFrom, extraVolumes or extraVolumeMounts of runner,
  got {{ quote .mode }}: an internal one has n8n's own, and no Python. Set it, or use those of role.
{{- end }}
{{- end -}}
{{- end -}}

{{/* For every role, and for the external runner. */}}
{{- define "n8n-tuned.refuse.heap" -}}
{{- $roles := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- if eq .Values.runner.mode "external" -}}
  {{- $roles = append $roles "runner" -}}
{{- end -}}
{{- range $name := $roles -}}
{{- $role := dict "root" $ "name" $name -}}
{{- $limit := include "n8n-tuned.heap.limit" $role -}}
{{- $heap := include "n8n-tuned.heap" $role -}}
{{- if and $limit $heap -}}
{{- $given := (include "n8n-tuned.role" $role | fromYaml).heap.megabytes -}}
{{- $inside := include "n8n-tuned.runner.inside" $role | int -}}
{{- $least := include "n8n-tuned.heap.least" $role | int -}}
{{- if and $given (ge (add (int $heap) $inside) (int $limit)) }}
{{ $name }}.heap.megabytes: Expected less than the memory limit of {{ $limit }} MiB
  {{- if $inside }} with the runner's {{ $inside }}{{ end }}, got {{ $heap }}: the pod would be killed before V8
  collects. Leave it out to derive it, or raise {{ $name }}.resources.limits.memory.
{{- else if lt (int $heap) $least }}
{{ $name }}.resources.limits.memory: Expected room for a heap of {{ $least }} MB, got {{ $limit }} MiB, which leaves
  {{ $heap }} MB. Raise the limit to 512Mi, better 1Gi, or set {{ $name }}.heap.megabytes.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.shutdown" -}}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- with (include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml).shutdown -}}
{{- $needed := add (int .delaySeconds) (int .gracefulSeconds) -}}
{{- if le (int .gracePeriodSeconds) $needed }}
{{ $name }}.shutdown.gracePeriodSeconds: Expected more than delaySeconds + gracefulSeconds = {{ $needed }},
  got {{ int .gracePeriodSeconds }}: running executions would be killed. Raise it, or lower one of the two.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
