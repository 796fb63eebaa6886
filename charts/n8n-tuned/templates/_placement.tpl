{{/* Where a role's pods may run, from the values with the names of Kubernetes' fields. */}}
{{- define "n8n-tuned.placement" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- range $field := list "priorityClassName" "runtimeClassName" "nodeSelector" "tolerations" "affinity" "hostAliases"
  "dnsConfig" "dnsPolicy" -}}
{{- with index $role $field }}
{{ dict $field . | toYaml }}
{{- end }}
{{- end }}
{{- if kindIs "bool" $role.hostUsers }}
hostUsers: {{ $role.hostUsers }}
{{- end }}
{{- with include "n8n-tuned.spread" . | fromYamlArray }}
topologySpreadConstraints:
  {{- range . }}
  {{- $selector := dict "matchLabels" (include "n8n-tuned.selector" $ | fromYaml) }}
  - {{- merge . (dict "labelSelector" $selector) | toYaml | nindent 4 }}
  {{- end }}
{{- end }}
{{- end -}}

{{/*
Pods of a role go to different nodes if possible. A role with a single pod gets the rule, too, so that adding pods does
not replace the first one.
*/}}
{{- define "n8n-tuned.spread" -}}
{{- $given := (include "n8n-tuned.role" . | fromYaml).topologySpread -}}
{{- if $given -}}
{{- toYaml $given -}}
{{- else if eq .root.Values.executions.mode "queue" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
  # Counts only pods of the same rollout, not those that it replaces.
  matchLabelKeys: [pod-template-hash]
{{- end -}}
{{- end -}}
