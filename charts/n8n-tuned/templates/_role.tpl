{{/* The settings of a role: its own over those of `role`. (dict "root" $ "name" "main") */}}
{{- define "n8n-tuned.role" -}}
{{- mergeOverwrite (deepCopy .root.Values.role) (deepCopy (index .root.Values .name)) | toYaml -}}
{{- end -}}
