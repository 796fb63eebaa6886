{{/*
The alerts of what operators lose sight of, in either mode:
(dict "root" $ "ours" its-labels "labels" what-they-carry "runbooks" their-address)
*/}}
{{- define "n8n-tuned.rules.operations" -}}
{{- $ours := .ours -}}
{{- $root := .root -}}
{{- $answers := printf "n8n_webhook_request_duration_seconds_count{ %s" $ours -}}
- alert: N8nExecutionsFail
  # Each execution ends on one process, so what both counters miss or count twice is the same for both.
  expr: |
    sum by (namespace, release) (increase(n8n_workflow_failed_total{ {{- $ours }}}[15m])) >= 5
    and
    sum by (namespace, release) (increase(n8n_workflow_failed_total{ {{- $ours }}}[15m]))
    > 0.1 * (
      sum by (namespace, release) (increase(n8n_workflow_failed_total{ {{- $ours }}}[15m]))
      + sum by (namespace, release) (increase(n8n_workflow_success_total{ {{- $ours }}}[15m]) or n8n_workflow_failed_total * 0)
    )
  for: 5m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nexecutionsfail
    summary: "{{`{{ printf \"%.0f\" $value }}`}} executions failed within a quarter of an hour, over a tenth of all."
    description: The list of executions names them, by its filter for errors.
{{- if include "n8n-tuned.since" (list $root "2.28.5") }}
- alert: N8nWorkflowFails
  # Of webhooks that answer when the execution ends. An hour before it was well.
  expr: |
    sum by (namespace, release, workflow_id) (increase({{ $answers }}, status_code=~"5.."}[10m])) >= 5
    and
    sum by (namespace, release, workflow_id) (increase({{ $answers }}, status_code=~"5.."}[10m]))
    > 0.5 * sum by (namespace, release, workflow_id) (increase({{ $answers }}}[10m]))
    unless
    sum by (namespace, release, workflow_id) (increase({{ $answers }}, status_code=~"5.."}[10m] offset 1h))
    > 0.5 * sum by (namespace, release, workflow_id) (increase({{ $answers }}}[10m] offset 1h))
  for: 2m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nworkflowfails
    summary: "The workflow {{`{{ $labels.workflow_id }}`}} began to fail within the last hour."
    description: Look at its last execution that failed, and at what was changed in the last hour.
- alert: N8nWebhooksNotFound
  expr: sum by (namespace, release) (increase({{ $answers }}, status_code="404"}[10m])) >= 10
  for: 5m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nwebhooksnotfound
    summary: "{{`{{ printf \"%.0f\" $value }}`}} webhooks were answered 404 within ten minutes."
    description: A workflow that others call is not active, or they call a path or method that it does not have.
{{- end }}
{{- if include "n8n-tuned.since" (list $root "2.0.0") }}
- alert: N8nRunnersFull
  # n8n counts a task when it gets a slot, so the difference is the slots in use, and what was lost since the process
  # began. That is the least of a day.
  expr: |
    {{- range $index, $name := without (include "n8n-tuned.roles" $root | fromYamlArray) "webhook" }}
    {{- $of := printf "{ %s, role=%q}" $ours $name }}
    {{- $used := printf "(n8n_runner_task_requested_total%s - n8n_runner_response_received_total%s)" $of $of }}
    {{ if $index }}or {{ end }}max by (namespace, pod, role) (
      {{ $used }} - min_over_time({{ $used }}[1d:1m])
    ) >= {{ include "n8n-tuned.runner.slots" (dict "root" $root "name" $name) }}
    {{- end }}
  for: 2m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nrunnersfull
    summary: "{{`{{ $labels.pod }}`}} has used all slots of its task runner for two minutes."
    description: >-
      Code nodes wait, and fail with "Task request timed out" after a minute. Raise runner.concurrency where code waits,
      or CPU and replicas where it computes.
{{- end }}
{{- if include "n8n-tuned.scheduler.durable" $root }}
- alert: N8nScheduleLate
  expr: |
    max by (namespace, release) (n8n_scheduler_oldest_pending_age_seconds{ {{- $ours }}}) > 60
    or sum by (namespace, release) (increase(n8n_scheduler_occurrences_missed_total{ {{- $ours }}}[15m])) > 0
    or sum by (namespace, release) (increase(n8n_scheduler_tasks_dead_lettered_total{ {{- $ours }}}[15m])) > 0
  for: 1m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nschedulelate
    summary: "Runs of schedules are over a minute late, or were given up."
    description: Look whether main is up and has CPU to spare, and how many schedules are due in the same second.
{{- end }}
{{- if $root.Values.backup.enabled }}
{{- $cron := printf "namespace=%q, cronjob=%q" $root.Release.Namespace (include "n8n-tuned.backup.name" (dict "root" $root "name" "backup")) }}
- alert: N8nBackupFailed
  # The one that was due seven hours ago has had all the time that it may take.
  expr: |
    time() - kube_cronjob_status_last_schedule_time{ {{- $cron }}} > 25200
    unless kube_cronjob_status_last_successful_time{ {{- $cron }}} >= kube_cronjob_status_last_schedule_time{ {{- $cron }}}
  labels: { severity: critical, release: {{ $root.Release.Name }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nbackupfailed
    summary: "The last backup that was due did not succeed."
    description: kubectl --namespace {{ $root.Release.Namespace }} get jobs --selector app.kubernetes.io/component=backup
{{- end }}
{{- $volumes := printf "namespace=%q, persistentvolumeclaim=~%q" $root.Release.Namespace (printf "%s-.*" (include "n8n-tuned.fullname" $root)) }}
- alert: N8nVolumeFills
  # SQLite, files of executions, or the PostgreSQL of the chart: full soon, or in a week as it grows.
  expr: |
    kubelet_volume_stats_available_bytes{ {{- $volumes }}} / kubelet_volume_stats_capacity_bytes{ {{- $volumes }}} < 0.1
    or (
      predict_linear(kubelet_volume_stats_available_bytes{ {{- $volumes }}}[1d], 604800) < 0
      and kubelet_volume_stats_available_bytes{ {{- $volumes }}} / kubelet_volume_stats_capacity_bytes{ {{- $volumes }}} < 0.4
    )
  for: 15m
  labels: { severity: critical, release: {{ $root.Release.Name }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nvolumefills
    summary: "{{`{{ $labels.persistentvolumeclaim }}`}} is nearly full, or will be within a week."
    description: Keep fewer executions (EXECUTIONS_DATA_MAX_AGE), or enlarge the claim. n8n stops writing when it is full.
{{- end -}}
