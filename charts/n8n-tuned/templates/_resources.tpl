{{/*
The resources of a container. Kubernetes refuses a request above its limit. Users who lower a limit rarely want to keep
the chart's request, so the request is lowered with it.
*/}}
{{- define "n8n-tuned.resources" -}}
{{- $resources := deepCopy (default dict .) -}}
{{- range $name, $limit := default dict .limits -}}
  {{- $request := dig "requests" $name "" $resources -}}
  {{- if and $request $limit -}}
    {{- if gt (include "n8n-tuned.quantity" $request | float64) (include "n8n-tuned.quantity" $limit | float64) -}}
      {{- $_ := set $resources.requests $name $limit -}}
    {{- end -}}
  {{- end -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/* `250m`, `1`, `1Gi` as a plain number. */}}
{{- define "n8n-tuned.quantity" -}}
{{- $text := include "n8n-tuned.text" . -}}
{{- $units := dict "" 1 "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12
  "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- mulf (regexFind "^[0-9.]+" $text | float64) (index $units (regexFind "[A-Za-z]*$" $text)) -}}
{{- end -}}
