# What the tests with other programs beside the chart share; to be sourced. tools/install-beside compiles those the
# first time, which takes minutes each. They run on this machine and listen on loopback alone, or in the test's
# namespace.
# shellcheck shell=bash
# shellcheck source=../common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
processes=()
of_the_cluster=()

# in_background NAME COMMAND...: a process of this test; what it says is in $work/NAME.log.
in_background() {
	"${@:2}" >"$work/$1.log" 2>&1 &
	processes+=($!)
}

# Existing ones belong to other users.
for_the_cluster() {
	local there
	there=$(kubectl get --filename "$1" --ignore-not-found --output name 2>/dev/null) || true
	[ -z "$there" ] ||
		fail "Expected a cluster without what this test brings, found $(head -3 <<<"$there" | xargs)." \
			"Remove it, or use another."
	of_the_cluster+=("$1")
	kubectl create --filename "$1" >/dev/null
	kubectl label --filename "$1" n8n-tuned/test=beside >/dev/null
}

finish() {
	local status=$? mine=$namespace each
	# Objects of the whole cluster have to be removed even if a user interrupts the test.
	trap '' INT TERM
	[ $status = 0 ] || tail -n 15 "$work"/*.log >&2 || true
	end $status
	# Its objects may wait for one of the programs before they go.
	[ -z "$mine" ] || [ ${#of_the_cluster[@]} = 0 ] ||
		kubectl wait namespace "$mine" --for=delete --timeout=90s >/dev/null 2>&1 || true
	for each in "${of_the_cluster[@]}"; do
		kubectl delete --filename "$each" --ignore-not-found --wait=false >/dev/null 2>&1 || true
	done
	for each in "${processes[@]}"; do kill "$each" 2>/dev/null || true; done
	rm -rf "$work"
	exit $status
}
trap finish EXIT
