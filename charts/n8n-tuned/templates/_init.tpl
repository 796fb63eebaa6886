{{/*
A container that runs a command or scripts of the chart in n8n's image: (dict "of" the-role "name" its-name "scripts"
(list "files/…") "env" a-map "mounts" a-list "reads" whether it reads the Secrets that n8n reads), with "resources" if
they are not the role's, and "more" fields.
*/}}
{{- define "n8n-tuned.helper" -}}
{{- $root := .of.root -}}
{{- $role := include "n8n-tuned.role" .of | fromYaml -}}
- name: {{ .name }}
  image: {{ include "n8n-tuned.image" $root | quote }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  {{- with .more }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .scripts }}
  {{- include "n8n-tuned.script" (prepend . $root) | nindent 2 }}
  {{- end }}
  {{- with .env }}
  env:
    {{- include "n8n-tuned.env.list" . | trim | nindent 4 }}
  {{- end }}
  {{- if .reads }}
  {{- with $role.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- end }}
  resources:
    {{- include "n8n-tuned.resources" (default $role.resources .resources) | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  {{- with .mounts }}
  volumeMounts:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* Puts several authorities into the one file that Node reads. A certificate may end without a line break. */}}
{{- define "n8n-tuned.ca.init" -}}
{{- $sources := include "n8n-tuned.ca.sources" .root | fromYaml -}}
{{- if gt (len $sources) 1 -}}
{{- $together := printf "for file; do cat \"$file\"; echo; done >%s" (include "n8n-tuned.ca.file" .root) -}}
{{- $command := list "sh" "-ec" $together "ca" -}}
{{- range $name, $source := $sources -}}
  {{- $command = append $command (printf "/etc/n8n-tuned/%s/%s" $name $source.key) -}}
{{- end -}}
{{- include "n8n-tuned.helper" (dict "of" . "name" "ca" "more" (dict "command" $command)
  "mounts" (include "n8n-tuned.ca.mounts" .root | fromYamlArray)) -}}
{{- end -}}
{{- end -}}

{{/*
A pod starts n8n when its database and Redis accept connections, so that n8n does not crash and restart in the meantime.
Migrations run once. Below 2.40 only main migrates: the other roles wait until the database has every migration that
their n8n knows. From 2.40 on, n8n's own lock lets one process migrate. Main then publishes each active workflow when it
first starts after an upgrade, and webhook processors wait for that. After role.wait.seconds n8n starts in any case.
*/}}
{{- define "n8n-tuned.wait.init" -}}
{{- $root := .root -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $waitsForMain := and (ne .name "main") (not (include "n8n-tuned.since" (list $root "2.40.0"))) -}}
{{- /* Whether main publishes workflows: this variable, which n8n does not document, switches that off. */ -}}
{{- $publishes := ne (toString $role.extraEnv.N8N_USE_WORKFLOW_PUBLICATION_SERVICE) "false" -}}
{{- /* Whether it asks the database, and needs all that a connection takes. */ -}}
{{- $asks := true -}}
{{- $targets := list -}}
{{- if and $waitsForMain (not (include "n8n-tuned.mysql" $root)) -}}
  {{- $targets = list "schema" -}}
{{- else if and (eq .name "webhook") $publishes (not $waitsForMain) -}}
  {{- $targets = list "publication" -}}
{{- else -}}
  {{- $asks = false -}}
  {{- $host := include "n8n-tuned.database.host" $root -}}
  {{- $at := include "n8n-tuned.address" (list $host (include "n8n-tuned.database.port" $root)) -}}
  {{- with $role.extraEnv.DB_POSTGRESDB_PORT -}}
    {{- $at = regexReplaceAll "[0-9]+$" $at "$$(DB_POSTGRESDB_PORT)" -}}
  {{- end -}}
  {{- if $waitsForMain -}}
    {{- /* Its Service leads to main once main is ready, and so has migrated. */ -}}
    {{- $main := include "n8n-tuned.object" (dict "root" $root "name" "main") -}}
    {{- $at = printf "%s:%d" $main (int $root.Values.service.port) -}}
  {{- end -}}
  {{- if ne $root.Values.database.type "sqlite" -}}{{- $targets = list (printf "tcp://%s" $at) -}}{{- end -}}
{{- end -}}
{{- if eq $root.Values.executions.mode "queue" -}}
  {{- $redis := include "n8n-tuned.redis.addresses" $root | fromYamlArray | first -}}
  {{- $targets = append $targets (printf "tcp://%s" $redis) -}}
{{- end -}}
{{- if and $targets (gt (int $role.wait.seconds) 0) -}}
{{- $env := dict "WAIT_FOR" (join " " $targets) "WAIT_SECONDS" $role.wait.seconds -}}
{{- $mounts := list -}}
{{- with $role.extraEnv.DB_POSTGRESDB_PORT }}{{- $_ := set $env "DB_POSTGRESDB_PORT" . }}{{- end -}}
{{- if $asks -}}
  {{- $env = merge $env (include "n8n-tuned.database.ofRole" . | fromYaml) -}}
  {{- $mounts = include "n8n-tuned.mounts.given" . | fromYamlArray -}}
{{- end -}}
{{- include "n8n-tuned.helper" (dict "of" . "name" "wait" "scripts" (list "files/database.js" "files/wait.js")
  "env" $env "reads" $asks "mounts" $mounts) -}}
{{- end -}}
{{- end -}}

