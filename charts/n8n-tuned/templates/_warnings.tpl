{{/* What is allowed but should be known; NOTES shows it. */}}
{{- define "n8n-tuned.warnings" -}}
{{- $main := dict "root" . "name" "main" -}}
{{- if not .Values.persistence.enabled }}
- persistence.enabled is false: workflows, credentials and the key go with the pod.
{{- else if not (include "n8n-tuned.encryptionKey.secret" .) }}
- The encryption key is in the volume claim {{ include "n8n-tuned.claimName" . }}. Back up the volume, or the key.
{{- end }}
{{- if not (include "n8n-tuned.heap.limit" $main) }}
- main.resources.limits.memory is not set: no heap could be derived from it.
{{- end }}
{{- if has "noPruning" (include "n8n-tuned.tuning.active" . | fromYamlArray) }}
- Successful executions are not saved, and failed ones stay until you delete them (tuning.discardSuccess, tuning.noPruning).
{{- end }}
{{- if and .Values.ingress.enabled .Values.monitoring.enabled }}
- The ingress also routes /metrics. Have your ingress controller refuse it.
{{- end }}
{{- if .Values.loadtest.enabled }}
- loadtest.enabled loads a node that burns CPU and memory at will. Not for production.
{{- end }}
{{- end -}}
