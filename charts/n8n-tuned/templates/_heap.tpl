{{/* V8's flags of a role; empty leaves the heap to V8. */}}
{{- define "n8n-tuned.heap.flags" -}}
{{- with include "n8n-tuned.heap" . -}}
--max-old-space-size={{ . }}
{{- $derived := include "n8n-tuned.heap.derived" $ -}}
{{- if and $derived (include "n8n-tuned.since" (list $.root "2.0.0")) }} --max-semi-space-size=16{{ end -}}
{{- end -}}
{{- end -}}

{{- define "n8n-tuned.heap.derived" -}}
{{- has "heapFromLimit" (include "n8n-tuned.tuning.active" .root | fromYamlArray) | ternary "true" "" -}}
{{- end -}}

{{/* A Kubernetes quantity in MiB, rounded down; empty if there is none. */}}
{{- define "n8n-tuned.mebibytes" -}}
{{- with default "" . -}}
  {{- divf (include "n8n-tuned.quantity" .) 1048576 | floor | int64 -}}
{{- end -}}
{{- end -}}

{{/* The memory limit of a role in MiB; empty if it has none. */}}
{{- define "n8n-tuned.heap.limit" -}}
{{- include "n8n-tuned.mebibytes" (dig "resources" "limits" "memory" "" (include "n8n-tuned.role" . | fromYaml)) -}}
{{- end -}}

{{/* MB that a role cannot do without: n8n 2 uses 180 before it does anything. */}}
{{- define "n8n-tuned.heap.least" -}}
{{- and (ne .name "runner") (include "n8n-tuned.since" (list .root "2.0.0")) | empty | ternary 128 192 -}}
{{- end -}}

{{/*
V8's old space of a role in MB; empty leaves it to V8. A multiple of 16, because the figure is no more exact than that.
A small limit leaves less than a role needs: it then gets the least, and NOTES say that it is short of memory.
*/}}
{{- define "n8n-tuned.heap" -}}
{{- $heap := (include "n8n-tuned.role" . | fromYaml).heap -}}
{{- $limit := include "n8n-tuned.heap.limit" . -}}
{{- if $heap.megabytes -}}
  {{- int $heap.megabytes -}}
{{- else if and $limit (include "n8n-tuned.heap.derived" .) -}}
  {{- $room := div (mul $limit (int $heap.percent)) 100 -}}
  {{- /* MB of V8's young generation beside it: three semi-spaces of 16 MB. Node 24 (n8n 2.x) would make them 64 MB, but
  the old space makes better use of that memory. */ -}}
  {{- $young := 48 -}}
  {{- $runner := include "n8n-tuned.runner.inside" . -}}
  {{- $old := mul (div (sub (sub (sub $room $young) (int $heap.reserve)) $runner) 16) 16 -}}
  {{- $least := include "n8n-tuned.heap.least" . | int -}}
  {{- if and (lt (int $old) $least) (ge (int $limit) (add $least 256 | int)) -}}
    {{- $old = $least -}}
  {{- end -}}
  {{- $old -}}
{{- end -}}
{{- end -}}
