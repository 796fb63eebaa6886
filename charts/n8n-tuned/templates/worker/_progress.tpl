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
- name: progress
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  restartPolicy: Always
  {{- include "n8n-tuned.script" (list .root "files/database.js" "files/progress.js") | nindent 2 }}
  env:
    {{- $redis := include "n8n-tuned.redis.env" .root | fromYaml }}
    {{- $ca := include "n8n-tuned.ca.env" .root | fromYaml }}
    {{- include "n8n-tuned.env.list" (merge $env $redis $ca) | trim | nindent 4 }}
  ports:
    - { name: progress, containerPort: 5690 }
  resources:
    {{- include "n8n-tuned.resources" $given.resources | nindent 4 }}
  securityContext:
    {{- toYaml (include "n8n-tuned.role" . | fromYaml).securityContext | nindent 4 }}
  {{- with include "n8n-tuned.ca.mounts" .root | trim }}
  volumeMounts:
    {{- . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}
