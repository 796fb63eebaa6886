{{/*
Counts executions that n8n calls new or running although the queue has no job for them, and what else tells of losses.
Only the database and Redis together know that, so a sidecar of main asks both.
*/}}
{{- define "n8n-tuned.stuck.init" -}}
{{- $given := .root.Values.monitoring.stuckExecutions -}}
{{- if and (eq .name "main") $given.enabled -}}
{{- $own := dict "STUCK_PORT" "5691" "STUCK_SECONDS" "60" "CRASHED_SECONDS" "900" "LOOK_SECONDS" "30" -}}
{{- $env := merge $own (include "n8n-tuned.database.ofRole" . | fromYaml) -}}
{{- include "n8n-tuned.sidecar" (dict
  "of" . "name" "stuck" "script" "stuck.js" "env" $env "port" 5691 "resources" $given.resources) -}}
{{- end -}}
{{- end -}}
