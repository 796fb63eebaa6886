{{/* What a role's pods are told of their place, of the fields that Kubernetes has for it. */}}
{{- define "n8n-tuned.placement" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- range $field := list "priorityClassName" "runtimeClassName" "nodeSelector" "tolerations" "affinity" "hostAliases" "dnsConfig" -}}
{{- with index $role $field }}
{{ dict $field . | toYaml }}
{{- end }}
{{- end }}
{{- with include "n8n-tuned.spread" . | fromYamlArray }}
topologySpreadConstraints:
  {{- range . }}
  - {{- merge . (dict "labelSelector" (dict "matchLabels" (include "n8n-tuned.selector" $ | fromYaml))) | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/*
Pods of a role go to different nodes where they can. Said of one that has a single pod too:
to have more of them must not replace the one there is.
*/}}
{{- define "n8n-tuned.spread" -}}
{{- $given := (include "n8n-tuned.role" . | fromYaml).topologySpread -}}
{{- if $given -}}
{{- toYaml $given -}}
{{- else if eq .root.Values.executions.mode "queue" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  # Counted within a rollout: the pods it replaces do not weigh.
  matchLabelKeys: [pod-template-hash]
{{- end -}}
{{- end -}}
