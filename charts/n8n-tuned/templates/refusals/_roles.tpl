{{/* The release, its mode, and what each role can be. */}}
{{- define "n8n-tuned.refuse.roles" -}}
{{- $value := empty .Values.image.version | ternary "image.tag" "image.version" }}
{{- $given := include "n8n-tuned.version.given" . }}
{{- $latest := include "n8n-tuned.version.read" . | fromYaml | keys | sortAlpha | last | int }}
{{- if not (include "n8n-tuned.version.exact" $given) }}
{{ $value }}: Expected an exact n8n version such as {{ .Chart.AppVersion }}, got {{ quote $given }}.
  Pin the tag, or say in image.version which n8n your image holds.
{{- else if not (include "n8n-tuned.since" (list . "0.221.0")) }}
{{ $value }}: Expected n8n 0.221.0 or later, got {{ include "n8n-tuned.version" . }}. Use a later image.
{{- else if and (semverCompare (printf ">=%d.0.0" (add1 $latest)) (include "n8n-tuned.version" .)) (not .Values.image.untested) }}
{{ $value }}: Expected n8n {{ $latest }} or earlier, got {{ include "n8n-tuned.version" . }}: this chart knows nothing of
  its major release. Use a later chart; or set image.untested, and try it beside production first.
{{- end }}
{{- $images := dict "image" .Values.image "runner.image" (.Values.runner).image "backup.image" (.Values.backup).image
  "database.embedded.image" ((.Values.database).embedded).image
  "redis.embedded.image" ((.Values.redis).embedded).image
  "loadtest.k6.image" ((.Values.loadtest).k6).image "loadtest.nightly.image" ((.Values.loadtest).nightly).image }}
{{- range $name, $image := $images }}
{{- if and ($image).digest (contains "@" (toString $image.tag)) }}
{{ $name }}.digest: Expected nothing beside the digest in {{ $name }}.tag, got {{ $image.digest }}. Keep one of the two.
{{- end }}
{{- end }}
{{- if and (eq .Values.executions.process "own") (include "n8n-tuned.since" (list . "1.27.0")) }}
executions.process: Expected "main" or nothing for n8n {{ include "n8n-tuned.version" . }}, got "own", with which it
  would exit without a message: 1.27 removed it.
  Executions are isolated by queue mode with workers, or by external task runners.
{{- end }}
{{- if and (.Values.scheduler).durable (not (include "n8n-tuned.since" (list . "2.41.0"))) }}
scheduler.durable: Expected n8n 2.41.0 or later, got {{ include "n8n-tuned.version" . }}, which knows no such scheduler.
  Use a later image, or leave it out.
{{- end }}
{{- if eq .Values.executions.mode "queue" }}
{{- if eq .Values.database.type "sqlite" }}
database.type: Expected "external" or "embedded" in queue mode, got "sqlite", a file that only one process can use.
  Set it to a PostgreSQL, or executions.mode to regular.
{{- end }}
{{- $asleep := eq (include "n8n-tuned.replicas.max" (dict "root" . "name" "main")) "0" }}
{{- if and (eq (include "n8n-tuned.replicas.max" (dict "root" . "name" "worker")) "0") (not $asleep) }}
worker.replicas: Expected at least 1 in queue mode, got 0: executions would wait for ever.
  Raise it, set executions.mode to regular, or let n8n sleep with main.replicas 0, too.
{{- end }}
{{- if .Values.worker.pools }}
{{- if not (include "n8n-tuned.since" (list . "2.39.0")) }}
worker.pools: Expected n8n 2.39.0 or later, got {{ include "n8n-tuned.version" . }}, which has none.
  Use a later image, or leave them out.
{{- end }}
{{- if not (include "n8n-tuned.licensed" .) }}
worker.pools: Expected a licence beside them: without one, a worker of a pool ends.
  Name its Secret in license.existingSecret, or raise worker.replicas instead.
{{- end }}
{{- end }}
{{- if eq .Values.executions.process "own" }}
executions.process: Expected "main" or nothing in queue mode, got "own".
  Workers separate executions from main; leave it out.
{{- end }}
{{- end }}
{{- if include "n8n-tuned.multiMain" . }}
{{- $got := include "n8n-tuned.replicas.max" (dict "root" . "name" "main") }}
{{- if ne .Values.executions.mode "queue" }}
main.replicas: Expected 0 or 1, got {{ $got }}: two mains would each run every schedule, on one volume.
  Raise main.resources instead, or set executions.mode to queue.
{{- else if not (include "n8n-tuned.licensed" .) }}
main.replicas: Expected 0 or 1 without a licence, got {{ $got }}: each would run every schedule.
  Name the licence's Secret in license.existingSecret, or raise worker.replicas and webhook.replicas instead.
{{- else if not (include "n8n-tuned.since" (list . "1.27.0")) }}
main.replicas: Expected 0 or 1 for n8n {{ include "n8n-tuned.version" . }}, got {{ $got }}: it cannot have several.
  Use a later image.
{{- end }}
{{- end }}
{{- $volume := and .Values.persistence.inQueueMode (not (has "ReadWriteMany" .Values.persistence.accessModes)) }}
{{- if and $volume (eq .Values.executions.mode "queue") (include "n8n-tuned.multiMain" .) }}
persistence.inQueueMode: Expected accessModes [ReadWriteMany] for several mains,
  got {{ toJson .Values.persistence.accessModes }}: only one would start. Set them, or main.replicas to 1.
{{- end }}
{{- if and (or $volume (eq .Values.executions.mode "regular")) (eq .Values.main.strategy "RollingUpdate") }}
main.strategy: Expected "Recreate" or nothing in regular mode and with persistence.inQueueMode, got "RollingUpdate":
  two pods would share one volume. Leave it out.
{{- end }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $role := dict "root" $ "name" $name }}
{{- with (include "n8n-tuned.role" $role | fromYaml).autoscaling }}
{{- if and (ne .by "none") (gt (int .min) (int .max)) }}
{{ $name }}.autoscaling.min: Expected at most autoscaling.max = {{ int .max }}, got {{ int .min }}.
  Change one of the two.
{{- end }}
{{- if and (eq .by "cpu") (eq (int .min) 0) }}
{{ $name }}.autoscaling.min: Expected at least 1 with autoscaling.by cpu, got 0: without a pod there is no CPU to
  measure. Raise it; workers may go to 0 with autoscaling.by queue.
{{- end }}
{{- if and (eq .by "queue") (ne $name "worker") }}
{{ $name }}.autoscaling.by: Expected "cpu" or "none", got "queue": only workers take from the queue.
  Set it only for worker.
{{- end }}
{{- if and .cron (ne .by "queue") (eq $name "worker") }}
worker.autoscaling.cron: Expected autoscaling.by queue beside it, got {{ .by }}: KEDA keeps these times.
  Set worker.autoscaling.by to queue, or leave cron out.
{{- end }}
{{- $most := int .max }}
{{- range $index, $peak := .cron }}
{{- if gt (int .replicas) $most }}
{{ $name }}.autoscaling.cron[{{ $index }}].replicas: Expected at most autoscaling.max = {{ $most }}, got {{ int .replicas }}.
  Change one of the two.
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.runner }}
{{- if and (eq .mode "external") (not (include "n8n-tuned.since" (list $ "1.111.0"))) }}
runner.mode: Expected "internal" for n8n {{ include "n8n-tuned.version" $ }}, got "external": the image n8nio/runners
  begins with 1.111.0. Use a later image.
{{- end }}
{{- $release := toString .image.tag | splitList "@" | first }}
{{- $exact := include "n8n-tuned.version.exact" $release }}
{{- if and (eq .mode "external") $exact (ne (regexFind "^[0-9.]+" $release) (include "n8n-tuned.version" $)) }}
runner.image.tag: Expected n8n's own version, {{ include "n8n-tuned.version" $ }}, got {{ $release }}: n8n and its runners
  must be of one version. Leave it out, or build your image from n8nio/runners:{{ include "n8n-tuned.version" $ }}.
{{- end }}
{{- $own := or .python.stdlib .python.external .extraEnv .extraEnvFrom .extraVolumes .extraVolumeMounts }}
{{- if and (ne .mode "external") $own }}
runner.mode: Expected "external" beside python, extraEnv, extraEnvFrom, extraVolumes or extraVolumeMounts of runner,
  got {{ quote .mode }}: an internal one has n8n's own, and no Python. Set it, or use those of role.
{{- end }}
{{- end }}
{{- /* For every role, and for the external runner. */}}
{{- $roles := include "n8n-tuned.roles" . | fromYamlArray }}
{{- if eq .Values.runner.mode "external" }}
  {{- $roles = append $roles "runner" }}
{{- end }}
{{- range $name := $roles }}
{{- $role := dict "root" $ "name" $name }}
{{- $limit := include "n8n-tuned.heap.limit" $role }}
{{- $heap := include "n8n-tuned.heap" $role }}
{{- if and $limit $heap }}
{{- $given := (include "n8n-tuned.role" $role | fromYaml).heap.megabytes }}
{{- $inside := include "n8n-tuned.runner.inside" $role | int }}
{{- $least := include "n8n-tuned.heap.least" $role | int }}
{{- if and $given (ge (add (int $heap) $inside) (int $limit)) }}
{{ $name }}.heap.megabytes: Expected less than the memory limit of {{ $limit }} MiB
  {{- if $inside }} with the runner's {{ $inside }}{{ end }}, got {{ $heap }}: the pod would be killed before V8
  collects. Leave it out to derive it, or raise {{ $name }}.resources.limits.memory.
{{- else if lt (int $heap) $least }}
{{ $name }}.resources.limits.memory: Expected room for a heap of {{ $least }} MB, got {{ $limit }} MiB, which leaves
  {{ $heap }} MB. Raise the limit to 512Mi, better 1Gi, or set {{ $name }}.heap.megabytes.
{{- end }}
{{- end }}
{{- end }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- with (include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml).shutdown }}
{{- $needed := add (int .delaySeconds) (int .gracefulSeconds) }}
{{- if le (int .gracePeriodSeconds) $needed }}
{{ $name }}.shutdown.gracePeriodSeconds: Expected more than delaySeconds + gracefulSeconds = {{ $needed }},
  got {{ int .gracePeriodSeconds }}: running executions would be killed. Raise it, or lower one of the two.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
