{{/*
What is weak about this install, the worst first: NOTES show each on one line. Only what these values bring about; what
is so with every n8n is in the docs.
*/}}
{{- define "n8n-tuned.warnings" -}}
{{- $queue := eq .Values.executions.mode "queue" -}}
{{- $sqlite := eq .Values.database.type "sqlite" -}}
{{- $main := dict "root" . "name" "main" }}
{{- $ofMain := (include "n8n-tuned.role" $main | fromYaml).extraEnv }}
{{- $key := dict "root" . "name" "encryption-key" }}
{{- if and $sqlite (not .Values.persistence.enabled) }}
- persistence.enabled is false: workflows, credentials and the key go with the pod.
{{- else if include "n8n-tuned.secret.generated" $key }}
- The encryption key is in the Secret {{ include "n8n-tuned.object" (dict "root" . "name" "generated") }}, made once
  and kept. Back it up: without it the credentials in the database are lost.
{{- else if and $sqlite (not (include "n8n-tuned.secret.ref" $key)) }}
- The encryption key is in the volume claim {{ include "n8n-tuned.claimName" . }}. Back up the volume, or the key.
{{- end }}
{{- $url := include "n8n-tuned.publicUrl" . }}
{{- $owned := or .Values.owner.email $ofMain.N8N_INSTANCE_OWNER_MANAGED_BY_ENV }}
{{- if and .Release.IsInstall (not $owned) }}
- Whoever opens a new n8n first makes the owner's account, and has all of it. Open it now, or set owner before you
  install.
{{- end }}
{{- $exposed := ne (default .Values.service.type (default dict .Values.main.service).type) "ClusterIP" }}
{{- $plain := or (hasPrefix "http://" $url) (and (not $url) $exposed) }}
{{- if and $plain (ne (toString $ofMain.N8N_SECURE_COOKIE) "false") }}
- n8n's login needs https: a browser refuses its cookie at {{ default "an address of http://" $url }}.
  Have TLS in front (ingress.tls, gateway.tls, or publicUrl if it is there), or do without that protection by
  N8N_SECURE_COOKIE "false" in role.extraEnv.
{{- end }}
{{- $basic := has (toString $ofMain.N8N_BASIC_AUTH_ACTIVE) (list "true" "1") }}
{{- if and $basic (include "n8n-tuned.since" (list . "1.0.0")) }}
- N8N_BASIC_AUTH_ACTIVE protects nothing from n8n 1.0 on. n8n has accounts; for a login before it see docs/chart.md.
{{- end }}
{{- $stores := list }}
{{- if eq .Values.database.type "embedded" }}{{ $stores = append $stores "PostgreSQL" }}{{ end }}
{{- if and $queue (eq .Values.redis.type "embedded") }}{{ $stores = append $stores "Redis" }}{{ end }}
{{- $old := regexMatch "^([0-6]([.]|$)|7[.]0([.@-]|$))" (toString .Values.redis.embedded.image.tag) }}
{{- if $stores }}
- For trials: {{ join " and " $stores }} of the chart, one pod each without a replica.
  Nothing runs while it restarts.
{{- if and $old (has "Redis" $stores) }}
  Redis {{ .Values.redis.embedded.image.tag }} gets no security fixes: set redis.embedded.image.tag to 7.2 or later,
  which reads its data. A later one cannot go back.
{{- end }}
{{- end }}
{{- if not (has (include "n8n-tuned.tuning.database" .) (list "sqlite" "mysql")) }}
{{- $most := include "n8n-tuned.database.connections" . | int }}
{{- if gt (mul $most 10) (mul (int .Values.database.maxConnections) 8) }}
- At their most, all replicas open {{ $most }} database connections;
  database.maxConnections says it has {{ int .Values.database.maxConnections }}.
{{- end }}
{{- end }}
{{- if and (hasKey $ofMain "EXECUTIONS_DATA_PRUNE") (has (toString $ofMain.EXECUTIONS_DATA_PRUNE) (list "false" "0")) }}
- EXECUTIONS_DATA_PRUNE is off: saved executions are never deleted, and the database grows.
{{- end }}
{{- if and (eq .Values.binaryData.mode "s3") (not (include "n8n-tuned.licensed" .)) }}
- binaryData.mode s3 takes a licence: n8n does not start without (license.existingSecret).
{{- end }}
{{- $overlap := ne (include "n8n-tuned.strategy" $main) "Recreate" }}
{{- $claimed := or (include "n8n-tuned.multiMain" .) (include "n8n-tuned.scheduler.durable" .) }}
{{- if and $queue $overlap (not $claimed) }}
- While main is updated, a schedule that is due just then may run twice (main.strategy).
{{- end }}
{{- include "n8n-tuned.warnings.idle" . }}
{{- $worker := include "n8n-tuned.role" (dict "root" . "name" "worker") | fromYaml }}
{{- $byQueue := and $queue (eq $worker.autoscaling.by "queue") }}
{{- if and $byQueue $worker.extraEnv.QUEUE_BULL_REDIS_TLS_SERVERNAME (not (include "n8n-tuned.redis.unchecked" .)) }}
- KEDA checks Redis' certificate by the host it calls, and knows no QUEUE_BULL_REDIS_TLS_SERVERNAME: have the certificate
  name that host too, or workers are not scaled.
{{- end }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- include "n8n-tuned.warnings.role" (dict "root" $ "name" $name) }}
{{- end }}
{{- include "n8n-tuned.warnings.routes" . }}
{{- include "n8n-tuned.warnings.unknown" . }}
{{- if and (eq .Values.tuning.tier "patched") (not (include "n8n-tuned.patches.active" . | fromYamlArray)) }}
- tuning.tier is patched, but no patch was verified on n8n {{ include "n8n-tuned.version" . }}: it runs as lean.
  Verified are {{ include "n8n-tuned.patches.releases" . }}; make verify-n8n verifies another.
{{- end }}
{{- if and .Values.monitoring.rules.enabled (not .Values.monitoring.podMonitor.enabled) }}
- monitoring.rules.enabled without podMonitor.enabled: alerts fire only if your own scrape gives each target of n8n the
  labels namespace, release and role.
{{- end }}
{{- $tried := .Chart.AppVersion | regexFind "^[0-9]+[.][0-9]+" }}
{{- $version := include "n8n-tuned.version" . }}
{{- if semverCompare (printf ">%s.x" $tried) $version }}
{{- $read := dig ($version | splitList "." | first) "" (include "n8n-tuned.version.read" . | fromYaml) }}
{{- $unread := or (not $read) (semverCompare (printf ">%s.x" (default "0.0" $read)) $version) }}
- n8n {{ $version }} is later than {{ $tried }}, the latest that this chart was tried with
{{- if not $unread }}. At most n8n's notes of it were read{{ else if $read }}, and than {{ $read }}, the latest of which
  n8n's notes were read{{ else }}, and nothing is known of its major release{{ end }}. Try it beside production first:
  docs/releases.md.
{{- end }}
{{- if and (include "n8n-tuned.scheduler.durable" .) (kindIs "invalid" .Values.scheduler.durable) }}
- From n8n 2.45: schedules are kept in the database, so main makes up for runs that were due while it was away.
  scheduler.durable true brings those of a killed main within half a minute; false counts in main's memory, as before.
{{- end }}
{{- if include "n8n-tuned.since" (list . "3.0.0") }}
{{- $differs := list }}
{{- if not (or (hasKey $ofMain "N8N_RUNNERS_TASK_TIMEOUT") .Values.runner.timeouts.task) }}
{{- $differs = append $differs "it ends a Code node after 60 seconds, n8n 2 after 300 (runner.timeouts.task)" }}
{{- end }}
{{- if $queue }}
{{- $differs = append $differs "workers run manual executions too, with the memory of worker.resources" }}
{{- end }}
{{- with $differs }}
- From n8n 3.0: {{ join "; " . }}.
{{- end }}
{{- end }}
{{- if .Values.loadtest.enabled }}
- loadtest.enabled loads a node that burns CPU and memory at will. Not for production.
{{- end }}
{{- end -}}

