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

{{/* Only certificates and the mounts of the values: for containers that connect as n8n does. */}}
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

{{/*
Certificate authorities that Node must trust beside the public ones. Node reads only one file: a single source is
mounted directly, several are put together by an init container. A map of volume names to {key, volume}.
*/}}
{{- define "n8n-tuned.ca.sources" -}}
{{- with include "n8n-tuned.redis.ca" . }}
redis-ca: { key: {{ quote $.Values.redis.tls.caSecret.key }}, volume: { secret: { secretName: {{ quote . }} } } }
{{- end }}
{{- with .Values.customCA.secret }}
{{- if .name }}
custom-ca: { key: {{ quote .key }}, volume: { secret: { secretName: {{ quote .name }} } } }
{{- end }}
{{- end }}
{{- with .Values.customCA.configMap }}
{{- if .name }}
custom-ca-map: { key: {{ quote .key }}, volume: { configMap: { name: {{ quote .name }} } } }
{{- end }}
{{- end }}
{{- end -}}

{{/* "true" if there are more authorities to trust than that of Redis. */}}
{{- define "n8n-tuned.ca.custom" -}}
{{- if or .Values.customCA.secret.name .Values.customCA.configMap.name -}}true{{- end -}}
{{- end -}}

{{/* The path of the one file; empty if there is nothing to trust. */}}
{{- define "n8n-tuned.ca.file" -}}
{{- $sources := include "n8n-tuned.ca.sources" . | fromYaml -}}
{{- if gt (len $sources) 1 -}}
  /etc/n8n-tuned/ca/ca.crt
{{- else -}}
  {{- range $name, $source := $sources -}}/etc/n8n-tuned/{{ $name }}/{{ $source.key }}{{- end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.ca.env" -}}
{{- with include "n8n-tuned.ca.file" . }}
# Node still trusts its own certificates beside this file.
NODE_EXTRA_CA_CERTS: {{ . }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.ca.mounts" -}}
{{- $sources := include "n8n-tuned.ca.sources" . | fromYaml }}
{{- range $name, $_ := $sources }}
- { name: {{ $name }}, mountPath: /etc/n8n-tuned/{{ $name }}, readOnly: true }
{{- end }}
{{- if gt (len $sources) 1 }}
- { name: ca, mountPath: /etc/n8n-tuned/ca }
{{- end }}
{{- end -}}

{{- define "n8n-tuned.ca.volumes" -}}
{{- $sources := include "n8n-tuned.ca.sources" . | fromYaml }}
{{- range $name, $source := $sources }}
- {{ merge (dict "name" $name) $source.volume | toJson }}
{{- end }}
{{- if gt (len $sources) 1 }}
- { name: ca, emptyDir: {} }
{{- end }}
{{- end -}}
