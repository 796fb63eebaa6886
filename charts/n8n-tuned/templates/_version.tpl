{{/*
The n8n version in the image, as MAJOR.MINOR.PATCH. Every rule for versions asks here. What follows a dash in a tag
(2.41.1-arm64) does not count. If the image does not say, this returns the chart's own version, and a refusal reports
the tag with all other problems.
*/}}
{{- define "n8n-tuned.version" -}}
{{- $given := include "n8n-tuned.version.given" . -}}
{{- ternary $given .Chart.AppVersion (include "n8n-tuned.version.exact" $given | empty | not) | regexFind "^[0-9.]+" -}}
{{- end -}}

{{- define "n8n-tuned.version.given" -}}
{{- /* Renovate writes the digest behind the tag. */ -}}
{{- default .Values.image.tag .Values.image.version | toString | splitList "@" | first -}}
{{- end -}}

{{- define "n8n-tuned.version.exact" -}}
{{- if regexMatch "^[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$" . -}}true{{- end -}}
{{- end -}}

{{/*
The latest releases of which n8n's notes were read, by major release: docs/releases.md says what of each was tried, and
what was only read.
*/}}
{{- define "n8n-tuned.version.read" -}}
"2": "2.48"
"3": "3.0"
{{- end -}}

{{/* "true" when the image holds this version or a later one: (list $ "1.27.0"). */}}
{{- define "n8n-tuned.since" -}}
{{- if semverCompare (printf ">=%s" (last .)) (include "n8n-tuned.version" (first .)) -}}true{{- end -}}
{{- end -}}
