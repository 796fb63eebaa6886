{{/*
The environment of a role, built as a map so that every name occurs once. Each concern adds its part, and the user's
`extraEnv` comes last.
*/}}
{{- define "n8n-tuned.env" -}}
{{- $root := .root -}}
{{- $env := dict -}}
{{- range list
  (include "n8n-tuned.env.role" .)
  (include "n8n-tuned.tuning.env" $root)
  (include "n8n-tuned.database.env" $root)
  (include "n8n-tuned.redis.env" $root)
  (include "n8n-tuned.ca.env" $root)
  (include "n8n-tuned.encryptionKey.env" $root)
  (include "n8n-tuned.url.env" $root)
  (include "n8n-tuned.env.monitoring" $root)
  (include "n8n-tuned.env.services" .)
  (include "n8n-tuned.scheduler.env" .)
  (include "n8n-tuned.runner.env" .) -}}
  {{- $env = mergeOverwrite $env (fromYaml .) -}}
{{- end -}}
{{- $extra := (include "n8n-tuned.role" . | fromYaml).extraEnv -}}
{{- with printf "%s %s" (include "n8n-tuned.heap.flags" .) (include "n8n-tuned.patches.flags" $root) | trim -}}
  {{- $_ := set $extra "NODE_OPTIONS" (printf "%s %s" . (default "" $extra.NODE_OPTIONS) | trim) -}}
{{- end -}}
{{- range $name, $value := $extra -}}
  {{- $_ := set $env $name $value -}}
  {{- if kindIs "invalid" $value -}}{{- $_ := unset $env $name -}}{{- end -}}
{{- end -}}
{{- include "n8n-tuned.env.list" $env -}}
{{- end -}}

{{/*
A map of names to values as a container's list. Kubernetes puts in the place of $(NAME) only what stands before it in
the list, so a variable comes after those that it refers to.
*/}}
{{- define "n8n-tuned.env.list" -}}
{{- $env := . }}
{{- $names := list }}
{{- $waiting := keys . | sortAlpha }}
{{- range until (len .) }}
{{- $left := list }}
{{- range $waiting }}
{{- $refers := false }}
{{- range regexFindAll "[$][(][A-Za-z_0-9]+[)]" (index $env . | toString) -1 }}
{{- if has (trimAll "$()" .) $waiting }}{{ $refers = true }}{{ end }}
{{- end }}
{{- if $refers }}{{ $left = append $left . }}{{ else }}{{ $names = append $names . }}{{ end }}
{{- end }}
{{- if eq (len $left) (len $waiting) }}{{ break }}{{ end }}
{{- $waiting = $left }}
{{- end }}
{{- range $name := concat $names $waiting | uniq }}
{{- $value := index $env $name }}
- name: {{ $name }}
  {{- if kindIs "map" $value }}
  {{- toYaml $value | nindent 2 }}
  {{- else }}
  value: {{ include "n8n-tuned.text" $value | quote }}
  {{- end }}
{{- end }}
{{- end -}}

{{/* "true" if what is due is kept in the database: from 2.45 on that is n8n's default. */}}
{{- define "n8n-tuned.scheduler.durable" -}}
{{- $durable := (.Values.scheduler).durable -}}
{{- $own := and (kindIs "invalid" $durable) (include "n8n-tuned.since" (list . "2.45.0")) -}}
{{- if or $durable $own -}}true{{- end -}}
{{- end -}}

{{/* Main alone schedules. */}}
{{- define "n8n-tuned.scheduler.env" -}}
{{- with .root.Values.scheduler }}
{{- if and (eq $.name "main") (not (kindIs "invalid" .durable)) }}
N8N_SCHEDULER_ENABLED: {{ .durable | quote }}
{{- if .durable }}
N8N_SCHEDULER_LEASE_DURATION: {{ int .leaseSeconds | quote }}
N8N_SCHEDULER_REAPER_INTERVAL: {{ int .reaperSeconds | quote }}
N8N_SCHEDULER_CLAIM_BATCH_SIZE: {{ int .claimBatch | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq .name "main") (include "n8n-tuned.scheduler.durable" .root) .root.Values.monitoring.enabled }}
N8N_METRICS_INCLUDE_SCHEDULER_METRICS: "true"
{{- end }}
{{- end -}}

