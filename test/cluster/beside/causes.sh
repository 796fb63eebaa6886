# How test/cluster/beside/alerts makes the cause of each alert, cause_ALERT, and what ends those that would not end by
# themselves, undo_ALERT; to be sourced. The workflow `work` does what a request says: wait, burn CPU, hold memory.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # what the script that sources it has

# work QUERY...: requests to the workflow, each until it is answered, two minutes at most.
work() {
	local each
	for each; do curl --silent --max-time 120 --output /dev/null "$webhooks/webhook/work?$each" & done
}

# The cause of each alert, and what ends it.
cause_N8nWorkersDown() { kube scale deployment "$name-worker" --replicas 1 >/dev/null; }
undo_N8nWorkersDown() { kube scale deployment "$name-worker" --replicas 2 >/dev/null; }

cause_N8nEventLoopBlocked() { for _ in {1..10}; do work "operation=cpu&seconds=12"; done; }

# To 95 % of the heap of the worker that takes it, whichever that is.
cause_N8nHeapNearLimit() {
	local used
	used=$(ask 'max(sum by (pod) (n8n_nodejs_heap_space_size_used_bytes{role="worker", space=~"old|large_object"}))')
	work "operation=memory&seconds=60&size=$(($(heap worker) * 95 / 100 - used / 1048576))"
}
heap() { kube get deployment "$name-$1" --output jsonpath='{.spec.template.spec.containers[0].env[?(@.name=="NODE_OPTIONS")].value}' | sed 's/.*max-old-space-size=\([0-9]*\).*/\1/'; }

# Smaller ones beside n8n: the kernel kills the largest.
cause_N8nOutOfMemory() {
	local pod
	pod=$(kube get pods --selector app.kubernetes.io/component=worker --output name | head -1)
	for _ in {1..5}; do
		kube exec "$pod" --container n8n -- node -e 'const held = Buffer.alloc(150 << 20, 1); setTimeout(() => held, 20000)' >/dev/null 2>&1 &
	done
}

# A lock that every new execution waits for, as a migration by hand would hold it.
cause_N8nDatabasePoolExhausted() {
	sql 'begin; lock table execution_entity in access exclusive mode; select pg_sleep(60); commit' >/dev/null &
	for _ in {1..20}; do work "operation=wait&seconds=0"; done
}

# Two workers end two a second.
cause_N8nBacklogGrowing() {
	while [ -e "$work/requesting" ]; do
		work "operation=wait&seconds=5"
		sleep 0.2
	done &
}

cause_N8nJobsStalled() {
	for _ in {1..10}; do work "operation=wait&seconds=8"; done
	until_true 10 "executions to run" runs_some
	kube delete pods --selector app.kubernetes.io/component=worker --force --grace-period=0 >/dev/null 2>&1
}
runs_some() { [ "$(ask 'sum(n8n_scaling_mode_queue_jobs_active)')" -ge 5 ]; }

cause_N8nWebhooksRefused() {
	for _ in 1 2; do
		curl --silent --parallel --parallel-immediate --parallel-max 300 --max-time 60 --output /dev/null \
			"$webhooks/webhook/work?operation=wait&seconds=0&n=[1-300]" &
	done
}

# An n8n that differs by one line from what the patch was verified on.
cause_N8nPatchSkipped() {
	local module=/usr/local/lib/node_modules/n8n/dist/abstract-server.js
	{ kube exec "deployment/$name-webhook" --container n8n -- cat "$module" && echo '// Another one.'; } >"$work/abstract-server.js"
	kube create configmap other --from-file="$work/abstract-server.js" >/dev/null
	deploy upgrade --set-json 'webhook.extraVolumes=[{"name": "other", "configMap": {"name": "other"}}]' \
		--set-json "webhook.extraVolumeMounts=[{\"name\": \"other\", \"mountPath\": \"$module\", \"subPath\": \"abstract-server.js\"}]"
}
undo_N8nPatchSkipped() { deploy upgrade; }
