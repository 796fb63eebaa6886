{{/*
Refuses values that cannot work, or would do harm: all at once, each with its name and the fix. A rule is a template
that prints a line if it applies.
*/}}
{{- define "n8n-tuned.refusals" -}}
{{- $found := list -}}
{{- range list "version" "process" "queue" "replicas" "autoscaling" "database" "redis" "runner" "heap" "shutdown"
  "tuning" "extraEnv" "removed" "secrets" "backup" "communityNodes" "binaryData" "smtp" "sso" "ingress"
  "networkPolicy" "monitoring" "loadtest" -}}
  {{- with include (printf "n8n-tuned.refuse.%s" .) $ | trim -}}
    {{- $found = append $found . -}}
  {{- end -}}
{{- end -}}
{{- with $found -}}
  {{- fail (join "\n" . | printf "\n%s") -}}
{{- end -}}
{{- end -}}