{{/* What n8n is, and what its role does. */}}
{{- define "n8n-tuned.env.role" -}}
{{- $values := .root.Values -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
EXECUTIONS_MODE: {{ $values.executions.mode }}
{{- /* n8n 1.27 and later refuse to start with this name, or warn. `own` is the default only below 1.0. */}}
{{- if not (include "n8n-tuned.since" (list .root "1.27.0")) }}
{{- $tuned := and (ne $values.tuning.tier "n8n-defaults") (not (include "n8n-tuned.since" (list .root "1.0.0"))) }}
{{- with default (ternary "main" "" $tuned) $values.executions.process }}
EXECUTIONS_PROCESS: {{ . }}
{{- end }}
{{- end }}
{{- if include "n8n-tuned.since" (list .root "1.27.0") }}
N8N_GRACEFUL_SHUTDOWN_TIMEOUT: {{ int $role.shutdown.gracefulSeconds }}
{{- else if include "n8n-tuned.isWorker" . }}
QUEUE_WORKER_TIMEOUT: {{ int $role.shutdown.gracefulSeconds }}
{{- end }}
{{- if $values.worker.pools }}
N8N_WORKER_POOLS_ENABLED: "true"
{{- if hasPrefix "worker-" .name }}
N8N_WORKER_POOL_NAME: {{ trimPrefix "worker-" .name | quote }}
{{- end }}
{{- end }}
{{- if include "n8n-tuned.isWorker" . }}
# Without it a worker listens on no port, so probes and metrics cannot reach it.
QUEUE_HEALTH_CHECK_ACTIVE: "true"
{{- end }}
{{- if and (eq .name "main") (include "n8n-tuned.multiMain" .root) }}
N8N_MULTI_MAIN_SETUP_ENABLED: "true"
{{- end }}
{{- with include "n8n-tuned.secret.env" (dict "root" .root "name" "license") }}
{{- if ne $.name "webhook" }}
{{- /* A certificate is for n8n without a way to the licence server. */}}
{{- $offline := eq $values.license.existingSecret.key "N8N_LICENSE_CERT" }}
{{ ternary "N8N_LICENSE_CERT" "N8N_LICENSE_ACTIVATION_KEY" $offline }}: {{ . }}
{{- end }}
{{- end }}
{{- if not $values.telemetry.enabled }}
N8N_DIAGNOSTICS_ENABLED: "false"
N8N_VERSION_NOTIFICATIONS_ENABLED: "false"
{{- end }}
{{- if not $values.telemetry.templates }}
N8N_TEMPLATES_ENABLED: "false"
{{- end }}
GENERIC_TIMEZONE: {{ $values.timezone }}
TZ: {{ $values.timezone }}
N8N_LOG_LEVEL: {{ $values.logLevel }}
# The root file system is read-only, but npm runs when a user installs a community node in the editor.
NPM_CONFIG_CACHE: /tmp/npm
{{- /* n8n 3 loads only packages that n8n has verified, unless this allows others. */}}
{{- $packages := or $values.communityNodes.packages $values.loadtest.enabled }}
{{- if and $packages (include "n8n-tuned.since" (list .root "3.0.0")) }}
N8N_UNVERIFIED_PACKAGES_ENABLED: "true"
{{- end }}
{{- end -}}

{{- define "n8n-tuned.env.monitoring" -}}
{{- if .Values.monitoring.enabled }}
N8N_METRICS: "true"
{{- /* 1.60 is the first release in which we saw them; earlier ones always count workflows. */}}
{{- if include "n8n-tuned.since" (list . "1.60.0") }}
# Executions that started, succeeded and failed.
N8N_METRICS_INCLUDE_MESSAGE_EVENT_BUS_METRICS: "true"
{{- if eq .Values.executions.mode "queue" }}
N8N_METRICS_INCLUDE_QUEUE_METRICS: "true"
{{- end }}
{{- end }}
{{- if include "n8n-tuned.since" (list . "2.15.0") }}
# On by default in n8n. It fails on an execution that had not begun when n8n was killed, and then n8n no longer starts.
# n8n's statistics have the same fault; the lean tier switches them off.
N8N_METRICS_INCLUDE_WORKFLOW_EXECUTION_DURATION: "false"
{{- end }}
{{- /* 2.28.5 is the first release in which we saw it. */}}
{{- if include "n8n-tuned.since" (list . "2.28.5") }}
N8N_METRICS_INCLUDE_WEBHOOK_METRICS: "true"
{{- end }}
{{- if include "n8n-tuned.since" (list . "2.30.0") }}
N8N_METRICS_INCLUDE_DB_POOL_METRICS: "true"
{{- end }}
{{- end }}
{{- end -}}

{{/* "true" if n8n has a key of the bucket: otherwise it uses the platform's identity. */}}
{{- define "n8n-tuned.s3.keyed" -}}
{{- $env := (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv -}}
{{- if or .Values.binaryData.s3.existingSecret.name $env.N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY -}}true{{- end -}}
{{- end -}}

{{/* "true" if there is a licence. */}}
{{- define "n8n-tuned.licensed" -}}
{{- $env := (include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml).extraEnv -}}
{{- $ref := include "n8n-tuned.secret.ref" (dict "root" . "name" "license") -}}
{{- if or $ref $env.N8N_LICENSE_CERT $env.N8N_LICENSE_ACTIVATION_KEY -}}true{{- end -}}
{{- end -}}

{{/* The services that n8n is connected to, with the variables that n8n documents. */}}
{{- define "n8n-tuned.env.services" -}}
{{- with .root.Values.binaryData }}
{{- if .mode }}
N8N_DEFAULT_BINARY_DATA_MODE: {{ .mode }}
{{- if not (include "n8n-tuned.since" (list $.root "2.0.0")) }}
N8N_AVAILABLE_BINARY_DATA_MODES: {{ prepend (list .mode) "filesystem" | uniq | join "," }}
{{- end }}
{{- end }}
{{- if eq .mode "s3" }}
{{- with .s3 }}
N8N_EXTERNAL_STORAGE_S3_BUCKET_NAME: {{ quote .bucket }}
{{- with .region }}
N8N_EXTERNAL_STORAGE_S3_BUCKET_REGION: {{ quote . }}
{{- end }}
{{- with .host }}
N8N_EXTERNAL_STORAGE_S3_HOST: {{ quote . }}
{{- end }}
{{- with .existingSecret }}
{{- if .name }}
N8N_EXTERNAL_STORAGE_S3_ACCESS_KEY:
  valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .accessKey }} } }
