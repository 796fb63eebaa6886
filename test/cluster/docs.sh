# For tests that do what a page says; to be sourced after common.sh, with the page in `page`.
# shellcheck shell=bash disable=SC2154

# docs HEADING: runs the commands there, as a reader does: in a folder of their own, in the context's namespace.
docs() {
	local commands
	commands=$(awk -v heading="$1" '
		/^#/ { on = ($0 ~ "^#+ " heading "$") }
		/^```/ { code = on && /sh$/; next }
		code' "$root/$page")
	[ -n "$commands" ] || fail "Expected commands under \"$1\" in $page, found none."
	eval "$commands" >>"$work/said" 2>&1 || fail "Expected the commands under \"$1\" to succeed: $(tail -5 "$work/said")"
	proved "docs: $1"
}
