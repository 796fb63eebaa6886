{{/* The settings of a role: its own override those of `role`, and its lists are added to those. (dict "root" $ "name"
  "main") */}}
{{- define "n8n-tuned.role" -}}
{{- $shared := .root.Values.role -}}
{{- $own := include "n8n-tuned.role.own" . | fromYaml -}}
{{- $role := mergeOverwrite (deepCopy $shared) (deepCopy $own) -}}
{{- /* Values set to null leave nothing of the chart's. */ -}}
{{- range list "extraEnv" "podLabels" "podAnnotations" "podSecurityContext" "securityContext" "lifecycle" "probes" -}}
  {{- if kindIs "invalid" (index $role .) -}}{{- $_ := set $role . dict -}}{{- end -}}
{{- end -}}
{{- range $name, $probe := $own.probes -}}
  {{- if kindIs "invalid" $probe -}}{{- $_ := set $role.probes $name $probe -}}{{- end -}}
{{- end -}}
{{- /* A variable has one source, because Kubernetes would refuse two merged ones. */ -}}
{{- range $name, $value := $own.extraEnv -}}
  {{- $_ := set $role.extraEnv $name $value -}}
{{- end -}}
{{- $_ := set $role "extraEnvFrom" (concat (default list $shared.extraEnvFrom) (default list $own.extraEnvFrom)) -}}
{{- range $list, $key := dict
  "extraVolumes" "name"
  "extraVolumeMounts" "mountPath"
  "extraInitContainers" "name"
  "extraContainers" "name" -}}
  {{- $both := include "n8n-tuned.role.list" (list (index $shared $list) (index $own $list) $key) -}}
  {{- $_ := set $role $list (fromYamlArray $both) -}}
{{- end -}}
{{- toYaml $role -}}
{{- end -}}

{{/* The values of a role itself. A pool of workers starts from `worker`, its own values override those, and it has
  its own scaling. */}}
{{- define "n8n-tuned.role.own" -}}
{{- $own := index .root.Values .name | default dict -}}
{{- range .root.Values.worker.pools -}}
  {{- if eq $.name (printf "worker-%s" .name) -}}
    {{- $own = mergeOverwrite (deepCopy $.root.Values.worker) (dict "autoscaling" (dict "by" "none")) (deepCopy .) -}}
  {{- end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/* A shared list, followed by a role's own, which replaces entries with the same key: (list $shared $own "name") */}}
{{- define "n8n-tuned.role.list" -}}
{{- $own := default list (index . 1) -}}
{{- $taken := list -}}
{{- range $own -}}{{- $taken = append $taken (index . (last $)) -}}{{- end -}}
{{- $list := list -}}
{{- range first . -}}{{- if not (has (index . (last $)) $taken) -}}{{- $list = append $list . -}}{{- end -}}{{- end -}}
{{- concat $list $own | toYaml -}}
{{- end -}}

{{/* "true" for workers, in a pool or not. */}}
{{- define "n8n-tuned.isWorker" -}}
{{- if regexMatch "^worker(-|$)" .name -}}true{{- end -}}
{{- end -}}

{{/* The roles that are deployed, as a YAML list. */}}
{{- define "n8n-tuned.roles" -}}
- main
{{- if eq .Values.executions.mode "queue" }}
- worker
{{- range .Values.worker.pools }}
- worker-{{ .name }}
{{- end }}
{{- if ne (include "n8n-tuned.replicas.max" (dict "root" . "name" "webhook")) "0" }}
- webhook
{{- end }}
{{- end }}
{{- end -}}

{{/* The role that answers production webhooks. */}}
{{- define "n8n-tuned.webhookRole" -}}
{{- has "webhook" (include "n8n-tuned.roles" . | fromYamlArray) | ternary "webhook" "main" -}}
{{- end -}}

{{- define "n8n-tuned.autoscaled" -}}
{{- ne (include "n8n-tuned.role" . | fromYaml).autoscaling.by "none" | ternary "true" "" -}}
{{- end -}}

{{/* The fewest and the most pods that a role can have. */}}
{{- define "n8n-tuned.replicas.min" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- include "n8n-tuned.autoscaled" . | empty | ternary $role.replicas $role.autoscaling.min | int -}}
{{- end -}}

{{- define "n8n-tuned.replicas.max" -}}
{{- $role := include "n8n-tuned.role" . | fromYaml -}}
{{- include "n8n-tuned.autoscaled" . | empty | ternary $role.replicas $role.autoscaling.max | int -}}
{{- end -}}

{{/* With a licence, several mains share the work, and elect a leader. */}}
{{- define "n8n-tuned.multiMain" -}}
{{- if gt (include "n8n-tuned.replicas.max" (dict "root" . "name" "main") | int) 1 -}}true{{- end -}}
{{- end -}}

{{/* n8n's folder is a volume if main executes itself. In queue mode PostgreSQL has its content, and main gets a
  volume only if the values say so. */}}
{{- define "n8n-tuned.persistent" -}}
{{- with .root.Values.persistence -}}
{{- if and .enabled (eq $.name "main") (or .inQueueMode (eq $.root.Values.executions.mode "regular")) -}}true{{- end -}}
{{- end -}}
{{- end -}}

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

{{/* A value as text. Helm reads whole numbers as floats, and would print 1e+06. */}}
{{- define "n8n-tuned.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end -}}
