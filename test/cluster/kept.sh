# What tests share that follow n8n's data and keys from one release to another; to be sourced after common.sh.
# shellcheck shell=bash
deployment=deployment/$name-main

# What n8n says on the side is shown if the case fails.
in_main() { kube exec --stdin "$deployment" --container n8n -- "$@" 2>>"$work/said"; }

# store SECRET: as a credential, in the database that main has now.
store() {
	in_main sh -ec 'cat >/tmp/import.json && n8n import:credentials --input=/tmp/import.json' >>"$work/said" <<-JSON
		[{ "id": "1", "name": "kept", "type": "httpHeaderAuth", "data": { "name": "X", "value": "$1" } }]
	JSON
	held=$(holds)
}

# decrypts SECRET WHEN: the stored credential does, with the key that n8n has now.
decrypts() {
	[[ $(in_main n8n export:credentials --all --decrypted) == *"$1"* ]] ||
		fail "Expected the stored credential to decrypt after $2, it did not."
}

# Every claim, and the generated Secret with its data.
holds() {
	kube get persistentvolumeclaims --output jsonpath='{range .items[*]}claim {.metadata.name} {.metadata.uid}{"\n"}{end}'
	kube get secret "$name-generated" --ignore-not-found --output jsonpath='secret {.metadata.uid} {.data}{"\n"}'
}

# keeps WHEN: each claim and the Secret that were there are there, not anew and byte for byte the same.
keeps() {
	local now lost
	now=$(holds)
	lost=$(comm -23 <(sort <<<"$held") <(sort <<<"$now"))
	[ -z "$lost" ] || fail "Expected to keep these after $1: $lost"
	held=$now
}
