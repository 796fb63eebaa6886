{{/* Variables that a later n8n no longer reads: since when, and what to do instead. */}}
{{- define "n8n-tuned.removed" -}}
N8N_MIGRATE_FS_STORAGE_PATH:
  since: 3.0.0
  instead: Leave it out, or name the folder that n8n should keep in N8N_STORAGE_PATH.
N8N_DB_PING_TIMEOUT:
  since: 3.0.0
  instead: Set DB_PING_TIMEOUT_MS.
OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS:
  since: 3.0.0
  instead: >-
    Leave it out: in queue mode workers always run manual executions, in the memory of worker.resources.
{{- end -}}

{{- define "n8n-tuned.refuse.removed" -}}
{{- $three := include "n8n-tuned.since" (list . "3.0.0") -}}
{{- $version := include "n8n-tuned.version" . -}}
{{- range $name := include "n8n-tuned.roles" . | fromYamlArray -}}
{{- $role := include "n8n-tuned.role" (dict "root" $ "name" $name) | fromYaml -}}
{{- range $variable, $removed := include "n8n-tuned.removed" $ | fromYaml -}}
{{- if and (hasKey $role.extraEnv $variable) (include "n8n-tuned.since" (list $ $removed.since)) }}
{{ $name }}.extraEnv.{{ $variable }}: Expected nothing for n8n {{ $version }}, which no longer reads it.
  {{ $removed.instead }}
{{- end }}
{{- end }}
{{- if and $three (eq "default" (toString $role.extraEnv.N8N_DEFAULT_BINARY_DATA_MODE)) }}
{{ $name }}.extraEnv.N8N_DEFAULT_BINARY_DATA_MODE: Expected filesystem, s3, azure or database for n8n {{ $version }},
  got default, binary data in memory, which n8n 3.0 removed. Choose one of them.
{{- end }}
{{- range $role.extraVolumeMounts }}
{{- if and $three (eq .mountPath "/home/node/.n8n/binaryData") (not $role.extraEnv.N8N_STORAGE_PATH) }}
{{ $name }}.extraVolumeMounts: Expected /home/node/.n8n/storage for n8n {{ $version }}, got {{ .mountPath }}: n8n 3.0
  renamed the folder and does not start with both.
  Mount it there, or set N8N_STORAGE_PATH in {{ $name }}.extraEnv to {{ .mountPath }}.
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
