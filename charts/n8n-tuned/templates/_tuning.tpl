{{/*
The tuned settings, each once: the first release seen to know it and the one that needs it no more, the
environment that applies it, the setting it is only safe together with, the one that leaves it nothing to do, the mode or
kind of database it matters in, and whether it is one of files/preload. `optional` ones are no part of a profile, `trust` ones
of `trusted-editors` alone.
What they do and cost is said in values.yaml.
*/}}
{{- define "n8n-tuned.tuning.table" -}}
lazyIsolates: { since: 2.40.0, env: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: "true" } }
compileCache: { since: 2.40.0, env: { N8N_EXPRESSION_ENGINE_COMPILE_CACHE: "true" } }
# Known to fit the runtimes of 1.123.81 and 2.41.1, and changes nothing in others.
lightIsolates: { since: 1.123.81, env: {}, preload: true }
# What lazyIsolates and compileCache are later. Known to fit 1.123.81, and changes nothing in others.
spareIsolates: { since: 1.123.81, before: 2.0.0, env: {}, preload: true }
# Fits where those libraries are, and changes nothing where they are not.
lazyModules: { since: 2.41.0, env: {}, preload: true }
# As for isolates, what it changes is read and left alone where it does not fit.
lightStart: { since: 2.41.0, env: {}, preload: true }
# Measured on no earlier release.
boundedWebhooks: { since: 2.41.0, env: {}, preload: true }
# What it changes is the same in 1.123.81 and 2.41.1, and left alone where it is not.
groupedEvents: { since: 1.123.81, env: {}, preload: true }
# As for isolates, what it changes is read and left alone where it does not fit.
fewerQueries: { since: 2.41.0, env: {}, preload: true }
# Trades the median answer for the rate. Measured on no earlier release.
groupedWebhooks: { since: 2.41.0, optional: true, env: {}, preload: true }
legacyExpressions: { since: 1.123.81, trust: true, env: { N8N_EXPRESSION_ENGINE: legacy } }
discardSuccess: { since: 0.221.0, env: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: none } }
noPruning: { since: 1.0.0, with: discardSuccess, optional: true, env: { EXECUTIONS_DATA_PRUNE: "false" } }
# Gives the insights page up for little.
noInsights: { since: 1.94.0, optional: true, env: { N8N_DISABLED_MODULES: insights } }
# n8n only looks whether this one is there: it is never rendered as "false".
noStatistics: { since: 0.221.0, env: { SKIP_STATISTICS_EVENTS: "true" } }
noQueryTraces: { since: 0.221.0, database: sqlite, env: {}, preload: true }
# Measured on no earlier release.
rareCollections: { since: 2.41.0, env: {}, preload: true }
# As for isolates, what it changes is read and left alone where it does not fit.
sharedSyncs: { since: 2.41.0, database: sqlite, without: rareSyncs, env: {}, preload: true }
# Trades the last second before a machine's end for the rate. As for isolates, it fits or changes nothing.
rareSyncs: { since: 2.41.0, database: sqlite, optional: true, env: {}, preload: true }
# As for isolates, what it changes is read and left alone where it does not fit.
youngClosures: { since: 2.41.0, env: {}, preload: true }
tidyStart: { since: 2.41.0, env: {}, preload: true }
derivedHeap: { since: 0.221.0, env: {} }
# As for isolates, it fits or changes nothing.
settledConnections: { since: 2.41.0, database: postgresql, env: {}, preload: true }
# Its environment is written with the database's.
databasePool: { since: 1.0.0, database: postgresql, env: {} }
# 2.41 is the first release seen with them.
keepJobs: { since: 2.41.0, mode: queue, env: { N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: "1000", N8N_EXECUTIONS_QUEUE_KEEP_LAST_FAILED: "1000" } }
{{- end -}}

{{- define "n8n-tuned.tuning.database" -}}
{{- eq .Values.database.type "sqlite" | ternary "sqlite" "postgresql" -}}
{{- end -}}

{{/* The names of the settings in force, as a YAML list. */}}
{{- define "n8n-tuned.tuning.active" -}}
{{- $tuning := .Values.tuning -}}
{{- $database := include "n8n-tuned.tuning.database" . -}}
{{- $active := list -}}
{{- range $name, $setting := include "n8n-tuned.tuning.table" . | fromYaml -}}
  {{- $chosen := index $tuning $name -}}
  {{- if not (kindIs "bool" $chosen) -}}
    {{- $chosen = and (ne $tuning.profile "n8n-defaults") (not $setting.optional) (or (not $setting.trust) (eq $tuning.profile "trusted-editors")) -}}
    {{- with $setting.with -}}
      {{- $chosen = and $chosen (ne false (index $tuning .)) -}}
    {{- end -}}
  {{- end -}}
  {{- with $setting.without -}}
    {{- $chosen = and $chosen (ne true (index $tuning .)) -}}
  {{- end -}}
  {{- if ne (default $.Values.executions.mode $setting.mode) $.Values.executions.mode -}}
    {{- $chosen = false -}}
  {{- end -}}
  {{- if ne (default $database $setting.database) $database -}}
    {{- $chosen = false -}}
  {{- end -}}
  {{- with $setting.before -}}
    {{- $chosen = and $chosen (not (include "n8n-tuned.since" (list $ .))) -}}
  {{- end -}}
  {{- if and $chosen (include "n8n-tuned.since" (list $ $setting.since)) -}}
    {{- $active = append $active $name -}}
  {{- end -}}
{{- end -}}
{{- toYaml $active -}}
{{- end -}}

{{- define "n8n-tuned.tuning.env" -}}
{{- $table := include "n8n-tuned.tuning.table" . | fromYaml -}}
{{- $env := dict -}}
{{- range include "n8n-tuned.tuning.active" . | fromYamlArray -}}
  {{- $env = merge $env (index $table .).env -}}
{{- end -}}
{{- toYaml $env -}}
{{- end -}}
