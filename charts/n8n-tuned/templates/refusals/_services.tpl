{{/* Community nodes, and the services that n8n is connected to. */}}
{{- define "n8n-tuned.refuse.services" -}}
{{- range .Values.communityNodes.packages }}
{{- if not (regexMatch "^((@[^@/ ]+/)?n8n-nodes-[^@/ ]+@[0-9]+[.][0-9]+[.][0-9]+[^ ]*|(https?:/)?/[^ ]+[.]tgz)$" .) }}
communityNodes.packages: Expected n8n-nodes-NAME@1.2.3, a URL or a path that ends in .tgz, got {{ . }}.
  Name one exact version: pods that start later would run another.
{{- end }}
{{- end }}
{{- with .Values.binaryData }}
{{- $alone := and (eq .mode "filesystem") (eq $.Values.executions.mode "queue") }}
{{- if and $alone (not (include "n8n-tuned.filesShared" $)) }}
binaryData.mode: Expected database or s3 in queue mode, got filesystem: main would not find the workers' files.
  Leave it out, set s3, or mount one volume for files on every role (role.extraVolumeMounts).
{{- end }}
{{- if and (eq .mode "default") (include "n8n-tuned.since" (list $ "3.0.0")) }}
binaryData.mode: Expected filesystem, s3, azure or database for n8n {{ include "n8n-tuned.version" $ }}, got default,
  binary data in memory, which n8n 3.0 removed. Choose one of them.
{{- end }}
{{- if and (has .mode (list "s3" "azure" "database")) (not (include "n8n-tuned.since" (list $ "1.123.81"))) }}
binaryData.mode: Expected filesystem for n8n {{ include "n8n-tuned.version" $ }}, got {{ .mode }}: 1.123.81 is the
  first release in which we saw it work. Use a later image, or leave it out.
{{- end }}
{{- if and (eq .mode "s3") (not .s3.bucket) }}
binaryData.s3.bucket: Expected the name of a bucket with binaryData.mode s3, got none. Set it.
{{- end }}
{{- if and (ne .mode "s3") (or .s3.bucket .s3.existingSecret.name) }}
binaryData.s3: Expected binaryData.mode s3 beside it, got {{ default "none" .mode }}. Set it, or leave s3 out.
{{- end }}
{{- end }}
{{- with .Values.smtp }}
{{- if and (not .host) (or .user .sender .existingSecret.name) }}
smtp.host: Expected the host of your mail server beside the rest of smtp, got none. Set it.
{{- end }}
{{- if and .host (not .sender) }}
smtp.sender: Expected the sender of mail, such as n8n@example.com, got none. Set it.
{{- end }}
{{- if and .user (not .existingSecret.name) }}
smtp.existingSecret.name: Expected the password of {{ .user }}, got none. Name the Secret that holds it.
{{- end }}
{{- end }}
{{- with .Values.owner }}
{{- if and .email (not .existingSecret.name) }}
owner.existingSecret.name: Expected the Secret with the hash of the owner's password beside owner.email, got none: n8n
  would not start. Make the hash by: htpasswd -nbBC 10 "" PASSWORD | tr -d ":\n"
{{- end }}
{{- if and (not .email) (or .firstName .lastName .existingSecret.name) }}
owner.email: Expected the owner's address beside the rest of owner, got none. Set it.
{{- end }}
{{- if and .email (not (include "n8n-tuned.since" (list $ "2.20.0"))) }}
owner.email: Expected n8n 2.20.0 or later, got {{ include "n8n-tuned.version" $ }}, whose first visitor makes the account.
  Leave it out.
{{- end }}
{{- end }}
{{- with .Values.sso }}
{{- $since := include "n8n-tuned.since" (list $ "2.20.0") }}
{{- if and (or .oidc.discoveryUrl .saml.metadataUrl) (not $since) }}
sso: Expected n8n 2.20.0 or later, got {{ include "n8n-tuned.version" $ }}, which has this in its editor only.
  Leave it out.
{{- end }}
{{- if and .oidc.discoveryUrl .saml.metadataUrl }}
sso.saml.metadataUrl: Expected nothing beside sso.oidc.discoveryUrl: n8n has one of the two. Keep one.
{{- end }}
{{- if and .oidc.discoveryUrl (not (and .oidc.clientId .oidc.existingSecret.name)) }}
sso.oidc: Expected clientId and existingSecret.name beside discoveryUrl, got {{ .oidc.clientId | default "no id" }}
  and {{ .oidc.existingSecret.name | default "no Secret" }}: n8n would not start. Set both.
{{- end }}
{{- if and $.Values.logStreaming.existingSecret.name (not $since) }}
logStreaming.existingSecret.name: Expected n8n 2.20.0 or later, got {{ include "n8n-tuned.version" $ }}, which has
  this in its editor only. Leave it out.
{{- end }}
{{- end }}
{{- end -}}

{{/* "true" if every role mounts a volume of the values where n8n keeps files of workflows. */}}
{{- define "n8n-tuned.filesShared" -}}
{{- $shared := true -}}
{{- range include "n8n-tuned.roles" . | fromYamlArray -}}
  {{- $role := include "n8n-tuned.role" (dict "root" $ "name" .) | fromYaml -}}
  {{- $env := $role.extraEnv -}}
  {{- $folder := include "n8n-tuned.since" (list $ "3.0.0") | empty | ternary "binaryData" "storage" -}}
  {{- $at := coalesce $env.N8N_STORAGE_PATH $env.N8N_BINARY_DATA_STORAGE_PATH (printf "/home/node/.n8n/%s" $folder) -}}
  {{- $mounted := false -}}
  {{- range $role.extraVolumeMounts -}}
    {{- if or (eq .mountPath $at) (hasPrefix (printf "%s/" .mountPath) $at) -}}{{- $mounted = true -}}{{- end -}}
  {{- end -}}
  {{- if not $mounted -}}{{- $shared = false -}}{{- end -}}
{{- end -}}
{{- if $shared -}}true{{- end -}}
{{- end -}}
