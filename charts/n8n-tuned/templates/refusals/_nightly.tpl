{{/* The check at night. */}}
{{- define "n8n-tuned.refuse.nightly" -}}
{{- with .Values.loadtest.nightly }}
{{- if .enabled }}
{{- if not .image.repository }}
loadtest.nightly.image.repository: Expected an image of the lab, got none, and none is published. Build one (docs/automate.md),
  push it to a registry of yours, and name it.
{{- end }}
{{- if not (or .image.tag .image.digest) }}
loadtest.nightly.image.tag: Expected the tag or the digest of your image, got neither. Set one, so that each night has the
  same lab.
{{- end }}
{{- if not .workflow.name }}
loadtest.nightly.workflow.name: Expected the ConfigMap with the exported workflow, got none. Make it:
  kubectl create configmap nightly --from-file=workflow.json=exported.json
{{- end }}
{{- if not .agreed }}
loadtest.nightly.agreed: Expected your word that this n8n may execute each request of the check for real, got none. Its
  workflow calls the services that it calls by day, and executions are stored. Set it to true if that is right.
{{- end }}
{{- end }}
{{- end }}
{{- end -}}
