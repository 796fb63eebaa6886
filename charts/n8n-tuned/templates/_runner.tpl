{{/*
Task runners execute the code of Code nodes. Internal ones are child processes of
n8n, in its container and out of its memory; external ones are a sidecar with an
image, a heap and limits of their own. Webhook processors execute nothing.
*/}}
{{- define "n8n-tuned.runner.external" -}}
{{- if and (eq .root.Values.runner.mode "external") (ne .name "webhook") -}}true{{- end -}}
{{- end -}}

{{/*
MB of a role's memory that the internal runner takes: about 100 while nobody uses
it (n8n 2.x always has it), with a heap of its own that and 64 for what is beside it.
*/}}
{{- define "n8n-tuned.runner.inside" -}}
{{- $heap := .root.Values.runner.heap.megabytes -}}
{{- if not (and (eq .root.Values.runner.mode "internal") (has .name (list "main" "worker"))) -}}
  0
{{- else if $heap -}}
  {{- add $heap 64 -}}
{{- else -}}
  {{- include "n8n-tuned.since" (list .root "2.0.0") | empty | ternary 0 96 -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.runner.env" -}}
{{- with .root.Values.runner }}
{{- if include "n8n-tuned.runner.external" $ }}
N8N_RUNNERS_MODE: external
{{- if not (include "n8n-tuned.since" (list $.root "2.0.0")) }}
N8N_RUNNERS_ENABLED: "true"
{{- end }}
N8N_RUNNERS_AUTH_TOKEN: {{ include "n8n-tuned.secret.env" (dict "root" $.root "name" "runner-token") }}
{{- else if and .heap.megabytes (eq .mode "internal") (ne $.name "webhook") }}
# The internal runner does not inherit NODE_OPTIONS.
N8N_RUNNERS_MAX_OLD_SPACE_SIZE: {{ int .heap.megabytes | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/*
A sidecar in Kubernetes' sense, an init container that stays: it is there before
n8n and goes after it, so an execution that n8n still finishes while it shuts down
still finds it.
*/}}
{{- define "n8n-tuned.runner.init" -}}
{{- $root := .root -}}
{{- if include "n8n-tuned.runner.external" . -}}
{{- $runner := include "n8n-tuned.role" (dict "root" $root "name" "runner") | fromYaml -}}
{{- $tag := default (include "n8n-tuned.version" $root) $runner.image.tag -}}
- name: runner
  image: {{ $runner.image.repository }}:{{ $tag }}
  imagePullPolicy: {{ $root.Values.image.pullPolicy }}
  restartPolicy: Always
  env:
    - { name: N8N_RUNNERS_TASK_BROKER_URI, value: "http://127.0.0.1:5679" }
    - { name: N8N_RUNNERS_AUTH_TOKEN, {{ include "n8n-tuned.secret.env" (dict "root" $root "name" "runner-token") | trimPrefix "{" | trimSuffix "}" | trim }} }
    - { name: GENERIC_TIMEZONE, value: {{ $root.Values.timezone | quote }} }
    {{- with include "n8n-tuned.heap.flags" (dict "root" $root "name" "runner") }}
    - { name: NODE_OPTIONS, value: {{ . }} }
    {{- end }}
  ports:
    - { name: runner, containerPort: 5680 }
  livenessProbe:
    httpGet: { path: /healthz, port: runner }
    {{- toYaml $runner.probes.liveness | nindent 4 }}
  resources:
    {{- include "n8n-tuned.resources" $runner.resources | nindent 4 }}
  securityContext:
    {{- toYaml $runner.securityContext | nindent 4 }}
  volumeMounts:
    - { name: tmp, mountPath: /tmp }
{{- end -}}
{{- end -}}
