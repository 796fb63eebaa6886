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

{{- define "n8n-tuned.job.annotations" -}}
{{- $jobs := .root.Values.jobs -}}
{{- $alone := dict -}}
{{- if not (has .name (list "test" "k6" "nightly")) -}}
  {{- $alone = dict "sidecar.istio.io/inject" "false" "linkerd.io/inject" "disabled" -}}
{{- end -}}
{{- $own := dig "podAnnotations" dict (default dict .own) -}}
{{- mergeOverwrite $alone (default dict $jobs.podAnnotations) $own | toYaml -}}
{{- end -}}
