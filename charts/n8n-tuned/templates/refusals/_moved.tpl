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
  "spareIsolates" "tuning.patches.lazyIsolatesN8n1"
  "settledConnections" "tuning.patches.postgresSetupOnce"
  "noQueryTraces" "tuning.patches.quietSqliteDriver"
  "boundedWebhooks" "tuning.patches.refuseExcessWebhooks"
  "noPruning" "EXECUTIONS_DATA_PRUNE in role.extraEnv" -}}
{{- $gone := list "sharedSyncs" "rareSyncs" "rareCollections" "youngClosures" "tidyStart" "lazyModules"
  "lightStart" "groupedEvents" "groupedWebhooks" -}}
{{- if hasKey $moved . -}}
It is now {{ index $moved . }}.
{{- else if has . $gone -}}
It is gone; leave it out.
{{- else -}}
There is no such setting; leave it out.
{{- end -}}
{{- end -}}
