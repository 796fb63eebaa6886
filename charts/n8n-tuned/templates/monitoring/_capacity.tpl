{{/*
What n8n is asked for, against what was measured (`capacity`):
(dict "root" $ "ours" its-labels "labels" what-they-carry "runbooks" their-address)

Every series that is recorded here has the labels of its release and no others, so it is enough to choose the first in
an expression: the rest follow.
*/}}
{{- define "n8n-tuned.rules.capacity" -}}
{{- $capacity := .root.Values.capacity -}}
{{- $rate := $capacity.rate | float64 | toString -}}
{{- $safe := divf ($capacity.safe | default (mulf 0.7 $capacity.rate)) $capacity.rate -}}
{{- $of := printf "{%s}" .ours -}}
{{- /* Who takes a request counts it. A worker would also count the sub-workflows in it. */}}
{{- $started := printf `n8n_workflow_started_total{%s, role!~"worker.*"}` .ours -}}
{{- /* The last twelve weeks, a point each. A week of Prometheus begins on Thursday. */}}
{{- $weeks := printf "n8n_tuned:executions:busiest_hour7d%s[12w:1w]" $of -}}
{{- $times := printf "(time() + 0 * n8n_tuned:executions:busiest_hour7d%s)[12w:1w]" $of -}}
- record: n8n_tuned:executions:rate5m
  expr: sum(rate({{ $started }}[5m]))
  labels: &release { {{ .labels }} }
- record: n8n_tuned:executions:rate1h
  expr: sum(rate({{ $started }}[1h]))
  labels: *release
- record: n8n_tuned:executions:busiest_hour7d
  # Only of a week that was seen from its beginning: a shorter one would look like growth.
  expr: |
    max_over_time(n8n_tuned:executions:rate1h{{ $of }}[7d])
    and last_over_time(n8n_tuned:executions:rate1h[6h] offset 162h)
- record: n8n_tuned:capacity_used:ratio
  expr: n8n_tuned:executions:rate5m{{ $of }} / {{ $rate }}
- record: n8n_tuned:capacity_used_busiest_hour:ratio
  expr: n8n_tuned:executions:busiest_hour7d{{ $of }} / {{ $rate }}

# The line through the busiest hours of these weeks. Rates are executions a second, times are seconds.
- record: n8n_tuned:growth:weeks
  expr: count_over_time({{ $weeks }})
- record: n8n_tuned:growth:slope
  expr: deriv({{ $weeks }})
- record: n8n_tuned:growth:time_variance
  expr: stdvar_over_time({{ $times }})
- record: n8n_tuned:growth:slope_variance
  # What is left of the rates' variance, over that of the times. Rounding may take it below zero.
  expr: |
    clamp_min(
      stdvar_over_time({{ $weeks }}) / n8n_tuned:growth:time_variance - n8n_tuned:growth:slope ^ 2, 0
    ) / (n8n_tuned:growth:weeks - 2)
- record: n8n_tuned:growth:certain_slope
  # The slope, where four weeks or more make it certain (99 %). If one week made half of the growth it was a step, and
  # nothing says that another follows.
  expr: |
    n8n_tuned:growth:slope{{ $of }}
    and n8n_tuned:growth:weeks >= 4
    and n8n_tuned:growth:slope > sqrt(n8n_tuned:growth:slope_variance)
      * {{ include "n8n-tuned.rules.student" (list "2.576" "4.917" "8.84" "12.2") }}
    and max_over_time(
      (n8n_tuned:executions:busiest_hour7d{{ $of }} - n8n_tuned:executions:busiest_hour7d offset 1w)[11w:1w]
    ) < 0.5 * n8n_tuned:growth:slope * 604800 * (n8n_tuned:growth:weeks - 1)
- record: n8n_tuned:growth:doubt
  # What chance may make of the slope's square (95 %).
  expr: |
    n8n_tuned:growth:slope_variance{{ $of }}
      * {{ include "n8n-tuned.rules.student" (list "1.96" "2.372" "2.82" "2.56") }} ^ 2
- record: n8n_tuned:growth:mean
  expr: avg_over_time({{ $weeks }})
- record: n8n_tuned:growth:room
  # From the middle of the line up to capacity.
  expr: {{ $rate }} - n8n_tuned:growth:mean{{ $of }}

