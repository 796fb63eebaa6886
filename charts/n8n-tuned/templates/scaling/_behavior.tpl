{{/* Adds pods at once and removes them slowly: a removed pod has executions to finish, and a peak may return. */}}
{{- define "n8n-tuned.scaling.behavior" -}}
{{- if .behavior }}
{{- toYaml .behavior }}
{{- else -}}
scaleUp:
  stabilizationWindowSeconds: 0
  policies: [{ type: Percent, value: 100, periodSeconds: 15 }, { type: Pods, value: 2, periodSeconds: 15 }]
  selectPolicy: Max
scaleDown:
  stabilizationWindowSeconds: {{ int .scaleDownSeconds }}
  policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end }}
{{- end -}}
