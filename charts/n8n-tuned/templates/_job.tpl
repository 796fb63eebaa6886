{{/*
Labels and annotations of a pod that runs once and ends: (dict "root" $ "name" "backup"), with "own" values that have
podLabels and podAnnotations. It has none of a role's annotations: what they inject, such as Vault's agent, would run
beside it for ever. Pods that do not talk to n8n need no proxy of a service mesh either.
*/}}
{{- define "n8n-tuned.job.labels" -}}
{{- $jobs := .root.Values.jobs -}}
{{- mergeOverwrite (deepCopy (default dict $jobs.podLabels)) (dig "podLabels" dict (default dict .own))
  (include "n8n-tuned.selector" . | fromYaml) | toYaml -}}
{{- end -}}

{{/* Where such a pod may run: where main may, and with the priority of jobs. */}}
{{- define "n8n-tuned.job.placement" -}}
{{- $main := include "n8n-tuned.role" (dict "root" . "name" "main") | fromYaml -}}
{{- $placement := pick $main "nodeSelector" "tolerations" -}}
{{- $_ := set $placement "priorityClassName" .Values.jobs.priorityClassName -}}
{{- range $field, $value := $placement -}}
  {{- if not $value -}}{{- $_ := unset $placement $field -}}{{- end -}}
{{- end -}}
{{- with $placement }}{{ toYaml . }}{{ end -}}
{{- end -}}

{{- define "n8n-tuned.job.annotations" -}}
{{- $jobs := .root.Values.jobs -}}
{{- $alone := dict -}}
{{- if not (has .name (list "test" "k6" "nightly")) -}}
  {{- $alone = dict "sidecar.istio.io/inject" "false" "linkerd.io/inject" "disabled" -}}
{{- end -}}
{{- $own := dig "podAnnotations" dict (default dict .own) -}}
{{- mergeOverwrite $alone (default dict $jobs.podAnnotations) $own | toYaml -}}
{{- end -}}
