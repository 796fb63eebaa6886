{{/*
Task runners execute the code of Code nodes. Internal ones are child processes of n8n, in its container and with its
memory. External ones are a sidecar with their own image, heap and limits. Webhook processors execute nothing.
*/}}
{{- define "n8n-tuned.runner.external" -}}
{{- if and (eq .root.Values.runner.mode "external") (ne .name "webhook") -}}true{{- end -}}
{{- end -}}

{{/*
MB of a role's memory that the internal runner takes. Without a heap of its own, about 100 while idle (n8n 2.x always
starts it). With one, that heap and 64 MB beside it.
*/}}
{{- define "n8n-tuned.runner.inside" -}}
{{- $heap := .root.Values.runner.heap.megabytes -}}
{{- if not (and (eq .root.Values.runner.mode "internal") (or (eq .name "main") (include "n8n-tuned.isWorker" .))) -}}
  0
{{- else if $heap -}}
  {{- add $heap 64 -}}
{{- else -}}
  {{- include "n8n-tuned.since" (list .root "2.0.0") | empty | ternary 0 96 -}}
{{- end -}}
{{- end -}}

{{/*
What bounds the runner of a role. n8n hands it to an internal runner; an external one gets it beside n8n, whose broker
counts the same seconds.
*/}}
{{- define "n8n-tuned.runner.bounds" -}}
{{- with .root.Values.runner }}
{{- $tasks := .concurrency }}
{{- if and (kindIs "invalid" $tasks) (include "n8n-tuned.isWorker" $) }}
{{- $slots := int (include "n8n-tuned.role" $ | fromYaml).concurrency }}
{{- $runs := or (eq .mode "external") (include "n8n-tuned.since" (list $.root "2.0.0")) }}
{{- if and $runs (gt $slots 10) }}{{- $tasks = $slots }}{{- end }}
{{- end }}
{{- if not (kindIs "invalid" $tasks) }}
N8N_RUNNERS_MAX_CONCURRENCY: {{ int $tasks | quote }}
{{- end }}
{{- with .timeouts.task }}
N8N_RUNNERS_TASK_TIMEOUT: {{ int . | quote }}
{{- end }}
{{- with .timeouts.request }}
N8N_RUNNERS_TASK_REQUEST_TIMEOUT: {{ int . | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* How many Code nodes the runner of a role works on at once. */}}
{{- define "n8n-tuned.runner.slots" -}}
{{- $env := mergeOverwrite (include "n8n-tuned.runner.bounds" . | fromYaml) (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
{{- int (default 10 $env.N8N_RUNNERS_MAX_CONCURRENCY) -}}
{{- end -}}

{{- define "n8n-tuned.runner.env" -}}
{{- if ne .name "webhook" }}{{ include "n8n-tuned.runner.bounds" . }}{{ end }}
{{- with .root.Values.runner }}
{{- if include "n8n-tuned.runner.external" $ }}
N8N_RUNNERS_MODE: external
{{- if not (include "n8n-tuned.since" (list $.root "2.0.0")) }}
N8N_RUNNERS_ENABLED: "true"
{{- if include "n8n-tuned.runner.python" $.root }}
# In n8n 1 they were a preview: Python ran in n8n's own process.
N8N_NATIVE_PYTHON_RUNNER: "true"
{{- end }}
{{- end }}
N8N_RUNNERS_AUTH_TOKEN: {{ include "n8n-tuned.secret.env" (dict "root" $.root "name" "runner-token") }}
{{- else if ne $.name "webhook" }}
{{- /* n8n 3 warns where nobody has chosen. */}}
{{- if include "n8n-tuned.since" (list $.root "3.0.0") }}
N8N_RUNNERS_MODE: internal
{{- end }}
{{- with .heap.megabytes }}
# The internal runner does not inherit NODE_OPTIONS.
N8N_RUNNERS_MAX_OLD_SPACE_SIZE: {{ int . | quote }}
{{- end }}
{{- include "n8n-tuned.runner.javascript" $.root }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Modules that JavaScript in Code nodes may import, in either mode. */}}
{{- define "n8n-tuned.runner.javascript" -}}
{{- range $name, $key := dict "NODE_FUNCTION_ALLOW_BUILTIN" "builtin" "NODE_FUNCTION_ALLOW_EXTERNAL" "external" }}
{{- with index $.Values.runner.javascript $key }}
{{ $name }}: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.runner.python" -}}
{{- range $name, $key := dict "N8N_RUNNERS_STDLIB_ALLOW" "stdlib" "N8N_RUNNERS_EXTERNAL_ALLOW" "external" }}
{{- with index $.Values.runner.python $key }}
{{ $name }}: {{ quote . }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
A sidecar in Kubernetes' sense: an init container that keeps running. It starts before n8n and ends after it, so the
executions that n8n finishes during its shutdown can still use it.
*/}}
{{- define "n8n-tuned.runner.init" -}}
{{- $root := .root -}}
{{- if include "n8n-tuned.runner.external" . -}}
{{- $runner := include "n8n-tuned.role" (dict "root" $root "name" "runner") | fromYaml -}}
{{- $given := $root.Values.runner -}}
{{- $image := include "n8n-tuned.imageOf" (list $given.image (include "n8n-tuned.version" $root)) -}}
{{- $env := include "n8n-tuned.runner.handedOn" . | fromYaml -}}
{{- $configured := include "n8n-tuned.runner.configured" . -}}
{{- if $configured -}}
- name: runner-config
  image: {{ $image | quote }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  {{- include "n8n-tuned.script" (list $root "files/runner-config.js") | nindent 2 }}
  env:
    - { name: ALLOW_JAVASCRIPT, value: {{ include "n8n-tuned.runner.javascript" $root | fromYaml | toJson | quote }} }
    - { name: ALLOW_PYTHON, value: {{ include "n8n-tuned.runner.python" $root | fromYaml | toJson | quote }} }
    - { name: HANDED_ON, value: {{ keys $env | sortAlpha | join " " | quote }} }
  {{- with $given.extraEnvFrom }}
  envFrom:
    {{- range . }}
    - {{ mergeOverwrite (deepCopy .) (dict "prefix" (printf "HANDED_ON_%s" (default "" .prefix))) | toJson }}
    {{- end }}
  {{- end }}
  resources:
    {{- include "n8n-tuned.resources" $runner.resources | nindent 4 }}
  securityContext:
    {{- include "n8n-tuned.runner.securityContext" $root | nindent 4 }}
  volumeMounts:
    - { name: runner-config, mountPath: /config }
{{ end -}}
- name: runner
  image: {{ $image | quote }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  restartPolicy: Always
  env:
    - { name: N8N_RUNNERS_TASK_BROKER_URI, value: "http://127.0.0.1:5679" }
    - name: N8N_RUNNERS_AUTH_TOKEN
      valueFrom: { secretKeyRef: {{ include "n8n-tuned.secret.ref" (dict "root" $root "name" "runner-token") }} }
    - { name: GENERIC_TIMEZONE, value: {{ $root.Values.timezone | quote }} }
    {{- $flags := include "n8n-tuned.heap.flags" (dict "root" $root "name" "runner") }}
    {{- with printf "%s %s" $flags (default "" $env.NODE_OPTIONS) | trim }}
    - { name: NODE_OPTIONS, value: {{ . }} }
    {{- end }}
    {{- with omit $env "NODE_OPTIONS" }}
    {{- include "n8n-tuned.env.list" . | trim | nindent 4 }}
    {{- end }}
  {{- with $given.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  ports:
    - { name: runner, containerPort: 5680 }
  {{- with $runner.probes.liveness }}
  livenessProbe:
    httpGet: { path: /healthz, port: runner }
    {{- toYaml . | nindent 4 }}
  {{- end }}
  resources:
    {{- include "n8n-tuned.resources" $runner.resources | nindent 4 }}
  securityContext:
    {{- include "n8n-tuned.runner.securityContext" $root | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.runner.mounts" . | nindent 4 }}
{{- end -}}
{{- end -}}

{{/*
Variables for the runner of a role and for the code in it: the launcher passes on only those that its configuration
names. To an internal runner n8n hands some of its own; an external one gets the same from here.
*/}}
{{- define "n8n-tuned.runner.handedOn" -}}
{{- $env := include "n8n-tuned.ca.custom" .root | empty | ternary "" (include "n8n-tuned.ca.env" .root) | fromYaml -}}
{{- $bounds := include "n8n-tuned.runner.bounds" . | fromYaml -}}
{{- $ofRole := mergeOverwrite (omit $bounds "N8N_RUNNERS_TASK_REQUEST_TIMEOUT") (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
{{- range list "N8N_BLOCK_RUNNER_ENV_ACCESS" "N8N_RUNNERS_ALLOW_TRANSITIVE_IMPORTS" "N8N_RUNNERS_BUILTINS_DENY"
  "N8N_RUNNERS_GRACEFUL_SHUTDOWN_TIMEOUT" "N8N_RUNNERS_HEARTBEAT_INTERVAL" "N8N_RUNNERS_INSECURE_MODE"
  "N8N_RUNNERS_MAX_CONCURRENCY" "N8N_RUNNERS_MAX_PAYLOAD" "N8N_RUNNERS_SHUTDOWN_FORCE_KILL_MARGIN"
  "N8N_RUNNERS_TASK_TIMEOUT" -}}
  {{- $value := index $ofRole . -}}
  {{- if not (kindIs "invalid" $value) -}}{{- $_ := set $env . $value -}}{{- end -}}
{{- end -}}
{{- mergeOverwrite $env (deepCopy .root.Values.runner.extraEnv) | toYaml -}}
{{- end -}}

{{/* "true" if the configuration of a role's runner differs from the image's own. */}}
{{- define "n8n-tuned.runner.configured" -}}
{{- $allowed := printf "%s%s" (include "n8n-tuned.runner.javascript" .root) (include "n8n-tuned.runner.python" .root) -}}
{{- $handedOn := include "n8n-tuned.runner.handedOn" . | fromYaml -}}
{{- if or $allowed $handedOn .root.Values.runner.extraEnvFrom -}}true{{- end -}}
{{- end -}}

{{/*
The user of external runners: another than n8n's, unless the platform chooses the users of a pod, as OpenShift does.
*/}}
{{- define "n8n-tuned.runner.securityContext" -}}
{{- $runner := include "n8n-tuned.role" (dict "root" . "name" "runner") | fromYaml -}}
{{- $context := $runner.securityContext -}}
{{- if kindIs "invalid" $runner.podSecurityContext.runAsUser -}}
  {{- $context = omit $context "runAsUser" "runAsGroup" -}}
{{- end -}}
{{- range $name := list "runAsUser" "runAsGroup" -}}
  {{- with index $context $name -}}{{- $_ := set $context $name (int64 .) -}}{{- end -}}
{{- end -}}
{{- toYaml $context -}}
{{- end -}}

{{/* Has the identities that clouds give to pods left out of runners' containers. */}}
{{- define "n8n-tuned.runner.annotations" -}}
{{- if include "n8n-tuned.runner.external" . }}
eks.amazonaws.com/skip-containers: runner-config,runner
azure.workload.identity/skip-containers: runner-config;runner
{{- end }}
{{- end -}}

{{- define "n8n-tuned.runner.mounts" -}}
{{- $ours := list (dict "name" "runner-tmp" "mountPath" "/tmp") -}}
{{- if include "n8n-tuned.ca.custom" .root -}}
  {{- $ours = concat $ours (include "n8n-tuned.ca.mounts" .root | fromYamlArray) -}}
{{- end -}}
{{- if include "n8n-tuned.runner.configured" . -}}
  {{- $file := "n8n-task-runners.json" -}}
  {{- $path := printf "/etc/%s" $file -}}
  {{- $config := dict "name" "runner-config" "mountPath" $path "subPath" $file "readOnly" true -}}
  {{- $ours = append $ours $config -}}
{{- end -}}
{{- include "n8n-tuned.role.list" (list $ours .root.Values.runner.extraVolumeMounts "mountPath") -}}
{{- end -}}

{{- define "n8n-tuned.runner.volumes" -}}
{{- if include "n8n-tuned.runner.external" . }}
{{- $ours := list (dict "name" "runner-tmp" "emptyDir" dict) }}
{{- if include "n8n-tuned.runner.configured" . }}
{{- $ours = append $ours (dict "name" "runner-config" "emptyDir" dict) }}
{{- end }}
{{- include "n8n-tuned.role.list" (list $ours .root.Values.runner.extraVolumes "name") }}
{{- end }}
{{- end -}}
