{{/*
Restarts a worker that takes no execution while some wait. Only Redis knows that, so a sidecar answers the liveness
probe: as n8n would, unless the queue stands. Pools have queues of their own, which n8n does not tell.
*/}}
{{- define "n8n-tuned.progress" -}}
{{- if and (eq .name "worker") .root.Values.worker.restartStanding.enabled -}}true{{- end -}}
{{- end -}}

{{- define "n8n-tuned.progress.init" -}}
{{- if include "n8n-tuned.progress" . -}}
{{- $given := .root.Values.worker.restartStanding -}}
{{- $env := dict
  "N8N_PORT_OF_WORKER" "5678"
  "PROGRESS_PORT" "5690"
  "STANDS_SECONDS" (int $given.afterSeconds | toString) -}}
{{- include "n8n-tuned.sidecar" (dict
  "of" . "name" "progress" "script" "progress.js" "env" $env "port" 5690 "resources" $given.resources) -}}
{{- end -}}
{{- end -}}
