{{- define "n8n-tuned.refuse.process" -}}
{{- if and (eq .Values.executions.process "own") (include "n8n-tuned.since" (list . "1.27.0")) -}}
executions.process: Expected "main" or nothing for n8n {{ include "n8n-tuned.version" . }}, got "own", with which it
  would exit without a message: 1.27 removed it.
  Executions are isolated by queue mode with workers, or by external task runners.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.queue" -}}
{{- if eq .Values.executions.mode "queue" -}}
{{- if eq .Values.database.type "sqlite" }}
database.type: Expected "external" or "embedded" in queue mode, got "sqlite", a file that only one process can use.
  Set it to a PostgreSQL, or executions.mode to regular.
{{- end }}
{{- if eq (include "n8n-tuned.replicas.max" (dict "root" . "name" "worker")) "0" }}
worker.replicas: Expected at least 1 in queue mode, got 0: executions would wait for ever.
  Raise it, or set executions.mode to regular.
{{- end }}
{{- if .Values.worker.pools }}
{{- if not (include "n8n-tuned.since" (list . "2.39.0")) }}
worker.pools: Expected n8n 2.39.0 or later, got {{ include "n8n-tuned.version" . }}, which has none.
  Use a later image, or leave them out.
{{- end }}
{{- if not .Values.license.existingSecret.name }}
worker.pools: Expected a licence beside them: without one, a worker of a pool ends.
  Name its Secret in license.existingSecret, or raise worker.replicas instead.
{{- end }}
{{- end }}
{{- if eq .Values.executions.process "own" }}
executions.process: Expected "main" or nothing in queue mode, got "own".
  Workers separate executions from main; leave it out.
{{- end }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.replicas" -}}
{{- if include "n8n-tuned.multiMain" . -}}
{{- $got := include "n8n-tuned.replicas.max" (dict "root" . "name" "main") -}}
{{- if ne .Values.executions.mode "queue" -}}
main.replicas: Expected 0 or 1, got {{ $got }}: two mains would each run every schedule, on one volume.
  Raise main.resources instead, or set executions.mode to queue.
{{- else if not .Values.license.existingSecret.name -}}
main.replicas: Expected 0 or 1 without a licence, got {{ $got }}: each would run every schedule.
  Name the licence's Secret in license.existingSecret, or raise worker.replicas and webhook.replicas instead.
{{- else if not (include "n8n-tuned.since" (list . "1.27.0")) -}}
main.replicas: Expected 0 or 1 for n8n {{ include "n8n-tuned.version" . }}, got {{ $got }}: it cannot have several.
  Use a later image.
{{- end -}}
{{- end -}}
{{- $volume := and .Values.persistence.inQueueMode (not (has "ReadWriteMany" .Values.persistence.accessModes)) -}}
{{- if and $volume (eq .Values.executions.mode "queue") (include "n8n-tuned.multiMain" .) }}
persistence.inQueueMode: Expected accessModes [ReadWriteMany] for several mains,
  got {{ toJson .Values.persistence.accessModes }}: only one would start. Set them, or main.replicas to 1.
{{- end }}
{{- if and (or $volume (eq .Values.executions.mode "regular")) (eq .Values.main.strategy "RollingUpdate") }}
main.strategy: Expected "Recreate" or nothing in regular mode and with persistence.inQueueMode, got "RollingUpdate":
  two pods would share one volume. Leave it out.
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.refuse.autoscaling" -}}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- $role := dict "root" $ "name" $name -}}
{{- with (include "n8n-tuned.role" $role | fromYaml).autoscaling }}
{{- if and (ne .by "none") (gt (int .min) (int .max)) }}
{{ $name }}.autoscaling.min: Expected at most autoscaling.max = {{ int .max }}, got {{ int .min }}.
  Change one of the two.
{{- end }}
{{- if and (eq .by "queue") (ne $name "worker") }}
{{ $name }}.autoscaling.by: Expected "cpu" or "none", got "queue": only workers take from the queue.
  Set it only for worker.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
