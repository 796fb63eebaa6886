# A real Prometheus for the tests beside it; to be sourced after common.sh. Prometheus' operator makes its configuration
# and its rules from the chart's PodMonitor and PrometheusRule, those with the label `for: this-test`. kube-state-metrics
# reports what the kubelet did. Time in the rules is ten times as fast: 5m becomes 30s, and 300 seconds 30.
# shellcheck shell=bash
# shellcheck disable=SC2154 # what common.sh has
prometheus=$("$root/tools/install-beside" prometheus)
operator=$("$root/tools/install-beside" prometheus-operator)
state_metrics=$("$root/tools/install-beside" kube-state-metrics)
port=$((20000 + RANDOM % 10000))

serve_rules() {
	for_the_cluster "$operator/crds.yaml"
	until_true 30 "PrometheusRules to be served" \
		kubectl get prometheusrules,podmonitors,prometheuses --namespace "$namespace" --output name
}

start_prometheus() {
	in_background kube-state-metrics "$state_metrics/kube-state-metrics" --kubeconfig "$KUBECONFIG" \
		--namespaces "$namespace" --resources pods --host 127.0.0.1 --port $((port + 1)) \
		--telemetry-host 127.0.0.1 --telemetry-port $((port + 2))
	in_background prometheus-operator "$operator/prometheus-operator" --namespaces "$namespace" \
		--web.listen-address "127.0.0.1:$((port + 3))"
	# It runs none itself, and writes down what it would run with.
	kube create --filename - >/dev/null <<-PROMETHEUS
		apiVersion: v1
		kind: Secret
		metadata: { name: more }
		stringData:
		  scrape.yaml: |
		    - { job_name: kube-state-metrics, honor_labels: true, static_configs: [{ targets: ["127.0.0.1:$((port + 1))"] }] }
		---
		apiVersion: monitoring.coreos.com/v1
		kind: Prometheus
		metadata: { name: test }
		spec:
		  replicas: 0
		  scrapeInterval: 5s
		  evaluationInterval: 5s
		  podMonitorSelector: { matchLabels: { for: this-test } }
		  ruleSelector: { matchLabels: { for: this-test } }
		  additionalScrapeConfigs: { name: more, key: scrape.yaml }
	PROMETHEUS
	until_true 60 "the operator to write the configuration" configured
	# As its pod would have them: what the reloader fills in, the way to the cluster, the rules.
	sed -i -E "s#\\\$\(SHARD\)#0#; s#\\\$\(POD_NAME\)#test#; s#^( *)- role: pod\$#&\n\1  kubeconfig_file: $KUBECONFIG#
		s#/etc/prometheus/rules/[^/]*/#$work/rules/#" "$work/prometheus.yaml"
	in_background prometheus "$prometheus/prometheus" \
		--config.file "$work/prometheus.yaml" --storage.tsdb.path "$work/data" \
		--web.listen-address "127.0.0.1:$port"
}
configured() {
	kube get secret prometheus-test --output jsonpath='{.data.prometheus\.yaml\.gz}' 2>/dev/null |
		base64 -d | gunzip >"$work/prometheus.yaml" 2>/dev/null
	mkdir -p "$work/rules"
	kube get configmap prometheus-test-rulefiles-0 --output json 2>/dev/null | jq --raw-output '.data[]' |
		perl -pe 's/\b(\d+)m\b/$1 * 6 . "s"/ge; s/> 300$/> 30/' >"$work/rules/chart.yaml"
	[ -s "$work/rules/chart.yaml" ] && grep -q podMonitor "$work/prometheus.yaml"
}

# ask EXPRESSION: its values, one a line.
ask() {
	curl --silent --fail "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" |
		jq --raw-output ".data.result[] | ${2:-.value[1]}"
}
firing() { ask 'ALERTS{alertstate="firing"}' .metric.alertname | sort -u | xargs; }
fires() { [[ " $(firing) " == *" $1 "* ]]; }
