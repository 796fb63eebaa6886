{{/*
The settings of `tuning.settings`. For each: the lowest tier that applies it, the first n8n release in which we saw it,
its mode or kind of database, its environment, and its trade-off. values.yaml says what each does.
*/}}
{{- define "n8n-tuned.tuning.settings" -}}
lazyIsolates: { tier: tuned, since: 2.40.0, env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: "true" } }
isolateCompileCache: { tier: tuned, since: 2.40.0, env: { N8N_EXPRESSION_ENGINE_COMPILE_CACHE: "true" } }
# _heap.tpl computes its flags.
heapFromLimit: { tier: tuned, since: 0.221.0, env: {} }
# _database.tpl writes its environment.
databasePool: { tier: tuned, since: 1.0.0, database: postgresql, env: {} }
keepFinishedJobs:
  tier: tuned
  since: 2.22.0
  mode: queue
  env: { N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: "1000", N8N_EXECUTIONS_QUEUE_KEEP_LAST_FAILED: "1000" }
waitForRedis: { tier: tuned, since: 0.221.0, mode: queue, env: { QUEUE_BULL_REDIS_TIMEOUT_THRESHOLD: "60000" } }
reconnectSoon: { tier: tuned, since: 2.27.3, database: postgresql, env: { DB_RECOVERY_BACKOFF_MAX_MS: "5000" } }
discardSuccess:
  tier: lean
  since: 0.221.0
  givesUp: the history of successful executions
  env: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: none }
# n8n only checks whether this variable exists, so "false" is never rendered.
noStatistics: { tier: lean, since: 0.221.0, givesUp: execution statistics, env: { SKIP_STATISTICS_EVENTS: "true" } }
noInsights: { tier: lean, since: 1.94.0, givesUp: the insights page, env: { N8N_DISABLED_MODULES: insights } }
{{- end -}}

{{- define "n8n-tuned.tuning.database" -}}
{{- $own := include "n8n-tuned.mysql" . | empty | ternary "postgresql" "mysql" -}}
{{- eq .Values.database.type "sqlite" | ternary "sqlite" $own -}}
{{- end -}}

{{/*
Whether a setting or patch applies: the user's choice, otherwise the tier's, but only in its mode and with its database.
(dict "root" $ "chosen" null|bool "tier" "lean" "entry" {…})
*/}}
{{- define "n8n-tuned.tuning.wanted" -}}
{{- $wanted := .chosen -}}
{{- if not (kindIs "bool" $wanted) -}}
  {{- $rank := dict "n8n-defaults" 0 "tuned" 1 "lean" 2 "patched" 3 -}}
  {{- $wanted = ge (index $rank .root.Values.tuning.tier) (index $rank .tier) -}}
{{- end -}}
{{- $mode := .root.Values.executions.mode -}}
{{- $database := include "n8n-tuned.tuning.database" .root -}}
{{- $inMode := eq (default $mode .entry.mode) $mode -}}
{{- $withDatabase := eq (default $database .entry.database) $database -}}
{{- if and $wanted $inMode $withDatabase -}}true{{- end -}}
{{- end -}}

{{/* The names of the settings that apply, as a YAML list. */}}
{{- define "n8n-tuned.tuning.active" -}}
{{- $active := list -}}
{{- range $name, $entry := include "n8n-tuned.tuning.settings" . | fromYaml -}}
  {{- $chosen := index $.Values.tuning.settings $name -}}
  {{- $of := dict "root" $ "chosen" $chosen "tier" $entry.tier "entry" $entry -}}
  {{- if and (include "n8n-tuned.tuning.wanted" $of) (include "n8n-tuned.since" (list $ $entry.since)) -}}
    {{- $active = append $active $name -}}
  {{- end -}}
{{- end -}}
{{- toYaml $active -}}
{{- end -}}

{{- define "n8n-tuned.tuning.env" -}}
{{- $settings := include "n8n-tuned.tuning.settings" . | fromYaml -}}
{{- $env := dict -}}
{{- range include "n8n-tuned.tuning.active" . | fromYamlArray -}}
  {{- $env = merge $env (index $settings .).env -}}
{{- end -}}
{{- if and .Values.tuning.trustEditors (include "n8n-tuned.since" (list . "1.123.81")) -}}
  {{- $_ := set $env "N8N_EXPRESSION_ENGINE" "legacy" -}}
{{- end -}}
{{- with include "n8n-tuned.patches.active" . | fromYamlArray -}}
  {{- $_ := set $env "N8N_TUNED_PATCHES" (join "," .) -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}

{{/* What is lost with these values, in words; empty if nothing is. */}}
{{- define "n8n-tuned.tuning.givesUp" -}}
{{- $settings := include "n8n-tuned.tuning.settings" . | fromYaml -}}
{{- $given := list -}}
{{- range include "n8n-tuned.tuning.active" . | fromYamlArray -}}
  {{- with (index $settings .).givesUp -}}{{- $given = append $given . -}}{{- end -}}
{{- end -}}
{{- if include "n8n-tuned.patches.active" . | fromYamlArray -}}
  {{- $given = append $given "n8n's code as it was released" -}}
{{- end -}}
{{- if .Values.tuning.trustEditors -}}
  {{- $given = append $given "the isolation of expressions" -}}
{{- end -}}
{{- join ", " $given -}}
{{- end -}}

{{/* The tier and what is lost with it, for people and for the lab's report; and the sum of the patches. */}}
{{- define "n8n-tuned.tuning.annotations" -}}
n8n-tuned/tier: {{ .Values.tuning.tier }}
{{- with include "n8n-tuned.tuning.givesUp" . }}
n8n-tuned/gives-up: {{ quote . }}
{{- end }}
{{- /* n8n reads patches once, at its start. */}}
{{- if include "n8n-tuned.patches.flags" . }}
checksum/patches: {{ include "n8n-tuned.patches.data" . | sha256sum }}
{{- end }}
{{- end -}}

{{/*
Patches change n8n's own code. Node loads files/patches/loader.js before n8n, which applies the patches that
N8N_TUNED_PATCHES names. files/verified-n8n.json lists the n8n releases that each was verified on; for others none is
rendered. An entry names the mode or kind of database that a patch is for. Those with a tier save time; the others mend
what n8n loses, and each is chosen by itself.
*/}}
{{- define "n8n-tuned.patches.table" -}}
fastIsolates: { tier: patched }
fewerQueries: { tier: patched }
quietSqliteDriver: { tier: patched, database: sqlite }
confirmCrashes: { mode: queue }
freeJobResults: { mode: queue }
keepLostRequests: { mode: queue }
refuseExcessWebhooks: {}
waitForPostgresql: { database: postgresql }
{{- end -}}

{{/* The patches that the values ask for, as a YAML list. */}}
{{- define "n8n-tuned.patches.wanted" -}}
{{- $wanted := list -}}
{{- range $name, $entry := include "n8n-tuned.patches.table" . | fromYaml -}}
  {{- $chosen := index $.Values.tuning.patches $name -}}
  {{- if and (kindIs "invalid" $chosen) (not $entry.tier) -}}{{- $chosen = false -}}{{- end -}}
  {{- if include "n8n-tuned.tuning.wanted" (dict "root" $ "chosen" $chosen "tier" $entry.tier "entry" $entry) -}}
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
