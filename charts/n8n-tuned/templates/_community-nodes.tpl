{{/*
Community nodes from the values, on every role. An init container installs them into n8n's folder: main's volume, or a
folder that is deleted with the pod. It runs no code of theirs, because install scripts are off.
*/}}
{{- define "n8n-tuned.communityNodes.init" -}}
{{- if .root.Values.communityNodes.packages -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
- name: community-nodes
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list .root "files/community-nodes.js") | nindent 2 }}
  env:
    {{- include "n8n-tuned.env.list" (include "n8n-tuned.communityNodes.npm" . | fromYaml) | trim | nindent 4 }}
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.mounts" . | nindent 4 }}
{{- end -}}
{{- end -}}

{{/* npm's environment: from n8n's, only proxies, authorities and npm's own variables. */}}
{{- define "n8n-tuned.communityNodes.npm" -}}
{{- with .root.Values.communityNodes }}
PACKAGES: {{ join " " .packages | quote }}
NPM_CONFIG_CACHE: /tmp/npm
{{- with .registry }}
NPM_CONFIG_REGISTRY: {{ quote . }}
{{- end }}
{{- end }}
{{- include "n8n-tuned.ca.env" .root }}
{{- range $name, $value := (include "n8n-tuned.role" . | fromYaml).extraEnv }}
{{- if regexMatch "(?i)^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_.*)$" $name }}
{{ $name }}: {{ toJson $value }}
{{- end }}
{{- end }}
{{- end -}}

{{/* n8n 3 loads only packages that n8n has verified, unless this allows others. */}}
{{- define "n8n-tuned.communityNodes.env" -}}
{{- $packages := or .Values.communityNodes.packages .Values.loadtest.enabled -}}
{{- if and $packages (include "n8n-tuned.since" (list . "3.0.0")) -}}
N8N_UNVERIFIED_PACKAGES_ENABLED: "true"
{{- end -}}
{{- end -}}
