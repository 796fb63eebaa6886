# How test/cluster/beside/alerts makes the cause of each alert, cause_ALERT, and what ends those that would not end by
# themselves, undo_ALERT. That script sources this file. The workflows work-wait, work-cpu and work-memory do what a
# request says.
# shellcheck shell=bash
# shellcheck disable=SC2154,SC2034 # what the script that sources it has

# What may fire beside each alert. Callers wait for most of them, and n8n calls executions crashed that it finds lost.
# Where a process starts again, the sidecar counts it half a minute later.
beside_each="N8nWebhookUnanswered|N8nAnswersLate|N8nExecutionsCrashed"
# And beside one: time is ten times as fast for it, but not for a worker that starts again.
declare -A also=([N8nQueueStands]=N8nWorkersDown [N8nOutOfMemory]=N8nWorkersDown [N8nJobsStalled]=N8nWorkersDown)

# work QUERY...: requests to the workflow, each until it has an answer, two minutes at most.
work() {
	local each
	for each; do curl --silent --max-time 120 --output /dev/null "$webhooks/webhook/work-$each" & done
}

# The cause of each alert, and what ends it.
cause_N8nWorkersDown() { kube scale deployment "$name-worker" --replicas 1 >/dev/null; }
undo_N8nWorkersDown() { kube scale deployment "$name-worker" --replicas 2 >/dev/null; }

# No worker is there to take them: a worker that is ending still takes the jobs that arrive.
cause_N8nQueueStands() {
	kube scale deployment "$name-worker" --replicas 0 >/dev/null
	kube wait pod --selector app.kubernetes.io/component=worker --for=delete --timeout=90s >/dev/null
	for _ in {1..5}; do work "wait?seconds=0"; done
}
undo_N8nQueueStands() { undo_N8nWorkersDown; }

# Long enough to be seen in every scrape, short enough to answer the readiness probe in between.
cause_N8nEventLoopBlocked() {
	while [ -e "$work/requesting" ]; do
		work "cpu?seconds=2"
		sleep 1.5
	done &
}

# To 94 % of the heap of the worker that takes it, whichever that is.
cause_N8nHeapNearLimit() {
	local used
	# What it holds, without the garbage of the moment.
	used=$(ask 'floor(avg(min_over_time(sum by (pod) (
		n8n_nodejs_heap_space_size_used_bytes{role="worker", space=~"old|large_object"})[2m:5s])))')
	work "memory?seconds=60&size=$(($(heap worker) * 94 / 100 - used / 1048576))"
}
heap() {
	kube get deployment "$name-$1" \
		--output jsonpath='{.spec.template.spec.containers[0].env[?(@.name=="NODE_OPTIONS")].value}' |
		sed 's/.*max-old-space-size=\([0-9]*\).*/\1/'
}

# Smaller ones beside n8n: the kernel kills the largest.
cause_N8nOutOfMemory() {
	local pod
	pod=$(kube get pods --selector app.kubernetes.io/component=worker --output name | head -1)
	for _ in {1..5}; do
		kube exec "$pod" --container n8n -- node -e 'const held = Buffer.alloc(150 << 20, 1); setTimeout(() => held, 20000)' \
			>/dev/null 2>&1 &
	done
}

# A lock that every execution waits for, again and again: callers always wait for a connection. Each lock is short, so
# that n8n stays ready.
cause_N8nDatabasePoolExhausted() {
	sql 'do $$ begin for i in 1..200 loop lock table execution_entity in access exclusive mode; perform pg_sleep(0.5);
		commit; end loop; end $$' >/dev/null &
	for _ in {1..30}; do keep_asking "wait?seconds=0" & done
}
keep_asking() {
	while [ -e "$work/requesting" ]; do
		work "$1"
		wait
	done
}

# Two workers end two a second.
cause_N8nBacklogGrowing() {
	while [ -e "$work/requesting" ]; do
		work "wait?seconds=5"
		sleep 0.3
	done &
}

