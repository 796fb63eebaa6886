{{/*
A sidecar that runs a script of the chart and looks into n8n's queue: (dict "of" the-role "name" its-name
"script" "x.js" "env" more-variables "port" its-port "resources" its-resources).
*/}}
{{- define "n8n-tuned.sidecar" -}}
{{- $root := .of.root -}}
{{- $role := include "n8n-tuned.role" .of | fromYaml -}}
- name: {{ .name }}
  image: {{ include "n8n-tuned.image" $root }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  restartPolicy: Always
  {{- $scripts := list "files/database.js" "files/redis.js" (printf "files/%s" .script) }}
  {{- include "n8n-tuned.script" (prepend $scripts $root) | nindent 2 }}
  env:
    {{- include "n8n-tuned.env.list" (merge .env (include "n8n-tuned.redis.ofRole" .of | fromYaml)) | trim | nindent 4 }}
  {{- with $role.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - { name: {{ .name }}, containerPort: {{ .port }} }
  resources:
    {{- include "n8n-tuned.resources" .resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  {{- with include "n8n-tuned.mounts.given" .of | fromYamlArray }}
  volumeMounts:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
