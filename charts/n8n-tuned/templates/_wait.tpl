{{/*
Migrations run once: the other roles start when a main of their n8n version is
ready, main when its database and Redis accept connections. Nothing crashes and
backs off meanwhile.
*/}}
{{- define "n8n-tuned.wait.targets" -}}
{{- $root := .root -}}
{{- $queue := eq $root.Values.executions.mode "queue" -}}
{{- if ne .name "main" }}
- http://{{ include "n8n-tuned.object" (dict "root" $root "name" "schema") }}:5678{{ include "n8n-tuned.ready" $root }}
{{- else if ne $root.Values.database.type "sqlite" }}
- tcp://{{ include "n8n-tuned.database.host" $root }}:{{ include "n8n-tuned.database.port" $root }}
{{- end }}
{{- if $queue }}
- tcp://{{ include "n8n-tuned.redis.addresses" $root | fromYamlArray | first }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.wait.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- with include "n8n-tuned.wait.targets" . | fromYamlArray -}}
- name: wait
  image: {{ include "n8n-tuned.image" $.root }}
  imagePullPolicy: {{ $.root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list $.root "files/wait.js") | nindent 2 }}
  env:
    - { name: WAIT_FOR, value: {{ join " " . | quote }} }
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
{{- end -}}
{{- end -}}
