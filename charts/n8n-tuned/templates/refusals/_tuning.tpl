{{/* Settings and patches. */}}
{{- define "n8n-tuned.refuse.tuning" -}}
{{- $tuning := .Values.tuning }}
{{- $version := include "n8n-tuned.version" . }}
{{- range $key := keys $tuning | sortAlpha }}
{{- if not (has $key (list "tier" "trustEditors" "settings" "patches")) }}
tuning.{{ $key }}: Expected tier, trustEditors, settings or patches, got "{{ $key }}".
  {{ include "n8n-tuned.moved" $key }} See docs/tiers.md.
{{- end }}
{{- end }}
{{- $settings := include "n8n-tuned.tuning.settings" . | fromYaml }}
{{- $active := include "n8n-tuned.tuning.active" . | fromYamlArray }}
{{- range $name, $entry := $settings }}
{{- if eq true (index $tuning.settings $name) }}
{{- include "n8n-tuned.misplaced" (dict "root" $ "name" (printf "settings.%s" $name) "entry" $entry) }}
{{- if not (include "n8n-tuned.since" (list $ $entry.since)) }}
tuning.settings.{{ $name }}: Expected n8n {{ $entry.since }} or later, got {{ $version }}, which does not know it.
  Leave it out.
{{- end }}
{{- end }}
{{- end }}
{{- $verified := .Files.Get "files/verified-n8n.json" | fromJson }}
{{- range $name, $entry := include "n8n-tuned.patches.table" . | fromYaml }}
{{- if eq true (index $tuning.patches $name) }}
{{- include "n8n-tuned.misplaced" (dict "root" $ "name" (printf "patches.%s" $name) "entry" $entry) }}
{{- $releases := (index $verified $name).n8n }}
{{- if not (has $version $releases) }}
tuning.patches.{{ $name }}: Expected an n8n release that it was verified on ({{ join ", " $releases }}),
  got {{ $version }}. Leave it out, or verify it (make verify-n8n VERSION={{ $version }}).
{{- end }}
{{- end }}
{{- end }}
{{- $patches := include "n8n-tuned.patches.table" . | fromYaml }}
{{- $gone := include "n8n-tuned.patches.gone" . | fromYaml }}
{{- range $name, $chosen := $tuning.patches }}
{{- if and $chosen (hasKey $gone $name) }}
tuning.patches.{{ $name }}: Expected another way, got a patch that is gone: {{ index $gone $name }} Leave it out.
{{- else if not (or (hasKey $patches $name) (hasKey $gone $name)) }}
tuning.patches.{{ $name }}: Expected one of {{ keys $patches | sortAlpha | join ", " }}. There is no {{ $name }}.
{{- end }}
{{- end }}
{{- if and $tuning.trustEditors (not (include "n8n-tuned.since" (list . "1.123.81"))) }}
tuning.trustEditors: Expected n8n 1.123.81 or later, got {{ $version }}, which does not isolate expressions.
  Leave it out.
{{- end }}
{{- end -}}

{{/* A setting or patch that the values ask for in the wrong mode, or with the wrong database. */}}
{{- define "n8n-tuned.misplaced" -}}
{{- $database := include "n8n-tuned.tuning.database" .root -}}
{{- $mode := .root.Values.executions.mode -}}
{{- if ne (default $mode .entry.mode) $mode }}
tuning.{{ .name }}: Expected executions.mode {{ .entry.mode }} beside it, got {{ $mode }}. Leave it out.
{{- else if ne (default $database .entry.database) $database }}
{{- $wanted := eq .entry.database "sqlite" | ternary "SQLite" "a PostgreSQL" }}
tuning.{{ .name }}: Expected {{ $wanted }} beside it, got database.type {{ quote .root.Values.database.type }}.
  Leave it out.
{{- end -}}
{{- end -}}

{{/* The new place of a value of `tuning` in earlier charts, as a sentence. */}}
{{- define "n8n-tuned.moved" -}}
{{- $moved := dict
  "profile" "tuning.tier: patched is nearest to tuned, and trusted-editors is that with tuning.trustEditors: true"
  "legacyExpressions" "tuning.trustEditors"
  "lazyIsolates" "tuning.settings.lazyIsolates"
  "compileCache" "tuning.settings.isolateCompileCache"
  "derivedHeap" "tuning.settings.heapFromLimit"
  "databasePool" "tuning.settings.databasePool"
  "keepJobs" "tuning.settings.keepFinishedJobs"
  "discardSuccess" "tuning.settings.discardSuccess"
  "noStatistics" "tuning.settings.noStatistics"
  "noInsights" "tuning.settings.noInsights"
  "lightIsolates" "tuning.patches.fastIsolates"
  "fewerQueries" "tuning.patches.fewerQueries"
  "noQueryTraces" "tuning.patches.quietSqliteDriver"
  "boundedWebhooks" "tuning.patches.refuseExcessWebhooks"
  "noPruning" "EXECUTIONS_DATA_PRUNE in role.extraEnv" -}}
{{- $gone := list "sharedSyncs" "rareSyncs" "rareCollections" "youngClosures" "tidyStart" "lazyModules"
  "lightStart" "groupedEvents" "groupedWebhooks" "spareIsolates" "settledConnections" -}}
{{- if hasKey $moved . -}}
It is now {{ index $moved . }}.
{{- else if has . $gone -}}
It is gone; leave it out.
{{- else -}}
There is no such setting; leave it out.
{{- end -}}
{{- end -}}

{{/* Patches of earlier charts, and what an operator does instead. */}}
{{- define "n8n-tuned.patches.gone" -}}
commitEachMigration: it could leave a database half migrated. Upgrade in two steps (docs/upgrade.md).
finishTakenJobs: it rewrote how n8n takes jobs. Update workers while few executions wait.
keepFinishedJobsN8n1: n8n 2.22 and later have a setting against it, which the chart uses.
keepSubscriptions: the alert N8nAnswersLate tells of it, and a restart ends it.
lazyIsolatesN8n1: n8n 2.40 and later have settings for it, which the chart uses.
postgresSetupOnce: behind PgBouncer in transaction mode n8n could write into another schema.
requeueLostJobs: it could run an execution twice. The alert N8nQueueLost tells of it, and a restart ends the wait.
{{- end -}}
