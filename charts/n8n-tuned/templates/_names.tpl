{{- define "n8n-tuned.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* Release and chart; only one of them if it contains the other. */}}
{{- define "n8n-tuned.fullname" -}}
{{- $name := include "n8n-tuned.name" . -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- default $full .Values.fullnameOverride -}}
{{- end -}}

{{/*
The name of one of the chart's objects: (dict "root" $ "name" "main"). The longest suffix always fits into the 63
characters that Services and labels may have.
*/}}
{{- define "n8n-tuned.object" -}}
{{- $room := sub 62 (len .name) | int -}}
{{- printf "%s-%s" (include "n8n-tuned.fullname" .root | trunc $room | trimSuffix "-") .name -}}
{{- end -}}

{{- define "n8n-tuned.serviceAccountName" -}}
{{- $own := include "n8n-tuned.fullname" . | trunc 63 | trimSuffix "-" -}}
{{- default (ternary $own "default" .Values.serviceAccount.create) .Values.serviceAccount.name -}}
{{- end -}}

{{/* The account of pods that need no identity of a cloud, such as Redis. */}}
{{- define "n8n-tuned.plainAccountName" -}}
{{- $own := include "n8n-tuned.object" (dict "root" . "name" "plain") -}}
{{- default (ternary $own "default" .Values.serviceAccount.create) .Values.serviceAccount.plain -}}
{{- end -}}

{{- define "n8n-tuned.claimName" -}}
{{- default (include "n8n-tuned.object" (dict "root" . "name" "data")) .Values.persistence.existingClaim -}}
{{- end -}}

{{/* For objects with data or a key: neither Helm nor Argo CD nor Flux deletes them. */}}
{{- define "n8n-tuned.kept" -}}
helm.sh/resource-policy: keep
argocd.argoproj.io/sync-options: Prune=false,Delete=false
argocd.argoproj.io/compare-options: IgnoreExtraneous
kustomize.toolkit.fluxcd.io/prune: disabled
{{- end -}}

{{/* Selects a role's pods; never changes while the release exists. */}}
{{- define "n8n-tuned.selector" -}}
app.kubernetes.io/name: {{ include "n8n-tuned.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/*
The metadata of an object: (dict "of" (dict "root" $ "name" "main")), with "called" if its name is another. Its own
"labels" and "annotations" override those of every object.
*/}}
{{- define "n8n-tuned.metadata" -}}
{{- $values := .of.root.Values -}}
name: {{ default (include "n8n-tuned.object" .of) .called | quote }}
namespace: {{ .of.root.Release.Namespace }}
labels:
  {{- $ours := dict
    "app.kubernetes.io/part-of" "n8n"
    "app.kubernetes.io/version" (include "n8n-tuned.version" .of.root)
    "app.kubernetes.io/managed-by" .of.root.Release.Service
    "helm.sh/chart" (printf "%s-%s" .of.root.Chart.Name .of.root.Chart.Version | replace "+" "_") }}
  {{- $ours = merge $ours (include "n8n-tuned.selector" .of | fromYaml) }}
  {{- mergeOverwrite (deepCopy $values.commonLabels) (default dict .labels) $ours | toYaml | nindent 2 }}
{{- with mergeOverwrite (deepCopy $values.commonAnnotations) (default dict .annotations) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/*
Names, hosts and addresses among the values may be templates, such as `{{ .Release.Name }}-db`. They are completed in
place, before anything else is rendered. Nothing else is, because annotations and variables may have braces of their
own, such as those of Vault's agent. (dict "root" $ "in" a-map-of-values)
*/}}
{{- define "n8n-tuned.completed" -}}
{{- $root := .root -}}
{{- $in := .in -}}
{{- $names := list "name" "host" "extraHosts" "secretName" "existingClaim" "className" "storageClass" "bucket"
  "publicUrl" "webhookUrl" "repository" "clusterNodes" "user" "schema" "plain" "discoveryUrl" "registry" -}}
{{- range $key, $value := omit $in "global" "extraObjects" -}}
  {{- if kindIs "map" $value -}}
    {{- include "n8n-tuned.completed" (dict "root" $root "in" $value) -}}
  {{- else if kindIs "slice" $value -}}
    {{- $list := list -}}
    {{- range $value -}}
      {{- if kindIs "map" . -}}{{- include "n8n-tuned.completed" (dict "root" $root "in" .) -}}{{- end -}}
      {{- if and (kindIs "string" .) (has $key $names) -}}
        {{- $list = append $list (tpl . $root) -}}
      {{- else -}}
        {{- $list = append $list . -}}
      {{- end -}}
    {{- end -}}
    {{- if has $key $names -}}{{- $_ := set $in $key $list -}}{{- end -}}
  {{- else if and (kindIs "string" $value) (has $key $names) (contains "{{" $value) -}}
    {{- $_ := set $in $key (tpl $value $root) -}}
  {{- end -}}
{{- end -}}
{{- end -}}
