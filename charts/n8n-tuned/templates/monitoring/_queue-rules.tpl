{{/* The alerts of queue mode: (dict "root" $ "ours" its-labels "labels" what-they-carry "runbooks" their-address) */}}
{{- define "n8n-tuned.rules.queue" -}}
{{- $ours := .ours -}}
{{- $worker := dict "root" .root "name" "worker" -}}
{{- $concurrency := (include "n8n-tuned.role" $worker | fromYaml).concurrency -}}
{{- $atOnce := mul (include "n8n-tuned.replicas.max" $worker) $concurrency -}}
{{- $least := include "n8n-tuned.replicas.min" $worker -}}
{{- $roles := include "n8n-tuned.roles" .root | fromYamlArray -}}
- alert: N8nBacklogGrowing
  # Every main reports the same figure. The alert: more than the workers finish in a minute, and rising.
  expr: |
    max(n8n_scaling_mode_queue_jobs_waiting{ {{- $ours }}}) > {{ $atOnce }}
    and max(deriv(n8n_scaling_mode_queue_jobs_waiting{ {{- $ours }}}[10m])) > 0
  for: 10m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nbackloggrowing
    summary: "{{`{{ $value }}`}} executions wait, and more come than are finished."
    description: Raise worker.replicas or worker.autoscaling.max, and look whether workers are short of CPU.
- alert: N8nQueueStands
  # Workers that lost Redis may stay ready although they take no more jobs.
  expr: |
    max(n8n_scaling_mode_queue_jobs_waiting{ {{- $ours }}}) > 0
    and max(n8n_scaling_mode_queue_jobs_active{ {{- $ours }}}) == 0
  for: 3m
  labels: { severity: critical, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nqueuestands
    summary: "{{`{{ $value }}`}} executions wait, and no worker takes one."
    description: {{ include "n8n-tuned.rules.restart" (dict "root" .root "roles" (list "worker")) }}
- alert: N8nWorkersDown
  # Only where Prometheus reads this release at all: without a scrape nothing is known of its workers.
  expr: |
    (count(up{ {{- $ours }}, role="worker"} == 1) or vector(0)) < {{ $least }}
    and count(up{ {{- $ours }}}) > 0
  for: 5m
  labels: { severity: critical, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nworkersdown
    summary: "{{`{{ $value }}`}} workers are up, {{ $least }} should be."
    description: >-
      kubectl --namespace {{ .root.Release.Namespace }} describe pods --selector app.kubernetes.io/component=worker
- alert: N8nJobsStalled
  # Before the first stalled job the counter does not exist, and increase() does not see its first value.
  expr: |
    {{- $stalled := printf "n8n_queue_job_stalled_total{ %s}" $ours }}
    round(
      sum(increase({{ $stalled }}[15m]))
      + (sum({{ $stalled }} unless {{ $stalled }} offset 15m) or vector(0))
    ) > 0
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8njobsstalled
    summary: "{{`{{ $value }}`}} executions lost their worker."
    description: >-
      A worker died or was too busy to say that it lives. Look for N8nOutOfMemory and N8nEventLoopBlocked, and whether
      shutdown.gracefulSeconds is too short.
{{- if .root.Values.monitoring.stuckExecutions.enabled }}
- alert: N8nExecutionsStuck
  expr: max(n8n_tuned_stuck_executions{ {{- $ours }}}) > 0
  for: 2m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nexecutionsstuck
    summary: "n8n calls {{`{{ $value }}`}} executions running that no worker has."
    description: >-
      {{ include "n8n-tuned.rules.restart" (dict "root" .root "roles" (list "main")) }}
      marks them as crashed. The log of main's container stuck names them.
- alert: N8nExecutionsCrashed
  expr: max(n8n_tuned_crashed_executions{ {{- $ours }}}) > 0
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nexecutionscrashed
    summary: "n8n has called {{`{{ $value }}`}} executions crashed in the last quarter of an hour."
    description: The list of executions names them. Find what their process died of, and retry each that may run twice.
- alert: N8nQueueLost
  # Redis numbers the jobs. Main may have started again at the same time, with another series.
  expr: |
    resets(max(n8n_tuned_queue_jobs_total{ {{- $ours }}})[15m:30s]) > 0
  labels: { severity: critical, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nqueuelost
    summary: "Redis has lost its data, and the jobs that waited in it."
    description: >-
      {{ include "n8n-tuned.rules.restart" (dict "root" .root "roles" (without $roles "worker")) }}
      ends the wait of callers who would get no answer.
- alert: N8nAnswersLate
  # A process that does not listen asks Redis every five seconds instead. Its probes know nothing of it.
  expr: |
    count(count by (pod) (up{ {{- $ours }}} == 1)) > max(n8n_tuned_queue_listeners{ {{- $ours }}})
  for: 3m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nanswerslate
    summary: "At least one of n8n's {{`{{ $value }}`}} processes does not hear from Redis when an execution ends."
    description: {{ include "n8n-tuned.rules.restart" (dict "root" .root "roles" $roles) }}
{{- end }}
{{- end -}}

{{/* The command that restarts some roles: (dict "root" $ "roles" (list "main")) */}}
{{- define "n8n-tuned.rules.restart" -}}
kubectl --namespace {{ .root.Release.Namespace }} rollout restart deployment
{{- range .roles }}{{ include "n8n-tuned.object" (dict "root" $.root "name" .) | printf " %s" }}{{ end }}
{{- end -}}
