{{/*
A pod starts n8n when its database and Redis accept connections, so that n8n does not crash and restart in the meantime.
Migrations run once. Below 2.40 only main migrates: the other roles wait until the database has every migration that
their n8n knows. From 2.40 on, n8n's own lock lets one process migrate. Main then publishes each active workflow when it
first starts after an upgrade, and webhook processors wait for that. After role.wait.seconds n8n starts in any case.
*/}}
{{- define "n8n-tuned.wait.targets" -}}
{{- $root := .root -}}
{{- $onlyMainMigrates := include "n8n-tuned.since" (list $root "2.40.0") | empty -}}
{{- if and (ne .name "main") $onlyMainMigrates }}
- schema
{{- else if and (eq .name "webhook") (include "n8n-tuned.publishes" .) }}
- publication
{{- else if ne $root.Values.database.type "sqlite" }}
- tcp://{{ include "n8n-tuned.database.host" $root }}:{{ include "n8n-tuned.database.port" $root }}
{{- end }}
{{- if eq $root.Values.executions.mode "queue" }}
- tcp://{{ include "n8n-tuned.redis.addresses" $root | fromYamlArray | first }}
{{- end }}
{{- end -}}

{{/* Whether main publishes workflows: a variable that n8n does not document switches that off. */}}
{{- define "n8n-tuned.publishes" -}}
{{- $given := (include "n8n-tuned.role" . | fromYaml).extraEnv.N8N_USE_WORKFLOW_PUBLICATION_SERVICE -}}
{{- ne (toString $given) "false" | ternary "true" "" -}}
{{- end -}}

{{- define "n8n-tuned.wait.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $targets := include "n8n-tuned.wait.targets" . | fromYamlArray -}}
{{- if and $targets (gt (int $role.wait.seconds) 0) -}}
{{- /* Whether it asks the database, and needs all that a connection takes. */ -}}
{{- $asks := or (has "schema" $targets) (has "publication" $targets) -}}
- name: wait
  image: {{ include "n8n-tuned.image" $.root }}
  imagePullPolicy: {{ $.root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list $.root "files/database.js" "files/wait.js") | nindent 2 }}
  env:
    - { name: WAIT_FOR, value: {{ join " " $targets | quote }} }
    - { name: WAIT_SECONDS, value: {{ int $role.wait.seconds | quote }} }
    {{- if $asks }}
    {{- include "n8n-tuned.env.list" (include "n8n-tuned.database.ofRole" . | fromYaml) | trim | nindent 4 }}
    {{- end }}
  {{- if and $asks $role.extraEnvFrom }}
  envFrom:
    {{- toYaml $role.extraEnvFrom | nindent 4 }}
  {{- end }}
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  {{- $mounts := include "n8n-tuned.mounts.given" . | fromYamlArray }}
  {{- if and $asks $mounts }}
  volumeMounts:
    {{- toYaml $mounts | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}