{{/*
Variables of n8n's own kind that it does not know. Every variable of some releases was looked at. One in between knows no
more than all of these together; of a later one nothing is known.
*/}}
{{- define "n8n-tuned.warnings.unknown" -}}
{{- $version := include "n8n-tuned.version" . }}
{{- $known := list }}
{{- $latest := false }}
{{- $same := false }}
{{- range $release, $names := .Files.Get "files/n8n-variables.json" | fromJson }}
{{- $minor := regexFind "^[0-9]+[.][0-9]+" $release }}
{{- if semverCompare (printf "~%s.0" $minor) $version }}{{ $same = $names }}{{ end }}
{{- if semverCompare (printf "<=%s.x" $minor) $version }}{{ $latest = true }}{{ end }}
{{- $known = concat $known $names }}
{{- end }}
{{- $known = default $known $same }}
{{- $unknown := list }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- range $variable, $_ := (include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml).extraEnv }}
{{- $own := regexMatch "^(N8N|DB|QUEUE|EXECUTIONS|CREDENTIALS|WEBHOOK|GENERIC|OFFLOAD)_" $variable }}
{{- $found := or (has $variable $known) (has (trimSuffix "_FILE" $variable) $known) }}
{{- if and $own (not $found) (not (hasPrefix "N8N_RUNNERS_LAUNCHER_" $variable)) }}
{{- $unknown = append $unknown $variable }}
{{- end }}
{{- end }}
{{- end }}
{{- if and $latest $unknown }}
- n8n {{ $version }} does not know {{ $unknown | uniq | sortAlpha | join ", " }}: without effect, unless a node reads it.
{{- end }}
{{- end -}}

