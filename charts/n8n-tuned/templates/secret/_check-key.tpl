{{/*
Runs before a role's n8n starts: the given key must decrypt the credentials in its database. Otherwise a restored
database whose key is missing would get another key, without any message. Reads only.
*/}}
{{- define "n8n-tuned.checkKey.init" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- if .root.Values.encryptionKey.check -}}
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
