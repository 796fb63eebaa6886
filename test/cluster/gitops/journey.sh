# What a GitOps controller has to keep, change after change; to be sourced by a script that has
#   deploy regular|queue   hands the change to the controller, and returns when it is applied and healthy
#   repeat                 fails if the controller finds a difference; then has it apply the same once more
#   undeploy               deletes what the controller was given, and returns when the controller is done
#   explain                what the controller says of it
#   abandon                lets go of what the controller was given, when a case ends in the middle
# shellcheck source=../common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
# Tracking by label asks for a name that nothing else on the cluster has.
release=gitops-$RANDOM name=$release-n8n-tuned
# shellcheck source=../kept.sh
. "$(dirname "${BASH_SOURCE[0]}")/../kept.sh"

# values MODE: as JSON. Little is requested, so that a small node has room for both modes at once.
values() {
	local little='{ "resources": { "requests": { "cpu": "50m" } } }' database=sqlite
	[ "$1" = regular ] || database=embedded
	cat <<-JSON
		{ "executions": { "mode": "$1" }, "database": { "type": "$database" },
		  "main": $little, "worker": $little, "webhook": $little }
	JSON
}

# page KIND: the manifest of that kind in docs/gitops.md.
page() {
	awk -v kind="kind: $1" '
		/^```yaml$/ { inside = 1; text = ""; next }
		/^```$/ { if (text ~ kind) printf "%s", text; inside = 0 }
		inside { text = text $0 "\n" }' "$root/docs/gitops.md"
}

# patched FILE: with what patch.json says.
patched() {
	kubectl patch --local --filename "$1" --type merge --output json --patch-file "$work/patch.json" 2>>"$work/said"
}

# start NAME COMMAND...: beside this script; its log is shown if the case fails.
processes=()
start() {
	"${@:2}" >"$work/$1.log" 2>&1 &
	processes+=($!)
}

stop() {
	local process
	for process in "${processes[@]}"; do kill "$process" 2>/dev/null || true; done
	wait
	processes=()
}

# pinned PROGRAM MODULE: the version of a module that the program is made from.
pinned() { sed -n "s#^[[:space:]]*$2 \(v[^ ]*\).*#\1#p" "$root/tools/$1/go.mod"; }
# source_of MODULE@VERSION: the folder where Go keeps it.
source_of() { go mod download -json "$1" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p'; }

# Resources of other users stay as they are.
lent=()
lend() {
	local file
	for file; do
		! kubectl get --filename "$file" --output name >/dev/null 2>&1 ||
			fail "Expected no such definition on the cluster yet: $(basename "$file"). Use a disposable cluster."
	done
	lent=("$@")
	for file; do kubectl apply --server-side --filename "$file" >/dev/null; done
	for file; do kubectl wait --for=condition=established --timeout=1m --filename "$file" >/dev/null; done
}

taken_back() {
	local file
	for file in "${lent[@]}"; do kubectl delete --wait=false --filename "$file" >/dev/null || true; done
}

finish() {
	[ "$1" = 0 ] || { explain && tail -n 20 "$work"/*.log; } >&2 || true
	end "$1"
	abandon || true
	stop
	taken_back
	rm -rf "$work"
}
trap 'finish $?' EXIT

parts='app.kubernetes.io/component in (main, worker, webhook, redis, postgresql)'
# Without those that are on their way out.
pods() {
	kube get pods --selector "$parts" --output json |
		jq --raw-output '.items[].metadata | select(.deletionTimestamp == null).name' | sort
}

# How often the hook's Job has started a pod.
hook_runs() {
	local of=involvedObject.kind=Job,involvedObject.name=$name-generate
	kube get events --field-selector "reason=SuccessfulCreate,$of" --output name | wc -l
}
# hook_ran TIMES WHEN: that often since it was last asked.
hook_ran() {
	local now
	now=$(hook_runs)
	[ $((now - runs)) = "$1" ] || fail "Expected the hook to run $1 times for $2, it ran $((now - runs)) times."
	runs=$now
	[ -z "$(kube get jobs,roles,rolebindings --output name)" ] || fail "Expected the hook to be gone after $2, it is not."
}

# Nothing of the application is left but what it promises to keep.
only_kept() {
	local left
	local kinds=deployments,statefulsets,pods,services,configmaps,serviceaccounts,jobs,networkpolicies
	left=$(kube get $kinds --output name --selector app.kubernetes.io/name=n8n-tuned)
	[ -z "$left" ] || fail "Expected the application to be gone, these are left: $left"
}

repeated() {
	local before hooks=$1
	before=$(pods)
	repeat
	keeps "the same once more"
	hook_ran "$hooks" "the same once more"
	[ "$(pods)" = "$before" ] || fail "Expected every pod to stay, got $(pods | xargs) instead of $(xargs <<<"$before")"
	proved "no difference; applied once more, and every pod stays"
}

journey() {
	local sqlite=sqlite-$RANDOM$RANDOM postgresql=postgresql-$RANDOM$RANDOM runs=0 held=
	deploy regular
	store $sqlite
	proved "regular: installed, a credential stored"
	repeated 0

	deploy queue
	keeps "regular → queue"
	hook_ran 1 "regular → queue"
	store $postgresql
	proved "regular → queue: the claim of SQLite stays, a credential stored in PostgreSQL"
	repeated 1

	deploy regular
	keeps "queue → regular"
	decrypts $sqlite "queue → regular"
	proved "queue → regular: the claims and the generated Secret stay, SQLite's credential decrypts"
	repeated 0

	undeploy
	only_kept
	keeps "the application was deleted"
	proved "deleted: the claims and the generated Secret stay"

	deploy queue
	keeps "the application was created again"
	hook_ran 1 "the application was created again"
	decrypts $postgresql "the application was created again"
	proved "created again in queue mode: PostgreSQL's credential decrypts"
	repeated 1

	undeploy
	deploy regular
	keeps "the application was created again in regular mode"
	decrypts $sqlite "the application was created again in regular mode"
	no_restarts
	proved "deleted and created again in regular mode: SQLite's credential decrypts"
	undeploy
}