cause_N8nJobsStalled() {
	for _ in {1..10}; do work "wait?seconds=60"; done
	until_true 30 "executions to run" runs_all
	kube delete "$(kube get pods --selector app.kubernetes.io/component=worker --output name | head -1)" \
		--force --grace-period=0 >/dev/null 2>&1
}
runs_all() { [ "$(ask 'max(n8n_scaling_mode_queue_jobs_active)')" = 10 ]; }

cause_N8nWebhooksRefused() {
	for _ in 1 2; do
		curl --silent --parallel --parallel-immediate --parallel-max 300 --max-time 60 --output /dev/null \
			"$webhooks/webhook/work-wait?seconds=0&n=[1-300]" 2>/dev/null &
	done
}

# As PostgreSQL leaves them that was away when they ended.
cause_N8nExecutionsStuck() {
	sql "insert into execution_entity (mode, status, finished, \"startedAt\", \"createdAt\", \"workflowId\")
		select 'webhook', 'running', false, now(), now(), id from workflow_entity where name = 'work-wait'" >/dev/null
}
# With the patches of this test, main marks it a minute after its start. The new sidecar may count it until then.
undo_N8nExecutionsStuck() {
	kube rollout restart deployment "$name-main" >/dev/null
	kube rollout status deployment "$name-main" --timeout 3m >/dev/null
	until_true 150 "main to mark the execution" none_is_stuck
	until_true 60 "the sidecar to see that" counts_none
}
counts_none() { [ "$(ask 'max(n8n_tuned_stuck_executions)')" = 0 ]; }
none_is_stuck() { [ "$(sql "select count(*) from execution_entity where status = 'running'")" = 0 ]; }

# As a worker leaves it that died.
cause_N8nExecutionsCrashed() {
	sql "insert into execution_entity (mode, status, finished, \"startedAt\", \"stoppedAt\", \"createdAt\", \"workflowId\")
		select 'webhook', 'crashed', false, now(), now(), now(), id from workflow_entity where name = 'work-wait'" >/dev/null
}

cause_N8nQueueLost() {
	work "wait?seconds=0"
	until_true 60 "Prometheus to know of a job" knows_of_a_job
	redis FLUSHALL >/dev/null
}
knows_of_a_job() { [ "$(ask 'max(n8n_tuned_queue_jobs_total)')" -gt 0 ] 2>/dev/null; }

# Redis ends the connections that listen, and refuses them when they subscribe again. They do not try once more.
cause_N8nAnswersLate() {
	redis ACL LOG RESET >/dev/null
	redis ACL SETUSER default resetchannels >/dev/null
	until_true 30 "Redis to refuse a process of n8n" refuses_to_tell
	redis ACL SETUSER default allchannels >/dev/null
}
refuses_to_tell() { redis ACL LOG | grep -q '^channel$'; }
undo_N8nAnswersLate() {
	kube rollout restart deployment "$name-main" "$name-worker" "$name-webhook" >/dev/null
	for role in main worker webhook; do kube rollout status deployment "$name-$role" --timeout 3m >/dev/null; done
}

cause_N8nWebhookUnanswered() { work "wait?seconds=60"; }

# An n8n that differs by one line from what the patch was verified on.
cause_N8nPatchSkipped() {
	local module=/usr/local/lib/node_modules/n8n/dist/abstract-server.js
	kube exec "deployment/$name-webhook" --container n8n -- cat "$module" >"$work/abstract-server.js"
	echo '// Another one.' >>"$work/abstract-server.js"
	kube create configmap other --from-file="$work/abstract-server.js" >/dev/null
	local mount="{\"name\": \"other\", \"mountPath\": \"$module\", \"subPath\": \"abstract-server.js\"}"
	deploy upgrade --set-json 'webhook.extraVolumes=[{"name": "other", "configMap": {"name": "other"}}]' \
		--set-json "webhook.extraVolumeMounts=[$mount]"
}
undo_N8nPatchSkipped() { deploy upgrade; }
