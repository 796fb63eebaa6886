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

{{- define "n8n-tuned.ca.init" -}}
{{- $sources := include "n8n-tuned.ca.sources" .root | fromYaml -}}
{{- if gt (len $sources) 1 -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
- name: ca
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command:
    - sh
    - -ec
    # A certificate may end without a line break.
    - for file; do cat "$file"; echo; done >{{ include "n8n-tuned.ca.file" .root }}
    - ca
    {{- range $name, $source := $sources }}
    - /etc/n8n-tuned/{{ $name }}/{{ $source.key }}
    {{- end }}
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.ca.mounts" .root | trim | nindent 4 }}
{{- end -}}
{{- end -}}
