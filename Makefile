# Every task of the project. `make` alone lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The project's own Node and commands come first, whatever the machine has.
export PATH := $(CURDIR)/node_modules/.bin:$(PATH)

bin := node_modules/.bin
node := $(bin)/node
comma := ,
jest := $(node) --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js

.PHONY: help
help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##
.PHONY: setup build
setup: node_modules/.complete build ## install what the project needs; instant when it is there
	@tools/install helm k6

node_modules/.complete: package-lock.json .npmrc tools/install-packages
	@tools/install-packages

build: node_modules/.complete ## build the node package, and hand it to the chart
	@tools/build-nodes
	@tools/pack-chart-files

.PHONY: pack
pack: setup ## pack the lab for npm install -g elsewhere: n8n-tuned-<version>.tgz; nothing is published
	@tools/pack-lab

##
.PHONY: capacity
capacity: ## what does n8n sustain on this machine, on its own defaults and tuned? (5 minutes; 11 the first time)
	@$(MAKE) --jobs=3 $(for-capacity)
	@n8n-tuned compare --profile capacity --when-quiet

# The programs compile while npm installs: each waits for other things.
for-capacity := build programs-for-capacity n8n-for-capacity
.PHONY: $(for-capacity)
programs-for-capacity:
	@tools/install helm k6
n8n-for-capacity: node_modules/.complete
	@tools/install-n8n 2.41.1

##
.PHONY: evidence evidence-tables articles
evidence: setup ## measure what docs/evidence shows, and write its tables (3 hours; a quiet machine; RUNS=quick for one)
	@$(node) --no-warnings loadtests/evidence/main.ts measure $(RUNS)

evidence-tables: setup ## write the tables of the docs from docs/evidence/raw
	@$(node) --no-warnings loadtests/evidence/main.ts render

articles: setup ## the older articles' experiments: cluster module, balancers, memory, PM2 (15 minutes; NAME=clustering)
	@tools/install-servers
	@case "$(NAME)" in ''|webhook-balancers) tools/install-n8n 2.41.1;; esac
	@case "$(NAME)" in ''|memory) cd loadtests/articles/server/sails \
		&& { [ -d node_modules ] || npm ci --ignore-scripts --no-audit --no-fund --silent; };; esac
	@$(node) --no-warnings loadtests/articles/main.ts $(NAME)

##
.PHONY: bench-nodes
bench-nodes: setup ## how accurate is Load Target, and what does it cost? (a quiet machine, about 5 minutes)
	@tools/install-n8n
	@$(node) --no-warnings test/nodes/bench/main.ts

##
formatted := '**/*.{ts,mts,mjs,cjs,js}'

.PHONY: lint format test test-all conformance verify-n8n
.PHONY: test-pure test-unit test-chart test-forecast test-real test-n8n test-check
.PHONY: test-long test-containers test-faults test-kills test-bottlenecks test-cluster
lint: setup ## types, style and prose
	@tools/install --if-possible actionlint
	@$(MAKE) --jobs=2 --output-sync $(lint-parts)

# What was checked and has not changed since is not checked again.
cached := node_modules/.cache/lint

typed := loadtests test test/tsconfig.browser.json test/bench test/conformance tsconfig.nodes.json tools/prose
types := $(addprefix types-of/,$(typed))
lint-parts := lint-style lint-imports lint-names $(types) lint-layout lint-words lint-workflows
.PHONY: $(lint-parts)

$(types):
	@$(node) $(bin)/tsc -p $(@:types-of/%=%) --noEmit --incremental --tsBuildInfoFile $(cached)/$(subst /,-,$@)
lint-style:
	@$(node) $(bin)/eslint --cache --cache-strategy content --cache-location $(cached)/eslint .
lint-imports:
	@$(node) $(bin)/depcruise --config .dependency-cruiser.mjs loadtests/src
lint-names:
	@$(node) --no-warnings tools/unique-names.ts loadtests/src
lint-layout:
	@$(node) $(bin)/prettier --check --log-level warn --cache --cache-strategy content \
		--cache-location $(cached)/prettier $(formatted)
lint-words:
	@$(node) --no-warnings tools/prose/main.ts
	@$(node) --no-warnings loadtests/evidence/main.ts check
