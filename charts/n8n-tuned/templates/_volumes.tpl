{{/* n8n's folder: (dict "root" $ "name" "main") */}}
{{- define "n8n-tuned.mount.data" -}}
{{- $mount := dict "name" "data" "mountPath" "/home/node/.n8n" -}}
{{- if and .root.Values.persistence.subPath (include "n8n-tuned.persistent" .) -}}
  {{- $_ := set $mount "subPath" .root.Values.persistence.subPath -}}
{{- end -}}
{{- list $mount | toYaml -}}
{{- end -}}

{{/* The folders that n8n writes to; the rest of its file system is read-only. */}}
{{- define "n8n-tuned.mounts" -}}
{{ include "n8n-tuned.mount.data" . }}
- { name: cache, mountPath: /home/node/.cache }
- { name: tmp, mountPath: /tmp }
{{- include "n8n-tuned.ca.mounts" .root }}
{{- include "n8n-tuned.patches.mount" .root }}
{{- include "n8n-tuned.loadtest.mount" .root }}
{{- with (include "n8n-tuned.role" . | fromYaml).extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.volumes" -}}
- name: data
  {{- if include "n8n-tuned.persistent" . }}
  persistentVolumeClaim: { claimName: {{ include "n8n-tuned.claimName" .root }} }
  {{- else }}
  emptyDir: {}
  {{- end }}
- { name: cache, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- include "n8n-tuned.ca.volumes" .root }}
{{- include "n8n-tuned.patches.volume" .root }}
{{- include "n8n-tuned.loadtest.volume" .root }}
{{- include "n8n-tuned.workflows.volume" . }}
{{- include "n8n-tuned.runner.volumes" . }}
{{- with (include "n8n-tuned.role" . | fromYaml).extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