# When the line meets capacity, and between when and when the busiest hour of a single week does (95 %). That is where
# (room − slope × t)² = doubt × (t² + (weeks + 1) × time_variance). Here t counts from the middle of the line. Growth that
# compounds is there earlier than a line, so the earliest is what it would make of that time.
- record: n8n_tuned:out_of_capacity:weeks
  expr: |
    (avg_over_time({{ $times }}) - time() + n8n_tuned:growth:room / n8n_tuned:growth:certain_slope) / 604800
  labels: { bound: expected }
{{- range $bound, $sign := dict "early" "-" "late" "+" }}
- record: n8n_tuned:out_of_capacity:weeks
  expr: |
    clamp_min(
      avg_over_time({{ $times }}) - time() + (
        n8n_tuned:growth:certain_slope * n8n_tuned:growth:room
        {{ $sign }} sqrt(n8n_tuned:growth:doubt * (
          n8n_tuned:growth:room ^ 2 + (n8n_tuned:growth:certain_slope ^ 2 - n8n_tuned:growth:doubt)
            * n8n_tuned:growth:time_variance * (n8n_tuned:growth:weeks + 1)
        ))
      ) / (n8n_tuned:growth:certain_slope ^ 2 - n8n_tuned:growth:doubt)
      {{- if eq $bound "early" }}
        * ln({{ $rate }} / n8n_tuned:growth:mean) * n8n_tuned:growth:mean / n8n_tuned:growth:room
      {{- end }}, 0
    ) / 604800
  labels: { bound: {{ $bound }} }
{{- end }}
- record: n8n_tuned:latency_at_tenth:mean5m
  # How long webhooks took, by the tenth of capacity that was in use.
  expr: |
    (
      sum by (namespace, release) (rate(n8n_webhook_request_duration_seconds_sum{{ $of }}[5m]))
      / (sum by (namespace, release) (rate(n8n_webhook_request_duration_seconds_count{{ $of }}[5m])) > 0)
    ) * on (namespace, release) group_right
      count_values by (namespace, release) ("tenth", floor(10 * n8n_tuned:capacity_used:ratio{{ $of }}))

- alert: N8nNearCapacity
  expr: n8n_tuned:capacity_used:ratio{{ $of }} > {{ $safe }}
  for: 3m
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nnearcapacity
    summary: "n8n is asked for {{`{{ $value | humanizePercentage }}`}} of what it can take."
    description: >-
      Measured were {{ $rate }} executions a second
      {{- with $capacity.workflow }} of {{ regexReplaceAll "[^ -z]+" . " " }}{{ end }}
      {{- if and $capacity.low $capacity.high }} ({{ $capacity.low }} to {{ $capacity.high }}){{ end }}
      {{- with $capacity.measuredOn }}, on {{ regexReplaceAll "[^ -z]+" . " " }}{{ end }}
      {{- with $capacity.date }}, {{ . | trunc 10 }}{{ end }}. Add replicas, and measure with them.
- alert: N8nOutOfCapacityIn
  expr: n8n_tuned:out_of_capacity:weeks{ {{- .ours }}, bound="expected"} > 0 < 8
  for: 1h
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8noutofcapacityin
    summary: "The busiest hour of a week reaches capacity in about {{`{{ $value | printf \"%.0f\" }}`}} weeks."
    {{- $ours := replace "\"" "'" .ours }}
    {{- $query := printf `{{ query "n8n_tuned:out_of_capacity:weeks{%s, bound='BOUND'}" | first | value | printf "%%.0f" }}` $ours }}
    description: >-
      If it grows on as it has, it will be between
      {{ replace "BOUND" "early" $query }} and {{ replace "BOUND" "late" $query }} weeks.
      Until then add replicas, and measure with them.
- alert: N8nLatencyDrifts
  # At the same tenths of capacity, this week against four weeks ago, where each was seen for six hours.
  expr: |
    avg by (namespace, release) (
      avg_over_time(n8n_tuned:latency_at_tenth:mean5m{{ $of }}[7d])
      / avg_over_time(n8n_tuned:latency_at_tenth:mean5m[7d] offset 4w)
      and count_over_time(n8n_tuned:latency_at_tenth:mean5m[7d:5m]) >= 72
      and count_over_time(n8n_tuned:latency_at_tenth:mean5m[7d:5m] offset 4w) >= 72
    ) > 1.3
  for: 1h
  labels: { severity: warning, {{ .labels }} }
  annotations:
    runbook_url: {{ .runbooks }}#n8nlatencydrifts
    summary: "At the same load, webhooks take {{`{{ $value | printf \"%.1f\" }}`}} times as long as four weeks ago."
    description: What was measured may no longer hold. Measure anew, and give the result as capacity.
{{- end -}}

{{/*
Student's t with `weeks` − 2 degrees of freedom, from its four first terms for one probability. With two degrees it is a
tenth too small, with three or more a thirtieth at most.
*/}}
{{- define "n8n-tuned.rules.student" -}}
{{- $free := "(n8n_tuned:growth:weeks - 2)" -}}
({{ index . 0 }} + {{ index . 1 }} / {{ $free }} + {{ index . 2 }} / {{ $free }} ^ 2 + {{ index . 3 }} / {{ $free }} ^ 3)
{{- end -}}