lint-workflows:
	@[ ! -x tools/bin/actionlint ] || tools/bin/actionlint .github/workflows/*.yml docs/upgrade-gate.yml

format: node_modules/.complete ## format the code
	@$(node) $(bin)/prettier --write --log-level warn $(formatted)

.PHONY: schema
schema: node_modules/.complete ## write loadtests/schema from the types
	@$(node) --no-warnings tools/schemas.ts

test: lint ## what a change needs before it is pushed: style, the pure tests, the chart, one real n8n (5 minutes)
	@tools/install-n8n 2.41.1
	@$(MAKE) --jobs=3 test-pure test-chart first-run part=first

# One real n8n, which mostly waits.
.PHONY: first-run
first-run: setup
	@$(jest) test/e2e/check.test.ts

test-all: all-checkers test ## what every commit has to pass, beside the cluster and containers (25 minutes more)
	@$(MAKE) test-unit besides='$(pure)'
	@$(MAKE) --jobs=2 test-real test-forecast besides=test/e2e/check

# `make test` leaves out what takes those of them that a machine without Go cannot have.
.PHONY: all-checkers
all-checkers: setup
	@tools/install actionlint helm-unittest kubeconform kube-score promtool helm-docs

# Minutes each, and of what hardly changes: the night has them, and a release.
long := test/e2e/(ends|company|explain|learn|pm2|production|kinds|unsaved) \
	test/conformance/(plants|conformance) test/workflows/ops \
	test/chart/(killed-worker|check-key) test/tools/image \
	test/chart/patches/(full-disk|pgbouncer|confirmCrashes|keepLostRequests|waitForPostgresql|fewerQueries|refuseExcess) \
	test/loadtests/(articles|chart/isolate/production|cli/hook-odd|cli/unsure|lib/s3|run/large-cluster)

# These measure how punctual k6 is, so nothing runs beside them.
alone := 'test/loadtests/load/(stall|k6)'

test-unit: setup ## the lab and the report, without an n8n
	@tools/install-chromium
	@tools/install-servers
	@tools/install versitygw promtool
	@$(jest) --runInBand $(alone)
	@$(jest) test/loadtests test/tools --testPathIgnorePatterns $(alone) $(long:%='%') $(besides:%='test/loadtests/%$(but-browser)')

but-browser := (?!.*browser)

# Tests that need neither a server nor a browser, but Helm at most.
pure := judge cli/compare cli/interrupt cli/measure cli/options cli/terminal evidence/tables \
	load/busy load/course load/parts.test load/step load/summary model n8n/metrics n8n/prometheus run/over-restarts \
	run/patches run/drive-load run/enough run/schedule scenarios secret report lib/figures workload/requests/read

test-pure: setup ## what is pure of the lab: verdicts, search, reports; no server or browser (30 s)
	@$(jest) --testPathIgnorePatterns browser -- $(addprefix test/loadtests/,$(pure))

test-chart: setup ## the chart: rendering, refusals, schemas; part=first is what `make test` has of it, part=rest the rest
	@test/chart/run $(part)

test-forecast: setup ## what the chart's alerts forecast of sixty made histories (a minute)
	@tools/install helm promtool
	@PATH=$(CURDIR)/tools/bin:$$PATH $(node) --no-warnings test/chart/forecast/check.ts charts/n8n-tuned

on-n8n := $(jest) --testPathIgnorePatterns test/e2e/containers $(long:%='%') $(besides) --
of-n8n := test/nodes test/workflows test/chart test/editor test/conformance

test-real: for-n8n ## test-n8n and test-check beside each other, which saves a few minutes
	@$(on-n8n) $(of-n8n) test/e2e

test-n8n: for-n8n ## the nodes, the workflows and the chart's variables on real n8n 2.41.1 and 0.221.2, and in the editor
	@$(on-n8n) $(of-n8n)

test-long: for-n8n ## what takes longest, faults, more hostile input, hundreds of renders (over an hour; nightly)
	@tools/install versitygw
	@$(jest) --runInBand test/faults
	@$(jest) $(long:%='%')
	@HOSTILE=150 HOSTILE_SEED=$$(date +%s) $(jest) test/loadtests/hostile.test
	@HOSTILE_COSTS=3000 HOSTILE_SEED=$$(date +%s) $(jest) test/loadtests/hostile-costs
	@$(MAKE) test-chart part=rest

test-check: for-n8n ## real runs: one short check from profile to report, who counts what, and n8n under PM2
	@$(on-n8n) test/e2e

.PHONY: for-n8n
for-n8n: setup
	@tools/install-chromium
	@tools/install-servers
	@tools/install-n8n

conformance: setup ## does a patched n8n do what n8n does? (VERSION=, SETUP=sqlite,postgresql,queue; minutes each)
	@tools/install-servers
	@VERSION=$(or $(VERSION),2.41.1$(comma)1.123.81) SETUP=$(or $(SETUP),sqlite$(comma)postgresql$(comma)queue) \
		$(jest) --runInBand test/conformance

verify-n8n: setup ## verify the patches on another n8n: make verify-n8n VERSION=2.41.1
	@tools/verify-n8n $(VERSION)

test-containers: setup ## a plan in containers of the real images (N8N_TUNED_TEST_IMAGES: a folder of image archives)
	@tools/install-servers
	@$(jest) --runInBand test/e2e/containers

test-faults: setup ## faults under load, and where each request went (10 minutes; not part of test)
	@tools/install-servers
	@tools/install-n8n
	@$(jest) --runInBand test/faults

test-kills: setup ## thirty runs in queue mode, ended at random moments (20 minutes; not part of test; ENGINE=container)
	@tools/install-servers
	@tools/install-n8n
	@$(jest) --runInBand test/kills

test-bottlenecks: setup ## is each bottleneck found for what it is? (15 minutes, a quiet machine; not part of test)
	@tools/install-servers
	@tools/install-n8n
	@$(jest) --runInBand test/bottlenecks

test-cluster: setup ## the chart on the cluster that KUBECONFIG names
	@test/cluster/run

##
.PHONY: release-check
release-check: setup ## every step of a release but the upload (VERSION=1.2.3: what the tag says)
	@tools/release-check $(VERSION)

##
.PHONY: bench-answer
bench-answer: setup ## does the interval of a capacity hold that of made servers? (SEEDS=2: half an hour; KINDS=cold: only those; SEEDS=k6: the real k6)
	@$(node) --no-warnings test/bench/answer.ts $(or $(SEEDS),2) "$(KINDS)"

.PHONY: bench-truth
bench-truth: setup ## is the answer of make capacity right, of a real n8n? (a quiet machine, 100 minutes; RUNS=5 ANSWERS=800 WORKFLOWS=; RUNS=0 writes the page)
	@tools/install-n8n 2.41.1
	@$(node) --no-warnings test/bench/truth.ts $(or $(RUNS),5) $(or $(ANSWERS),800) $(WORKFLOWS)

.PHONY: bench-gate
bench-gate: setup ## does the gate flag 15 % less, and pass the same thing twice? (about 12 minutes; a quiet machine)
	@$(node) --no-warnings test/bench/gate.ts $(TRIES)

.PHONY: bench-gate-beside
bench-gate-beside: setup ## does the gate flag 15 % more CPU, and pass the same n8n? (up to 15 minutes a try)
	@$(node) --no-warnings test/bench/gate-beside.ts $(TRIES)

.PHONY: bench-fleet
bench-fleet: setup ## do runs of one worker and two foretell three and four? (a quiet machine, 20 minutes a workflow)
	@tools/install-n8n 2.41.1
	@$(node) --no-warnings test/bench/fleet.ts $(WORKFLOWS)

.PHONY: bench-fleets
bench-fleets: setup ## of 200 simulated fleets, how many does the smallest size serve? (a quarter of an hour)
	@$(node) --no-warnings -e 'import("./test/support/tried-fleets.ts").then(({ tried }) => console.log(tried(200)))'

.PHONY: bench-mock
bench-mock: setup ## what does the mock of services cost at 500 calls a second? (a quiet machine, about 4 minutes)
	@$(node) --no-warnings test/bench/mock.ts $(ROUNDS)

.PHONY: bench-corpus
bench-corpus: setup ## any real workflow from its file alone: a folder of exports (CORPUS=DIR; half a minute a workflow)
	@tools/install-n8n 2.41.1
	@$(node) --no-warnings test/bench/corpus.ts $(or $(CORPUS),$(error name a folder of exported workflows: make bench-corpus CORPUS=DIR))

.PHONY: bench-start
bench-start: setup ## how long until n8n serves its first webhook? (a quiet machine, about 4 minutes)
	@$(node) --no-warnings test/bench/start.ts $(ROUNDS)

.PHONY: bench-memory
bench-memory: setup ## how much memory does n8n hold under the same load? (a quiet machine, about 30 minutes)
	@$(node) --no-warnings test/bench/memory.ts $(ROUNDS)

##
.PHONY: clean
clean: ## remove what was built and measured here; the cache stays
	rm -rf node_modules dist results tools/bin charts/n8n-tuned/files/n8n-nodes-tuned