{{/*
Runs before a role's n8n starts: the given key must decrypt the credentials in its database. Otherwise a restored
database whose key is missing would get another key, without any message. Reads only. `kubectl describe pod` shows what
it says.
*/}}
{{- define "n8n-tuned.checkKey.init" -}}
{{- if and .root.Values.encryptionKey.check (not (include "n8n-tuned.mysql" .root)) -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- $key := include "n8n-tuned.encryptionKey.env" .root | fromYaml -}}
{{- $env := merge (include "n8n-tuned.database.ofRole" . | fromYaml) $key -}}
{{- with $role.extraEnv.N8N_ENCRYPTION_KEY_FILE -}}
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
{{- if ne .root.Values.database.type "sqlite" -}}{{- $_ := set $env "WAIT_SECONDS" $role.wait.seconds -}}{{- end -}}
{{- include "n8n-tuned.helper" (dict "of" . "name" "check-key"
  "scripts" (list "files/database.js" "files/check-key.js") "env" $env "reads" true
  "more" (dict "terminationMessagePolicy" "FallbackToLogsOnError")
  "mounts" (include "n8n-tuned.mounts" . | fromYamlArray)) -}}
{{- end -}}
{{- end -}}

{{/*
Community nodes from the values, on every role. An init container installs them into n8n's folder: main's volume, or a
folder that is deleted with the pod. It runs no code of theirs, because install scripts are off. Of n8n's environment
npm gets only proxies, authorities and its own variables.
*/}}
{{- define "n8n-tuned.communityNodes.init" -}}
{{- $given := .root.Values.communityNodes -}}
{{- if $given.packages -}}
{{- $env := include "n8n-tuned.ca.env" .root | fromYaml -}}
{{- range $name, $value := (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
  {{- if regexMatch "(?i)^(https?_proxy|no_proxy|node_extra_ca_certs|npm_config_.*)$" $name -}}
    {{- $_ := set $env $name $value -}}
  {{- end -}}
{{- end -}}
{{- $own := dict "PACKAGES" (join " " $given.packages) "NPM_CONFIG_CACHE" "/tmp/npm" -}}
{{- with $given.registry -}}{{- $_ := set $own "NPM_CONFIG_REGISTRY" . -}}{{- end -}}
{{- include "n8n-tuned.helper" (dict "of" . "name" "community-nodes" "scripts" (list "files/community-nodes.js")
  "env" (merge $env $own) "mounts" (include "n8n-tuned.mounts" . | fromYamlArray)) -}}
{{- end -}}
{{- end -}}

{{/*
A sidecar that runs a script of the chart and looks into n8n's queue: (dict "of" the-role "name" its-name
"script" "files/x.js" "env" more-variables "port" its-port "resources" its-resources).
*/}}
{{- define "n8n-tuned.sidecar" -}}
{{- $ports := list (dict "name" .name "containerPort" .port) -}}
{{- include "n8n-tuned.helper" (dict "of" .of "name" .name
  "scripts" (list "files/database.js" "files/redis.js" .script)
  "env" (merge .env (include "n8n-tuned.redis.ofRole" .of | fromYaml)) "reads" true "resources" .resources
  "more" (dict "restartPolicy" "Always" "ports" $ports)
  "mounts" (include "n8n-tuned.mounts.given" .of | fromYamlArray)) -}}
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
{{- $env := dict "N8N_PORT_OF_WORKER" "5678" "PROGRESS_PORT" "5690" "STANDS_SECONDS" $given.afterSeconds -}}
{{- include "n8n-tuned.sidecar" (dict
  "of" . "name" "progress" "script" "files/progress.js" "env" $env "port" 5690 "resources" $given.resources) -}}
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
  "of" . "name" "stuck" "script" "files/stuck.js" "env" $env "port" 5691 "resources" $given.resources) -}}
{{- end -}}
{{- end -}}

{{/*
Makes an index that n8n lacks beside a running main, or takes it away: nothing else of the chart may change n8n's
tables. n8n's own user may, since they are its own.
*/}}
{{- define "n8n-tuned.indexes.init" -}}
{{- $given := .root.Values.database.indexes -}}
{{- if and (eq .name "main") (not (kindIs "invalid" $given.executionList)) -}}
{{- $own := dict "INDEX_LIST" $given.executionList "LOOK_SECONDS" "600" -}}
{{- include "n8n-tuned.helper" (dict "of" . "name" "indexes"
  "scripts" (list "files/database.js" "files/indexes.js")
  "env" (merge $own (include "n8n-tuned.database.ofRole" . | fromYaml)) "reads" true "resources" $given.resources
  "more" (dict "restartPolicy" "Always")
  "mounts" (include "n8n-tuned.mounts.given" . | fromYamlArray)) -}}
{{- end -}}
{{- end -}}
