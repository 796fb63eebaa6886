{{/* The services that n8n is connected to, with the variables that n8n documents. */}}

{{- define "n8n-tuned.binaryData.env" -}}
{{- with .Values.binaryData }}
{{- if .mode }}
N8N_DEFAULT_BINARY_DATA_MODE: {{ .mode }}
{{- if not (include "n8n-tuned.since" (list $ "2.0.0")) }}
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
{{- else }}
# Uses the platform's identity, such as IRSA or workload identity.
N8N_EXTERNAL_STORAGE_S3_AUTH_AUTO_DETECT: "true"
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "n8n-tuned.smtp.env" -}}
{{- with .Values.smtp }}
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
{{- end -}}

{{/* Only main reads these, when it starts. */}}
{{- define "n8n-tuned.sso.env" -}}
{{- with .root.Values.sso }}
{{- if and (eq $.name "main") (or .oidc.discoveryUrl .saml.metadataUrl) }}
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
{{- end -}}

{{- define "n8n-tuned.logStreaming.env" -}}
{{- with .root.Values.logStreaming.existingSecret }}
{{- if and .name (eq $.name "main") }}
N8N_LOG_STREAMING_MANAGED_BY_ENV: "true"
N8N_LOG_STREAMING_DESTINATIONS: { valueFrom: { secretKeyRef: { name: {{ quote .name }}, key: {{ quote .key }} } } }
{{- end }}
{{- end }}
{{- end -}}
