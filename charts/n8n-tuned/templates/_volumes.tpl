{{/* n8n's folder: (dict "root" $ "name" "main") */}}
{{- define "n8n-tuned.mount.data" -}}
{{- $mount := dict "name" "data" "mountPath" "/home/node/.n8n" -}}
{{- if and .root.Values.persistence.subPath (include "n8n-tuned.persistent" .) -}}
  {{- $_ := set $mount "subPath" .root.Values.persistence.subPath -}}
{{- end -}}
{{- list $mount | toYaml -}}
{{- end -}}

{{/*
What a role's containers mount. First the folders that n8n writes to; the rest of its file system is read-only. A mount
or a volume of the values takes the place of the chart's at the same path, or of the same name.
*/}}
{{- define "n8n-tuned.mounts" -}}
{{- $ours := list
  (include "n8n-tuned.mount.data" .)
  "- { name: cache, mountPath: /home/node/.cache }"
  "- { name: tmp, mountPath: /tmp }"
  (include "n8n-tuned.ca.mounts" .root)
  (include "n8n-tuned.patches.mount" .root)
  (include "n8n-tuned.loadtest.mount" .root) | join "\n" | fromYamlArray -}}
{{- include "n8n-tuned.role.list" (list $ours (include "n8n-tuned.role" . | fromYaml).extraVolumeMounts "mountPath") -}}
{{- end -}}

{{/* Only certificates and the mounts of the values: for containers that connect as n8n does, and need none of its files. */}}
{{- define "n8n-tuned.mounts.given" -}}
{{- $ours := include "n8n-tuned.ca.mounts" .root | fromYamlArray -}}
{{- include "n8n-tuned.role.list" (list $ours (include "n8n-tuned.role" . | fromYaml).extraVolumeMounts "mountPath") -}}
{{- end -}}

{{- define "n8n-tuned.volumes" -}}
{{- $data := dict "emptyDir" dict -}}
{{- if include "n8n-tuned.persistent" . -}}
  {{- $data = dict "persistentVolumeClaim" (dict "claimName" (include "n8n-tuned.claimName" .root)) -}}
{{- end -}}
{{- $ours := list
  (list (merge (dict "name" "data") $data) | toYaml)
  "- { name: cache, emptyDir: {} }"
  "- { name: tmp, emptyDir: {} }"
  (include "n8n-tuned.ca.volumes" .root)
  (include "n8n-tuned.patches.volume" .root)
  (include "n8n-tuned.loadtest.volume" .root)
  (include "n8n-tuned.workflows.volume" .)
  (include "n8n-tuned.runner.volumes" .) | join "\n" | fromYamlArray -}}
{{- include "n8n-tuned.role.list" (list $ours (include "n8n-tuned.role" . | fromYaml).extraVolumes "name") -}}
{{- end -}}