{{/* Values that do nothing, and the line that is missing. */}}
{{- define "n8n-tuned.warnings.idle" -}}
{{- $queue := eq .Values.executions.mode "queue" }}
{{- if not $queue }}
{{- $idle := list }}
{{- if gt (int .Values.worker.replicas) 2 }}{{ $idle = append $idle "worker.replicas" }}{{ end }}
{{- if gt (int .Values.webhook.replicas) 1 }}{{ $idle = append $idle "webhook.replicas" }}{{ end }}
{{- range $name := list "worker" "webhook" }}
{{- if ne (default "none" ((index $.Values $name).autoscaling).by) "none" }}
{{- $idle = append $idle (printf "%s.autoscaling" $name) }}
{{- end }}
{{- end }}
{{- if .Values.worker.pools }}{{ $idle = append $idle "worker.pools" }}{{ end }}
{{- with .Values.redis }}
{{- if or (eq .type "external") .host .clusterNodes }}{{ $idle = append $idle "redis" }}{{ end }}
{{- end }}
{{- with $idle }}
- Without effect in regular mode: {{ join ", " . }}. For workers and Redis set executions.mode to queue.
{{- end }}
{{- else }}
{{- if and .Values.persistence.existingClaim (not .Values.persistence.inQueueMode) }}
- Without effect in queue mode: persistence.existingClaim. For main's folder set persistence.inQueueMode.
{{- end }}
{{- if and .Values.redis.clusterNodes (int .Values.redis.db) }}
- Without effect beside redis.clusterNodes: redis.db. A cluster has database 0 alone.
{{- end }}
{{- end }}
{{- if and .Values.ingress.host (not .Values.ingress.enabled) }}
- Without effect: ingress.host. For a route set ingress.enabled.
{{- end }}
{{- $webhooks := .Values.gateway.webhooks.host }}
{{- if and (or .Values.gateway.host (and .Values.gateway.parentRefs (not $webhooks))) (not .Values.gateway.enabled) }}
- Without effect: gateway.host and gateway.parentRefs. For a route set gateway.enabled.
{{- end }}
{{- $password := .Values.database.password }}
{{- if and (eq .Values.database.type "sqlite") (or $password.value $password.existingSecret.name) }}
- Without effect beside SQLite: database.password. For a PostgreSQL set database.type to external, or to embedded.
{{- end }}
{{- if and .Values.monitoring.dashboard.enabled (not .Values.monitoring.enabled) }}
- The dashboard stays empty: n8n gives no metrics. Set monitoring.enabled.
{{- end }}
{{- end -}}

