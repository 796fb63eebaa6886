# What the tests of docs/move.md share; to be sourced after common.sh. They set: from, main, webhook, and restart.
# shellcheck shell=bash disable=SC2154
workflow_id=5678002
secret=only-the-right-key-reads-this
said=$work/said
desk=$work/desk
page=$root/docs/move.md
# The page's helm, too, installs the Redis of this cluster.
export redis_tag
export -f helm

# What the reader has: the repository's files, kubectl and helm in the namespace, and the command.
make_desk() {
	mkdir -p "$desk" "$work/bin"
	ln -s "$root/charts" "$root/docs" "$root/n8n-tuned" "$desk"
	kubectl config view --raw --minify --flatten >"$work/kubeconfig"
	kubectl --kubeconfig "$work/kubeconfig" config set-context --current --namespace="$namespace" >/dev/null
}

# commands HEADING: those of a section of the page, or of its block N.
commands() {
	awk -v heading="## $1" -v wanted="${2:-}" '
		/^## / { inside = $0 == heading }
		/^```/ { block = inside && /sh$/; n += block; next }
		block && (!wanted || n == wanted)' "$page" |
		sed "s/--from official/--from $from/" >"$work/commands"
	[ -s "$work/commands" ] || fail "Expected docs/move.md to have commands under \"$1\", found none."
}

# follow HEADING [N]: does what that section of the page says.
follow() {
	commands "$@"
	run || fail "Expected the commands under \"$1\" of docs/move.md to work: $(tail -5 "$said")"
	proved "followed: $*"
}
run() {
	(cd "$desk" && KUBECONFIG=$work/kubeconfig PATH=$work/bin:$PATH bash -euo pipefail "$work/commands") >>"$said" 2>&1
}

# Whatever notes.txt says of secrets, which is nothing where n8n's own key is all there is.
copy_secrets() {
	sed -n "/ node -e '$/,/kubectl create --filename -$/p" "$desk/notes.txt" >"$work/commands"
	run || fail "Expected the secrets to be copied: $(tail -5 "$said")"
}

in_n8n() { kube exec --stdin "deployment/$main" -- "$@" 2>>"$said"; }
import() { in_n8n sh -ec "cat >/tmp/import.json && n8n import:$1 --input=/tmp/import.json" >>"$said"; }
fill() {
	local data="{\"name\": \"X\", \"value\": \"$secret\"}"
	echo "[{\"id\": \"1\", \"name\": \"kept\", \"type\": \"httpHeaderAuth\", \"data\": $data}]" | import credentials
	import workflow <"$root/workflows/ping-webhook.json"
	in_n8n n8n publish:workflow --id="$workflow_id" >>"$said"
	# n8n reads what is published when it starts.
	restart
}
decrypted() { in_n8n n8n export:credentials --all --decrypted; }

answers() {
	local path=/api/v1/namespaces/$namespace/services/$webhook:http/proxy/webhook/ping
	[[ $(kubectl get --raw "$path" 2>/dev/null) == *pong* ]]
}

# How many executions have succeeded, from the database itself.
query="select count(*) as n from execution_entity where status = 'success'"
executions() {
	in_n8n node --no-warnings - <<-END
		const { DatabaseSync } = require('node:sqlite')
		console.log(new DatabaseSync('${database:-/home/node/.n8n/database.sqlite}').prepare("$query").get().n)
	END
}
has() { [ "$(executions)" = "$1" ]; }

# Calls the webhook once more, so that each step has an execution of its own for the next to find.
count=0
keeps() {
	has "$count" || fail "Expected the $count executions of before after $1, got $(executions)."
	until_true 60 "the webhook to answer after $1" answers
	[[ $(decrypted) == *"$secret"* ]] || fail "Expected the credential to decrypt after $1."
	count=$((count + 1))
	until_true 30 "its execution to be saved after $1" has "$count"
	proved "after $1: credential decrypts, webhook answers, all $((count - 1)) executions of before are there"
}