N8N_EXTERNAL_STORAGE_S3_ACCESS_SECRET:
  valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .accessSecret }} } }
{{- else if not (include "n8n-tuned.s3.keyed" $.root) }}
# Uses the platform's identity, such as IRSA or workload identity.
N8N_EXTERNAL_STORAGE_S3_AUTH_AUTO_DETECT: "true"
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- with .root.Values.smtp }}
{{- if .host }}
N8N_EMAIL_MODE: smtp
N8N_SMTP_HOST: {{ quote .host }}
N8N_SMTP_PORT: {{ int .port | quote }}
N8N_SMTP_SSL: {{ .ssl | quote }}
N8N_SMTP_SENDER: {{ quote .sender }}
{{- with .user }}
N8N_SMTP_USER: {{ quote . }}
{{- end }}
{{- with .existingSecret }}
{{- if .name }}
N8N_SMTP_PASS: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .key }} } } }
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- /* Only main reads the rest, when it starts. */}}
{{- if eq .name "main" }}
{{- with .root.Values.owner }}
{{- if .email }}
N8N_INSTANCE_OWNER_MANAGED_BY_ENV: "true"
N8N_INSTANCE_OWNER_EMAIL: {{ quote .email }}
N8N_INSTANCE_OWNER_FIRST_NAME: {{ quote .firstName }}
N8N_INSTANCE_OWNER_LAST_NAME: {{ quote .lastName }}
N8N_INSTANCE_OWNER_PASSWORD_HASH:
  valueFrom: { secretKeyRef: { name: {{ quote .existingSecret.name }}, key: {{ quote .existingSecret.key }} } }
{{- end }}
{{- end }}
{{- with .root.Values.sso }}
{{- if or .oidc.discoveryUrl .saml.metadataUrl }}
N8N_SSO_MANAGED_BY_ENV: "true"
N8N_SSO_USER_ROLE_PROVISIONING: {{ .roles }}
{{- with .oidc }}
{{- if .discoveryUrl }}
N8N_SSO_OIDC_LOGIN_ENABLED: "true"
N8N_SSO_OIDC_DISCOVERY_ENDPOINT: {{ quote .discoveryUrl }}
N8N_SSO_OIDC_CLIENT_ID: {{ quote .clientId }}
N8N_SSO_OIDC_CLIENT_SECRET:
  valueFrom: { secretKeyRef: { name: {{ quote .existingSecret.name }}, key: {{ quote .existingSecret.key }} } }
{{- end }}
{{- end }}
{{- with .saml.metadataUrl }}
N8N_SSO_SAML_LOGIN_ENABLED: "true"
N8N_SSO_SAML_METADATA_URL: {{ quote . }}
{{- end }}
{{- end }}
{{- end }}
{{- with .root.Values.logStreaming.existingSecret }}
{{- if .name }}
N8N_LOG_STREAMING_MANAGED_BY_ENV: "true"
N8N_LOG_STREAMING_DESTINATIONS: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .key }} } } }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