{{- define "n8n-tuned.warnings.role" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $limit := include "n8n-tuned.heap.limit" . -}}
{{- $least := le (include "n8n-tuned.heap" . | int) (include "n8n-tuned.heap.least" . | int) -}}
{{- if not $limit }}
- {{ .name }}.resources.limits.memory is not set: no heap could be derived from it.
{{- else if and (include "n8n-tuned.heap.derived" .) $least (lt (int $limit) 640) (ne .name "webhook") }}
- {{ .name }} is short of memory: its limit of {{ $limit }} MiB leaves the least heap that n8n starts with, and it may
  be killed under load. 1Gi is what we measure with.
{{- end }}
{{- $single := eq (include "n8n-tuned.replicas.min" . | int) 1 }}
{{- /* The stores of a trial are single pods, too, and NOTES say so of them. */}}
{{- $trial := eq .root.Values.database.type "embedded" }}
{{- if and $single (eq .root.Values.executions.mode "queue") (ne .name "main") (not $trial) }}
- {{ .name }} may have a single pod: while its node is drained there is none, until another is ready.
{{- end }}
{{- if and (include "n8n-tuned.isWorker" .) (lt (int $role.concurrency) 5) }}
- {{ .name }}.concurrency is below 5: n8n advises against it, each worker keeps its own database pool.
{{- end }}
{{- end -}}

{{- define "n8n-tuned.warnings.routes" -}}
{{- $routed := or .Values.ingress.enabled .Values.gateway.enabled }}
{{- if and (eq (include "n8n-tuned.webhookRole" .) "webhook") (not $routed) }}
{{- $paths := list }}
{{- range include "n8n-tuned.paths" (list . .Values.ingress) | fromYamlArray }}
{{- if eq .role "webhook" }}{{ $paths = append $paths (printf "%s/" .path) }}{{ end }}
{{- end }}
- No route was rendered: send {{ initial $paths | join ", " }} and {{ last $paths }}
  to the service {{ include "n8n-tuned.object" (dict "root" . "name" "webhook") }},
  everything else to {{ include "n8n-tuned.object" (dict "root" . "name" "main") }}.
{{- end }}
{{- if .Values.ingress.enabled }}
{{- with include "n8n-tuned.path" . }}
- n8n serves everything at its root. Have your ingress controller take {{ . }} off the paths, as its annotations allow.
{{- end }}
{{- end }}
{{- if and (include "n8n-tuned.multiMain" .) .Values.ingress.enabled }}
{{- $kept := list .Values.ingress.annotations .Values.service.annotations .Values.main.service | toJson }}
{{- if not (regexMatch "affinity|sticky|stickiness" $kept) }}
- There are several mains, and each editor has to stay with one of them: give the ingress the annotation of your
  controller for it (docs/chart.md, Routes).
{{- end }}
{{- end }}
{{- if and $routed .Values.monitoring.enabled }}
- The route also leads to /metrics. Have your ingress controller or gateway refuse it.
{{- end }}
{{- end -}}

{{/* Messages, each on one line: an indented line continues the one before it. */}}
{{- define "n8n-tuned.joined" -}}
{{- regexReplaceAll "\n+" (regexReplaceAll "\n +" . " ") "\n" -}}
{{- end -}}
