# Functions that the tests on a cluster share; to be sourced. Each test uses the cluster that KUBECONFIG names, and
# sends requests from this machine. Its namespaces (n8n-tuned-*, or $N8N_TUNED_TEST_NAMESPACE-*) enforce Pod Security
# "restricted" and are deleted after it. Run `make build` first.
# shellcheck shell=bash
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
"$root/tools/install" helm
PATH=$root/tools/bin:$PATH
chart=$root/charts/n8n-tuned
release=n8n
name=n8n-n8n-tuned
namespace=
work=$(mktemp -d)

# The clusters that tests run on have Redis as Debian has it, and not the chart's default: REDIS_TAG names another.
redis_tag=${REDIS_TAG:-7.0}

# helm COMMAND...: with that Redis, where it installs or renders our chart.
helm() {
	local here=()
	if [[ $1 =~ ^(install|upgrade|template)$ && " $* " =~ charts/n8n-tuned\ |/chart\  ]]; then
		here=(--set "redis.embedded.image.tag=$redis_tag")
	fi
	command helm "$@" "${here[@]}"
}

fail() {
	echo "test/cluster/$(basename "$0"): $*" | tee "$work/failed" >&2
	exit 1
}

kube() { kubectl --namespace "$namespace" "$@"; }

proved() { awk -v a="$begun" -v b="$EPOCHREALTIME" -v what="$*" 'BEGIN { printf "%7.1f s  %s\n", b - a, what }'; }

# begin WHAT: a case, in a namespace of its own.
begin() {
	begun=$EPOCHREALTIME namespace=${N8N_TUNED_TEST_NAMESPACE:-n8n-tuned}-$RANDOM$RANDOM
	echo "$*"
	kubectl create namespace "$namespace" >/dev/null
	kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted >/dev/null
}

# end [STATUS]: shows what a failed case looked like before its namespace goes, and last why it failed.
end() {
	local status=${1:-$?}
	rm -f "$work/requesting"
	[ -n "$namespace" ] || return 0
	if [ $status != 0 ]; then
		kube get pods,events >&2 || true
		kube logs --selector app.kubernetes.io/instance="$release" --all-containers --tail=15 --prefix >&2 || true
		for pod in $(kube get pods --output name); do
			kube logs "$pod" --container n8n --previous --tail=40 --prefix 2>/dev/null
		done >&2 || true
		cat "$work/said" "$work/failed" >&2 2>/dev/null || true
	fi
	kubectl delete namespace "$namespace" --wait=false >/dev/null
	namespace=
}
trap 'end $?; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# until_true SECONDS WHAT COMMAND...: tries again every second, up to a bound.
until_true() {
	local end=$((SECONDS + $1)) what=$2
	shift 2
	until "$@"; do
		[ $SECONDS -lt $end ] || fail "Expected $what, waited in vain."
		sleep 1
	done
}

passes_helm_test() {
	helm test "$release" --namespace "$namespace" --timeout 2m >/dev/null 2>&1 ||
		fail "helm test: $(kube logs "$name-test")"
}

of_containers() { kube get pods --output jsonpath="$1"; }
no_restarts() {
	local counts
	counts=$(of_containers '{.items[*].status.containerStatuses[*].restartCount}' | tr ' ' '\n' | sort -u)
	local ended='{range .items[*]}{.metadata.name} {.status.containerStatuses[*].lastState.terminated}{"\n"}{end}'
	[ "$counts" = 0 ] || fail "Expected no restarts, got: $(of_containers "$ended")"
}

# Removes the release. What stays is what it promises to keep, volumes and generated secrets, and the pod of
# `helm test`.
removes() {
	local left
	helm uninstall "$release" --namespace "$namespace" --wait >/dev/null 2>&1
	local kinds=deployments,statefulsets,services,configmaps,serviceaccounts,roles,rolebindings,cronjobs
	left=$(kube get "$kinds,networkpolicies,poddisruptionbudgets,horizontalpodautoscalers" \
		--selector app.kubernetes.io/instance="$release" --output name)
	[ -z "$left" ] || fail "Expected the release to be removed, these are left: $left"
	proved "removed"
}

# address ROLE: where its Service is.
address() { echo "http://$(kube get service "$name-$1" --output jsonpath='{.spec.clusterIP}'):5678"; }

# load JOB: the chart's own load test, to its end. What it measured is in its log; `accepted JOB` reads it.
load() {
	kube create job "$1" --from="cronjob/$name-k6" >/dev/null
	kube wait job "$1" --for=condition=complete --timeout=3m >/dev/null ||
		fail "Expected the load test to end: $(kube logs "job/$1")"
	! kube logs "job/$1" | grep -E '^(failed|not sent).*: [1-9]' || fail "Expected no failure under load, got these."
}
accepted() { kube logs "job/$1" | sed -n 's/^accepted: \([0-9]*\),.*/\1/p'; }

# Executions there are since the last one had this id: their states and how many, `success 120`. Of embedded PostgreSQL.
last_execution() { sql 'select coalesce(max(id), 0) from execution_entity'; }
executions_since() {
	sql "select status, count(*) from execution_entity where id > $1 group by status order by status" |
		tr '|\n' ' ;' | sed 's/;$//'
}
redis() { kube exec "$name-redis-0" -- redis-cli "$@"; }
sql() { kube exec "$name-postgresql-0" -- psql --username n8n --dbname n8n --tuples-only --no-align --command "$1"; }

# all_finished ID ACCEPTED: as many executions succeeded since that id as requests were accepted, and none is anything
# else.
all_finished() {
	local end=$((SECONDS + 60)) got
	until got=$(executions_since "$1") && [ "$got" = "success $2" ]; do
		[ $SECONDS -lt $end ] || fail "Expected the $2 accepted requests to be as many successful executions, got: $got"
		sleep 1
	done
}
