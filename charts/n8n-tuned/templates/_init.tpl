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

{{/*
A pod starts n8n when its database and Redis accept connections, so that n8n does not crash and restart in the meantime.
Migrations run once. Below 2.40 only main migrates: the other roles wait until the database has every migration that
their n8n knows. From 2.40 on, n8n's own lock lets one process migrate. Main then publishes each active workflow when it
first starts after an upgrade, and webhook processors wait for that. After role.wait.seconds n8n starts in any case.
*/}}
{{- define "n8n-tuned.wait.targets" -}}
{{- $root := .root -}}
{{- $onlyMainMigrates := include "n8n-tuned.since" (list $root "2.40.0") | empty -}}
{{- if and (ne .name "main") $onlyMainMigrates (include "n8n-tuned.mysql" $root) }}
{{- /* Its Service leads to main once main is ready, and so has migrated. */}}
- tcp://{{ include "n8n-tuned.object" (dict "root" $root "name" "main") }}:{{ int $root.Values.service.port }}
{{- else if and (ne .name "main") $onlyMainMigrates }}
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

{{/*
Runs before a role's n8n starts: the given key must decrypt the credentials in its database. Otherwise a restored
database whose key is missing would get another key, without any message. Reads only.
*/}}
{{- define "n8n-tuned.checkKey.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- if and .root.Values.encryptionKey.check (not (include "n8n-tuned.mysql" .root)) -}}
- name: check-key
  image: {{ include "n8n-tuned.image" .root }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list .root "files/database.js" "files/check-key.js") | nindent 2 }}
  env:
    {{- include "n8n-tuned.env.list" (include "n8n-tuned.checkKey.env" . | fromYaml) | trim | nindent 4 }}
  {{- with $role.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  # `kubectl describe pod` shows its message.
  terminationMessagePolicy: FallbackToLogsOnError
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.mounts" . | nindent 4 }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.checkKey.env" -}}
{{- $key := include "n8n-tuned.encryptionKey.env" .root | fromYaml -}}
{{- $env := merge (include "n8n-tuned.database.ofRole" . | fromYaml) $key -}}
{{- with (include "n8n-tuned.role" . | fromYaml).extraEnv.N8N_ENCRYPTION_KEY_FILE -}}
  {{- $_ := set $env "N8N_ENCRYPTION_KEY_FILE" . -}}
{{- end -}}
{{- $from := "N8N_ENCRYPTION_KEY" -}}
{{- $remedy := "name a Secret that holds it in encryptionKey.existingSecret" -}}
{{- with include "n8n-tuned.secret.ref" (dict "root" .root "name" "encryption-key") | fromYaml -}}
  {{- $from = printf "Secret %s, key %s" .name .key -}}
  {{- $apply := printf "kubectl apply the saved Secret %s" .name -}}
  {{- $remedy = $.root.Values.encryptionKey.value | empty | ternary $apply "set it in encryptionKey.value" -}}
{{- end -}}
{{- $env = merge $env (dict "KEY_FROM" $from "KEY_REMEDY" $remedy) -}}
{{- if ne .root.Values.database.type "sqlite" -}}
  {{- $_ := set $env "WAIT_SECONDS" ((include "n8n-tuned.role" . | fromYaml).wait.seconds | int | toString) -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}

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
    {{- $env := merge .env (include "n8n-tuned.redis.ofRole" .of | fromYaml) }}
    {{- include "n8n-tuned.env.list" $env | trim | nindent 4 }}
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

{{/*
Restarts a worker that takes no execution while some wait. Only Redis knows that, so a sidecar answers the liveness
probe: as n8n would, unless the queue stands. Pools have queues of their own, which n8n does not tell.
*/}}
{{- define "n8n-tuned.progress" -}}
{{- if and (eq .name "worker") .root.Values.worker.restartStanding.enabled -}}true{{- end -}}
{{- end -}}

{{- define "n8n-tuned.progress.init" -}}
{{- if include "n8n-tuned.progress" . -}}
{{- $given := .root.Values.worker.restartStanding -}}
{{- $env := dict
  "N8N_PORT_OF_WORKER" "5678"
  "PROGRESS_PORT" "5690"
  "STANDS_SECONDS" (int $given.afterSeconds | toString) -}}
{{- include "n8n-tuned.sidecar" (dict
  "of" . "name" "progress" "script" "progress.js" "env" $env "port" 5690 "resources" $given.resources) -}}
{{- end -}}
{{- end -}}

{{/*
Counts executions that n8n calls new or running although the queue has no job for them, and what else tells of losses.
Only the database and Redis together know that, so a sidecar of main asks both.
*/}}
{{- define "n8n-tuned.stuck.init" -}}
{{- $given := .root.Values.monitoring.stuckExecutions -}}
{{- if and (eq .name "main") $given.enabled -}}
{{- $own := dict "STUCK_PORT" "5691" "STUCK_SECONDS" "60" "CRASHED_SECONDS" "900" "LOOK_SECONDS" "30" -}}
{{- $env := merge $own (include "n8n-tuned.database.ofRole" . | fromYaml) -}}
{{- include "n8n-tuned.sidecar" (dict
  "of" . "name" "stuck" "script" "stuck.js" "env" $env "port" 5691 "resources" $given.resources) -}}
{{- end -}}
{{- end -}}
