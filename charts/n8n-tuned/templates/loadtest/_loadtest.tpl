{{/*
The Load Target node reaches n8n as files of a ConfigMap, mounted beside n8n's
folder and linked into it. Mounting it inside would leave directories that belong
to root in the volume, and n8n could no longer install nodes of its own. Switched
off again, the link leads nowhere and n8n passes it by.
*/}}
{{- define "n8n-tuned.loadtest.name" -}}
{{- include "n8n-tuned.object" (dict "root" . "name" "load-target") -}}
{{- end -}}

{{- define "n8n-tuned.loadtest.files" -}}files/n8n-nodes-tuned/**{{- end -}}

{{/* A file's key in the ConfigMap; keys may not contain a slash. */}}
{{- define "n8n-tuned.loadtest.key" -}}
{{- trimPrefix "files/n8n-nodes-tuned/" . | replace "/" "__" | replace "@" "_" -}}
{{- end -}}

{{/* n8n reads nodes only when it starts, so changed files need a new pod. */}}
{{- define "n8n-tuned.loadtest.checksum" -}}
{{- if .Values.loadtest.enabled -}}
checksum/load-target: {{ include "n8n-tuned.loadtest.data" . | sha256sum }}
{{- end -}}
{{- end -}}

{{/* Each file by its whole path: Helm's own AsConfig knows only its last part, and several are called index.js. */}}
{{- define "n8n-tuned.loadtest.data" -}}
{{- range $path, $content := .Files.Glob (include "n8n-tuned.loadtest.files" .) }}
{{ include "n8n-tuned.loadtest.key" $path }}: {{ toString $content | toJson }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.loadtest.mount" -}}
{{- if .Values.loadtest.enabled }}
- { name: load-target, mountPath: /opt/n8n-nodes-tuned, readOnly: true }
{{- end }}
{{- end -}}

{{- define "n8n-tuned.loadtest.volume" -}}
{{- if .Values.loadtest.enabled }}
- name: load-target
  configMap:
    name: {{ include "n8n-tuned.loadtest.name" . }}
    items:
      {{- range $path, $_ := .Files.Glob (include "n8n-tuned.loadtest.files" .) }}
      - { key: {{ include "n8n-tuned.loadtest.key" $path }}, path: {{ trimPrefix "files/n8n-nodes-tuned/" $path }} }
      {{- end }}
{{- end }}
{{- end -}}

{{/* A copy that a user installed in the editor stays as it is. */}}
{{- define "n8n-tuned.loadtest.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- if .root.Values.loadtest.enabled -}}
- name: load-target
  image: {{ include "n8n-tuned.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command:
    - sh
    - -ec
    - |
      mkdir -p /home/node/.n8n/nodes/node_modules
      cd /home/node/.n8n/nodes/node_modules
      [ -d n8n-nodes-tuned ] || ln -sfn /opt/n8n-nodes-tuned n8n-nodes-tuned
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.mount.data" . | nindent 4 }}
    {{- include "n8n-tuned.loadtest.mount" .root | nindent 4 }}
{{- end -}}
{{- end -}}

{{/* The bundled workflows of loadtest.workflows: a YAML map of id to JSON. */}}
{{- define "n8n-tuned.workflows" -}}
{{- range .Values.loadtest.workflows }}
{{- with $.Files.Get (printf "files/loadtest/workflows/%s.json" .) }}
{{- $workflow := fromJson . }}
{{ $workflow.id | quote }}: {{ toJson $workflow | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* What these workflows log in with, where the lab puts it: the chart itself has no such file. */}}
{{- define "n8n-tuned.workflows.credentials" -}}
{{- .Files.Get "files/loadtest/credentials.json" -}}
{{- end -}}

{{- define "n8n-tuned.workflows.volume" -}}
{{- if and .root.Values.loadtest.enabled .root.Values.loadtest.workflows (eq .name "main") }}
- name: workflows
  configMap: { name: {{ include "n8n-tuned.object" (dict "root" .root "name" "workflows") }} }
{{- if include "n8n-tuned.workflows.credentials" .root }}
- name: credentials
  secret: { secretName: {{ include "n8n-tuned.object" (dict "root" .root "name" "credentials") }} }
{{- end }}
{{- end }}
{{- end -}}

{{/*
Main imports them itself before it starts: so no second process uses SQLite's file, and n8n 0.x, which reads active
workflows only when it starts, sees them. Active workflows stay as they are, so an update interrupts no webhook.
*/}}
{{- define "n8n-tuned.workflows.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- if and .root.Values.loadtest.enabled .root.Values.loadtest.workflows (eq .name "main") -}}
- name: workflows
  image: {{ include "n8n-tuned.image" .root | quote }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  command:
    - sh
    - -ec
    - |
      active=$(n8n list:workflow --active=true --onlyId)
      cd /opt/n8n-tuned/workflows
      for id in $IDS; do echo "$active" | grep -qw "$id" || missing="$missing $id"; done
      [ -n "$missing" ] || exit 0
      {{- if include "n8n-tuned.workflows.credentials" .root }}
      # First: an import of workflows drops what refers to credentials that are not there.
      n8n import:credentials --input=/opt/n8n-tuned/credentials/all.json
      {{- end }}
      n8n import:workflow --input=all.json
      for id in $missing; do
        {{- if include "n8n-tuned.since" (list .root "2.0.0") }}
        n8n publish:workflow --id="$id"
        {{- else }}
        n8n update:workflow --id="$id" --active=true
        {{- end }}
      done
  env:
    - { name: IDS, value: {{ include "n8n-tuned.workflows" .root | fromYaml | keys | sortAlpha | join " " | quote }} }
    {{- include "n8n-tuned.env" . | trim | nindent 4 }}
  {{- with $role.extraEnvFrom }}
  envFrom:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  resources:
    {{- include "n8n-tuned.resources" $role.resources | nindent 4 }}
  securityContext:
    {{- toYaml $role.securityContext | nindent 4 }}
  volumeMounts:
    {{- include "n8n-tuned.mounts" . | nindent 4 }}
    - { name: workflows, mountPath: /opt/n8n-tuned/workflows, readOnly: true }
    {{- if include "n8n-tuned.workflows.credentials" .root }}
    - { name: credentials, mountPath: /opt/n8n-tuned/credentials, readOnly: true }
    {{- end }}
{{- end -}}
{{- end -}}
