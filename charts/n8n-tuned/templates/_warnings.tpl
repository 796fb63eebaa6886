{{/* Values that work, but that users should know about; NOTES shows them, each on one line. */}}
{{- define "n8n-tuned.warnings" -}}
{{- $queue := eq .Values.executions.mode "queue" -}}
{{- $embedded := eq .Values.database.type "embedded" -}}
{{- if and (eq .Values.database.type "sqlite") (not .Values.persistence.enabled) }}
- persistence.enabled is false: workflows, credentials and the key go with the pod.
{{- else if include "n8n-tuned.secret.generated" (dict "root" . "name" "encryption-key") }}
- The encryption key is in the Secret {{ include "n8n-tuned.object" (dict "root" . "name" "generated") }}, made once
  and kept. Back it up: without it the credentials in the database are lost.
{{- else if and (eq .Values.database.type "sqlite") (not (include "n8n-tuned.secret.ref" (dict "root" . "name" "encryption-key"))) }}
- The encryption key is in the volume claim {{ include "n8n-tuned.claimName" . }}. Back up the volume, or the key.
{{- end }}
{{- if $embedded }}
- database.type is embedded: one PostgreSQL pod without {{ .Values.backup.enabled | ternary "a" "backup or" }} replica.
  For trials.
{{- end }}
{{- if ne .Values.database.type "sqlite" }}
- At their most, all replicas open {{ include "n8n-tuned.database.connections" . }} database connections;
  database.maxConnections says it has {{ int .Values.database.maxConnections }}.
{{- end }}
{{- $ofMain := (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv }}
{{- if and (hasKey $ofMain "EXECUTIONS_DATA_PRUNE") (has (toString $ofMain.EXECUTIONS_DATA_PRUNE) (list "false" "0")) }}
- EXECUTIONS_DATA_PRUNE is off: saved executions are never deleted, and the database grows.
{{- else if $queue }}
- n8n deletes at most 100 old executions a second, saved or not: 8.6 million a day. More than that, and its tables grow.
{{- end }}
{{- if and (eq .Values.binaryData.mode "s3") (not .Values.license.existingSecret.name) }}
- binaryData.mode s3 takes a licence: n8n does not start without (license.existingSecret).
{{- end }}
{{- if and $queue (eq .Values.redis.type "embedded") }}
- redis.type is embedded: while its one pod restarts nothing is executed.
{{- if regexMatch "^([0-6]([.]|$)|7[.]0([.@-]|$))" (toString .Values.redis.embedded.image.tag) }}
- Redis {{ .Values.redis.embedded.image.tag }} gets no security fixes: set redis.embedded.image.tag to 7.2 or later, which
  reads its data. A later one cannot go back.
{{- end }}
{{- end }}
{{- $overlap := ne (include "n8n-tuned.strategy" (dict "root" . "name" "main")) "Recreate" }}
{{- if and $queue $overlap (not (include "n8n-tuned.multiMain" .)) }}
- While main is updated the old and the new one overlap for a few seconds, and a schedule due just then may run twice
  (main.strategy).
{{- end }}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray }}
{{- $role := dict "root" $ "name" $name }}
{{- if not (include "n8n-tuned.heap.limit" $role) }}
- {{ $name }}.resources.limits.memory is not set: no heap could be derived from it.
{{- else if and (include "n8n-tuned.heap.derived" $role) (le (include "n8n-tuned.heap" $role | int) (include "n8n-tuned.heap.least" $role | int)) (lt (include "n8n-tuned.heap.limit" $role | int) 640) (ne $name "webhook") }}
- {{ $name }} is short of memory: its limit of {{ include "n8n-tuned.heap.limit" $role }} MiB leaves the least heap that n8n
  starts with, and it may be killed under load. 1Gi is what we measure with.
{{- end }}
{{- $pdb := (include "n8n-tuned.role" $role | fromYaml).pdb }}
{{- $single := lt (include "n8n-tuned.replicas.min" $role | int) 2 }}
{{- if and $pdb.enabled $single $queue (ne $name "main") }}
- {{ $name }} has one pod: no PodDisruptionBudget was rendered, it would block every drain.
{{- end }}
{{- if and (include "n8n-tuned.isWorker" $role) (lt (int (include "n8n-tuned.role" $role | fromYaml).concurrency) 5) }}
- {{ $name }}.concurrency is below 5: n8n advises against it, each worker keeps its own database pool.
{{- end }}
{{- end }}
{{- $routed := or .Values.ingress.enabled .Values.gateway.enabled }}
{{- if and $queue (eq (include "n8n-tuned.webhookRole" .) "webhook") (not $routed) }}
{{- $paths := list }}
{{- range include "n8n-tuned.paths" . | fromYamlArray }}
{{- if eq .role "webhook" }}{{ $paths = append $paths (printf "%s/" .path) }}{{ end }}
{{- end }}
- No route was rendered: send {{ initial $paths | join ", " }} and {{ last $paths }}
  to the service {{ include "n8n-tuned.object" (dict "root" . "name" "webhook") }},
  everything else to {{ include "n8n-tuned.object" (dict "root" . "name" "main") }}.
{{- end }}
{{- if and (eq .Values.tuning.tier "patched") (not (include "n8n-tuned.patches.active" . | fromYamlArray)) }}
- tuning.tier is patched, but no patch was verified on n8n {{ include "n8n-tuned.version" . }}: it runs as lean.
  Verified are {{ include "n8n-tuned.patches.releases" . }}; make verify-n8n verifies another.
{{- end }}
{{- if .Values.ingress.enabled }}
{{- with include "n8n-tuned.path" . }}
- n8n serves everything at its root. Have your ingress controller take {{ . }} off the paths, as its annotations allow.
{{- end }}
{{- end }}
{{- $url := include "n8n-tuned.publicUrl" . }}
{{- $exposed := and (not $url) (ne (default .Values.service.type (default dict .Values.main.service).type) "ClusterIP") }}
{{- if and (or (hasPrefix "http://" $url) $exposed) (ne (toString $ofMain.N8N_SECURE_COOKIE) "false") }}
- n8n's login needs https: a browser refuses its cookie at {{ default "an address of http://" $url }}. Have TLS in front (ingress.tls,
  gateway.tls, or publicUrl if it is there), or give up that protection by N8N_SECURE_COOKIE "false" in role.extraEnv.
{{- end }}
{{- if and (include "n8n-tuned.multiMain" .) .Values.ingress.enabled }}
{{- $kept := list .Values.ingress.annotations .Values.service.annotations .Values.main.service | toJson }}
{{- if not (regexMatch "affinity|sticky|stickiness" $kept) }}
- There are several mains, and each editor has to stay with one of them: give the ingress the annotation of your
  controller for it (docs/chart.md, Routes).
{{- end }}
{{- end }}
{{- if and .Values.monitoring.rules.enabled (not .Values.monitoring.podMonitor.enabled) }}
- monitoring.rules.enabled without podMonitor.enabled: alerts fire only if your own scrape gives each target of n8n the
  labels namespace, release and role.
{{- end }}
{{- if and $routed .Values.monitoring.enabled }}
- The route also leads to /metrics. Have your ingress controller or gateway refuse it.
{{- end }}
{{- if include "n8n-tuned.since" (list . "3.0.0") }}
{{- if not (hasKey $ofMain "N8N_RUNNERS_TASK_TIMEOUT") }}
- n8n 3 ends a Code node after 60 seconds, n8n 2 after 300 (N8N_RUNNERS_TASK_TIMEOUT in role.extraEnv).
{{- end }}
{{- if $queue }}
- Workers run manual executions too, from n8n 3.0: their memory is in worker.resources.
{{- end }}
{{- end }}
{{- if .Values.loadtest.enabled }}
- loadtest.enabled loads a node that burns CPU and memory at will. Not for production.
{{- end }}
{{- end -}}

{{/* Messages, each on one line: an indented line continues the one before it. */}}
{{- define "n8n-tuned.joined" -}}
{{- regexReplaceAll "\n+" (regexReplaceAll "\n +" . " ") "\n" -}}
{{- end -}}
