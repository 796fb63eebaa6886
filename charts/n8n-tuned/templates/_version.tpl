{{/*
The n8n version that the image holds, as MAJOR.MINOR.PATCH. Every version rule
asks here; what follows a dash in a tag (2.41.1-arm64) does not count.
*/}}
{{- define "n8n-tuned.version" -}}
{{- $value := ternary "image.version" "image.tag" (not (empty .Values.image.version)) -}}
{{- $given := toString (default .Values.image.tag .Values.image.version) -}}
{{- if not (regexMatch "^[0-9]+\\.[0-9]+\\.[0-9]+([-+][0-9A-Za-z.+-]+)?$" $given) -}}
  {{- fail (printf "%s: Expected an exact n8n version such as %s, got %q. Pin the tag, or say in image.version which n8n your image holds." $value .Chart.AppVersion $given) -}}
{{- end -}}
{{- $version := regexFind "^[0-9.]+" $given -}}
{{- if semverCompare "<0.221.0" $version -}}
  {{- fail (printf "%s: Expected n8n 0.221.0 or later, got %s. Use a later image." $value $version) -}}
{{- end -}}
{{- $version -}}
{{- end -}}

{{/* "true" when the image holds this version or a later one: (list $ "1.27.0"). */}}
{{- define "n8n-tuned.since" -}}
{{- if semverCompare (printf ">=%s" (last .)) (include "n8n-tuned.version" (first .)) -}}true{{- end -}}
{{- end -}}
