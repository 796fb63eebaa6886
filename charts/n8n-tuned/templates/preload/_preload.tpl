{{/*
Settings that n8n has no variable for: a few lines of files/preload that Node loads
before n8n, each named as its setting.
*/}}
{{- define "n8n-tuned.preload.name" -}}
{{- include "n8n-tuned.object" (dict "root" . "name" "preload") -}}
{{- end -}}

{{/* The names of those in force, as a YAML list. */}}
{{- define "n8n-tuned.preload.active" -}}
{{- $table := include "n8n-tuned.tuning.table" . | fromYaml -}}
{{- $active := list -}}
{{- range include "n8n-tuned.tuning.active" . | fromYamlArray -}}
  {{- if (index $table .).preload -}}
    {{- $active = append $active . -}}
  {{- end -}}
{{- end -}}
{{- toYaml $active -}}
{{- end -}}

{{- define "n8n-tuned.preload.flags" -}}
{{- range $index, $name := include "n8n-tuned.preload.active" . | fromYamlArray -}}
{{- if $index }} {{ end }}--require /opt/n8n-tuned/preload/{{ $name }}.js
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.preload.data" -}}
{{- range include "n8n-tuned.preload.active" . | fromYamlArray }}
{{ . }}.js: |
  {{- $.Files.Get (printf "files/preload/%s.js" .) | trim | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Node reads them once, at its start: other files need another pod. */}}
{{- define "n8n-tuned.preload.checksum" -}}
{{- with include "n8n-tuned.preload.data" . -}}
checksum/preload: {{ sha256sum . }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.preload.mount" -}}
{{- if include "n8n-tuned.preload.flags" . }}
- { name: preload, mountPath: /opt/n8n-tuned/preload, readOnly: true }
{{- end }}
{{- end -}}

{{- define "n8n-tuned.preload.volume" -}}
{{- if include "n8n-tuned.preload.flags" . }}
- name: preload
  configMap: { name: {{ include "n8n-tuned.preload.name" . }} }
{{- end }}
{{- end -}}
