{{- define "n8n-tuned.refuse.loadtest" -}}
{{- if and .Values.loadtest.enabled (not (.Files.Get "files/n8n-nodes-tuned/package.json")) -}}
loadtest.enabled: Expected the built node package in the chart's files/n8n-nodes-tuned, found none.
  Run `make build` in the project, then render again.
{{- end -}}
{{- if not .Values.loadtest.enabled -}}
{{- if .Values.loadtest.workflows }}
loadtest.workflows: Expected loadtest.enabled beside it: without it nothing is imported. Set both.
{{- end }}
{{- if .Values.loadtest.k6.enabled }}
loadtest.k6.enabled: Expected loadtest.enabled beside it: without it there is nothing to load. Set both.
{{- end }}
{{- end -}}
{{- if .Values.loadtest.enabled -}}
{{- range .Values.loadtest.workflows -}}
{{- if not ($.Files.Get (printf "files/loadtest/workflows/%s.json" .)) }}
loadtest.workflows: Expected the name of a bundled workflow, got {{ . }}, which is not in the chart's
  files/loadtest/workflows. Run `make build`, or name another.
{{- end -}}
{{- end -}}
{{- with .Values.loadtest.k6 -}}
{{- if and .enabled (not ($.Files.Get (printf "files/loadtest/scenarios/%s.ts" .scenario))) }}
loadtest.k6.scenario: Expected the name of a load shape, got {{ .scenario }}, which is not in the chart's
  files/loadtest/scenarios. Run `make build`, or name another.
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
