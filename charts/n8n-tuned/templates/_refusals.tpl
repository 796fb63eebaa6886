{{/*
Refuses values that cannot work, or would do harm: all at once, each with its name and the fix. A rule is a template
that prints a message if it applies. The further lines of a message are indented.
*/}}
{{- define "n8n-tuned.refusals" -}}
{{- $found := list -}}
{{- range list "version" "process" "queue" "replicas" "autoscaling" "database" "redis" "runner" "heap" "shutdown"
  "tuning" "extraEnv" "removed" "secrets" "backup" "communityNodes" "binaryData" "smtp" "sso" "ingress"
  "networkPolicy" "monitoring" "loadtest" -}}
  {{- with include (printf "n8n-tuned.refuse.%s" .) $ | trim | include "n8n-tuned.joined" -}}
    {{- $found = append $found . -}}
  {{- end -}}
{{- end -}}
{{- with $found -}}
  {{- fail (join "\n" . | printf "\n%s") -}}
{{- end -}}
{{- end -}}

{{/* Messages, each on one line: an indented line continues the one before it. */}}
{{- define "n8n-tuned.joined" -}}
{{- regexReplaceAll "\n +" . " " -}}
{{- end -}}
