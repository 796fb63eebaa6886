# Argo CD on this machine, for the cluster that KUBECONFIG names: its controller, its repository server and the git
# repository with the chart. To be sourced after journey.sh, because it implements journey.sh's functions.
# shellcheck shell=bash
"$root/tools/install" argocd
tool=
argo_cd=$(source_of "github.com/argoproj/argo-cd/v3@$(pinned argocd github.com/argoproj/argo-cd/v3)")
# The repository server asks for it by name; Go keeps no file executable.
mkdir "$work/bin"
printf '#!/bin/sh\nexec sh %s "$@"\n' "$argo_cd/hack/git-verify-wrapper.sh" >"$work/bin/git-verify-wrapper.sh"
chmod +x "$work/bin/git-verify-wrapper.sh"
PATH=$work/bin:$PATH

argo() { kubectl --namespace "$tool" "$@"; }
application() { argo get application "$release" --output jsonpath="$1"; }

# up TRACKING: what Argo CD needs of its own namespace, and its two processes.
up() {
	local ports=$((20000 + RANDOM % 10000)) method=$1
	[ "$method" != server-side ] || method=annotation
	tool=$namespace-argocd
	kubectl create namespace "$tool" >/dev/null
	argo apply --filename - >/dev/null <<-YAML
		{ apiVersion: v1, kind: ConfigMap, data: { application.resourceTrackingMethod: $method },
		  metadata: { name: argocd-cm, labels: { app.kubernetes.io/part-of: argocd } } }
		---
		{ apiVersion: v1, kind: Secret, stringData: { server.secretkey: "$RANDOM$RANDOM" },
		  metadata: { name: argocd-secret, labels: { app.kubernetes.io/part-of: argocd } } }
		---
		# It sees no other namespace.
		{ apiVersion: v1, kind: Secret, metadata: { name: cluster, labels: { argocd.argoproj.io/secret-type: cluster } },
		  stringData: { name: in-cluster, server: "https://kubernetes.default.svc", namespaces: $namespace, config: "{}" } }
		---
		{ apiVersion: argoproj.io/v1alpha1, kind: AppProject, metadata: { name: default },
		  spec: { sourceRepos: ["*"], destinations: [{ server: "*", namespace: $namespace }] } }
	YAML
	# Outside of the cluster it works on, and with no file outside of ours.
	export ARGOCD_FAKE_IN_CLUSTER=true ARGOCD_GPG_ENABLED=false ARGOCD_GNUPGHOME=$work TMPDIR=$work \
		ARGOCD_TLS_DATA_PATH=$work ARGOCD_SSH_DATA_PATH=$work ARGOCD_PLUGINSOCKFILEPATH=$work \
		ARGOCD_ASK_PASS_SOCK=$work/ask-pass.sock
	start redis redis-server --bind 127.0.0.1 --port $ports --save '' --appendonly no
	start repo-server env ARGOCD_BINARY_NAME=argocd-repo-server argocd --loglevel warn --redis 127.0.0.1:$ports \
		--address 127.0.0.1 --port $((ports + 1)) --metrics-address 127.0.0.1 --metrics-port $((ports + 2))
	start controller env ARGOCD_BINARY_NAME=argocd-application-controller argocd --loglevel warn --redis 127.0.0.1:$ports \
		--namespace "$tool" --repo-server 127.0.0.1:$((ports + 1)) --metrics-port $((ports + 3))
}

abandon() {
	[ -n "$tool" ] || return 0
	# Without its controller the finalizer would stay for ever.
	argo patch application "$release" --type merge --patch '{"metadata": {"finalizers": null}}' >/dev/null 2>&1 || true
	kubectl delete namespace "$tool" --wait=false >/dev/null
	tool=
}

# publish: what is in the repository's folder, where Argo CD gets the chart.
publish() {
	git init --quiet --initial-branch main "$work/repository"
	git -C "$work/repository" add --all
	git -C "$work/repository" -c user.name=test -c user.email=test@localhost commit --quiet --message chart --allow-empty
}
publish_work_tree() {
	rm -rf "$work/repository/charts"
	mkdir -p "$work/repository/charts"
	cp -r "$chart" "$work/repository/charts/"
	publish
}

deploy() {
	local options='[]'
	[ "$tracking" != server-side ] || options='["ServerSideApply=true"]'
	page Application >"$work/application.yaml"
	cat >"$work/patch.json" <<-JSON
		{ "metadata": { "name": "$release", "namespace": "$tool" }, "spec": {
		  "source": { "repoURL": "file://$work/repository", "helm": { "valuesObject": $(values "$1") } },
		  "destination": { "namespace": "$namespace" }, "syncPolicy": { "syncOptions": $options } } }
	JSON
	patched "$work/application.yaml" | argo apply --filename - >/dev/null 2>>"$work/said"
	until_true 300 "Argo CD to sync $1 mode" synced
	kube rollout status "$deployment" --timeout=3m >/dev/null
}
explain() {
	application '{.status.sync.status} {.status.health.status} {.status.operationState.phase}{"\n"}'
	application '{.status.conditions[*].message}{"\n"}{.status.operationState.message}{"\n"}'
	application '{range .status.resources[*]}{.kind}/{.name} {.status} {.health.status}{"\n"}{end}'
	application '{range .status.operationState.syncResult.resources[*]}{.kind}/{.name} {.status} {.message}{"\n"}{end}'
}

# Compared with what is asked for now, applied, and healthy: all of it as it stood at one moment.
synced() {
	argo get application "$release" --output json 2>>"$work/said" | jq --exit-status '
		.status.sync.status == "Synced" and .status.health.status == "Healthy"
		and .status.operationState.phase == "Succeeded"
		and .spec.source.helm == .status.sync.comparedTo.source.helm' >/dev/null
}

compared() { [ -z "$(application '{.metadata.annotations.argocd\.argoproj\.io/refresh}')" ]; }
synced_since() { [ "$(application '{.status.operationState.startedAt}')" != "$1" ] && synced; }

repeat() {
	local started
	started=$(application '{.status.operationState.startedAt}')
	refresh
	[ "$(application '{.status.sync.status}')" = Synced ] || fail "Expected no difference, got one."
	[ "$(application '{.status.operationState.startedAt}')" = "$started" ] ||
		fail "Expected nothing to heal, Argo CD synced by itself."
	sync_once_more
	until_true 120 "Argo CD to sync once more" synced_since "$started"
}

sync_once_more() {
	argo patch application "$release" --type merge --patch '{ "operation": { "sync": { "prune": true } } }' >/dev/null
}
refresh() {
	argo annotate application "$release" argocd.argoproj.io/refresh=hard >/dev/null
	until_true 60 "Argo CD to compare again" compared
}

undeploy() { argo delete application "$release" --timeout=3m >/dev/null; }

