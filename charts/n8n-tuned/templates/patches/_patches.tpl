{{/*
Patches change n8n's own code. Node loads files/patches/loader.js before n8n, which applies the patches that
N8N_TUNED_PATCHES names. files/verified-n8n.json lists the n8n releases that each was verified on; for others none is
rendered. An entry names the mode or kind of database that a patch is for, the first release that needs it (since),
and the first that does not (before).
*/}}
{{- define "n8n-tuned.patches.table" -}}
commitEachMigration: { database: postgresql, since: 2.33.0 }
confirmCrashes: { mode: queue }
fastIsolates: {}
fewerQueries: {}
finishTakenJobs: { mode: queue }
freeJobResults: { mode: queue }
keepFinishedJobsN8n1: { mode: queue, before: 2.0.0 }
keepLostRequests: { mode: queue }
keepSubscriptions: { mode: queue }
lazyIsolatesN8n1: { before: 2.0.0 }
postgresSetupOnce: { database: postgresql }
quietSqliteDriver: { database: sqlite }
refuseExcessWebhooks: {}
requeueLostJobs: { mode: queue }
waitForPostgresql: { database: postgresql }
{{- end -}}

{{/* The patches that the values ask for, as a YAML list. */}}
{{- define "n8n-tuned.patches.wanted" -}}
{{- $wanted := list -}}
{{- range $name, $entry := include "n8n-tuned.patches.table" . | fromYaml -}}
  {{- $chosen := index $.Values.tuning.patches $name -}}
  {{- if include "n8n-tuned.tuning.wanted" (dict "root" $ "chosen" $chosen "tier" "patched" "entry" $entry) -}}
    {{- $wanted = append $wanted $name -}}
  {{- end -}}
{{- end -}}
{{- toYaml $wanted -}}
{{- end -}}

{{/* Those of them that were verified on this n8n. */}}
{{- define "n8n-tuned.patches.active" -}}
{{- $verified := .Files.Get "files/verified-n8n.json" | fromJson -}}
{{- $version := include "n8n-tuned.version" . -}}
{{- $active := list -}}
{{- range include "n8n-tuned.patches.wanted" . | fromYamlArray -}}
  {{- if has $version (index $verified .).n8n -}}
    {{- $active = append $active . -}}
  {{- end -}}
{{- end -}}
{{- toYaml $active -}}
{{- end -}}

{{/* The releases on which any patch was verified: `1.123.81, 2.41.1`. */}}
{{- define "n8n-tuned.patches.releases" -}}
{{- $releases := list -}}
{{- range .Files.Get "files/verified-n8n.json" | fromJson -}}
  {{- $releases = concat $releases .n8n -}}
{{- end -}}
{{- $releases | uniq | sortAlpha | join ", " -}}
{{- end -}}

{{- define "n8n-tuned.patches.name" -}}
{{- include "n8n-tuned.object" (dict "root" . "name" "patches") -}}
{{- end -}}

{{- define "n8n-tuned.patches.flags" -}}
{{- if include "n8n-tuned.patches.active" . | fromYamlArray -}}
--require /opt/n8n-tuned/patches/loader.js
{{- end -}}
{{- end -}}

{{/* Every file, whatever is in force: a container of an older pod that restarts still finds what it loads. */}}
{{- define "n8n-tuned.patches.data" -}}
{{- range $path, $_ := .Files.Glob "files/patches/*.js" }}
{{ base $path }}: |
  {{- $.Files.Get $path | trim | nindent 2 }}
{{- end }}
verified-n8n.json: |
  {{- .Files.Get "files/verified-n8n.json" | trim | nindent 2 }}
{{- end -}}

{{/* n8n reads them once, at its start: other files need another pod. */}}
{{- define "n8n-tuned.patches.checksum" -}}
{{- if include "n8n-tuned.patches.flags" . -}}
checksum/patches: {{ include "n8n-tuned.patches.data" . | sha256sum }}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.patches.mount" -}}
{{- if include "n8n-tuned.patches.flags" . }}
- { name: patches, mountPath: /opt/n8n-tuned/patches, readOnly: true }
{{- end }}
{{- end -}}

{{- define "n8n-tuned.patches.volume" -}}
{{- if include "n8n-tuned.patches.flags" . }}
- name: patches
  configMap: { name: {{ include "n8n-tuned.patches.name" . }} }
{{- end }}
{{- end -}}
