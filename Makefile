# Every target sets up what it needs. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

BUILD := swift build
RELEASE := swift build -c release
DEMO_STATE := .build/demo-state
LINT_PATHS := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Benchmarks/Rows Benchmarks/Outbox Benchmarks/Engine Benchmarks/Delivery Examples/CustomSink

.PHONY: help setup build release run test check-format format strict poll-only test-watch bench bench-quick bench-peers soak soak-watch crash-test acceptance example check-schema check-api check-interop docs man fuzz-config install clean

help: ## List the targets
	@sed -n 's/^\$$(BENCHES):/bench-PART:/; /^[a-zA-Z-]*:.*## /p' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'
	@echo '  (PART: $(BENCHES:bench-%=%))'

setup: ## Install the missing system packages (says which; uses sudo where not root)
	@scripts/setup

build: setup ## Build tminus for development
	$(BUILD) --product tminus

release: setup ## Build tminus with optimization
	$(RELEASE) --product tminus

run: build ## Watch config/ in a fresh state; Ctrl-C ends it
	@# Not while another daemon holds it: that one would go on with files that nobody sees any more.
	@[ ! -e $(DEMO_STATE)/tminus.lock ] || ! flock -n $(DEMO_STATE)/tminus.lock true || rm -rf $(DEMO_STATE)
	@# A job of its own (set -m), so that Ctrl-C ends tminus and not make.
	@set -m; .build/debug/tminus run --config config --state $(DEMO_STATE); exit $$?

# Some at a time: with all at once, those that wait would stand in line behind all that compute.
WIDTH = $(shell swift test --help-hidden 2>/dev/null | grep -q maximum-parallelization && echo --experimental-maximum-parallelization-width 16)
test: setup ## Build and run all tests
	swift build --build-tests
	swift test --skip-build $(WIDTH)

VALIDATOR := .build/check-schema
check-schema: setup $(VALIDATOR)/bin/check-jsonschema ## Compare tminus with an independent JSON Schema validator
	swift build --build-tests
	TMINUS_SCHEMA_CASES="$(CURDIR)/.build/schema-cases" swift test --skip-build --filter SchemaTests.write
	swift build --product tminus
	.build/debug/tminus schema > .build/tminus.schema.json
	cmp .build/tminus.schema.json Examples/tminus.schema.json
	$(VALIDATOR)/bin/python scripts/check-schema .build/tminus.schema.json .build/schema-cases

$(VALIDATOR)/bin/check-jsonschema:
	python3 -m venv $(VALIDATOR)
	$(VALIDATOR)/bin/pip install --quiet --disable-pip-version-check check-jsonschema==0.39.0

API_CHECKER := .build/check-api
check-api: setup $(API_CHECKER)/bin/schemathesis ## Try the routes of a daemon by what schemathesis makes of their description
	swift build --product tminus
	$(API_CHECKER)/bin/python scripts/check-api .build/debug/tminus $(EXAMPLES)

$(API_CHECKER)/bin/schemathesis:
	python3 -m venv $(API_CHECKER)
	$(API_CHECKER)/bin/pip install --quiet --disable-pip-version-check schemathesis==4.32.5

INTEROP := .build/check-interop
check-interop: setup $(INTEROP)/done ## Check signatures and payloads by the libraries of others
	swift build --build-tests
	TMINUS_INTEROP_CASES="$(CURDIR)/.build/interop-cases" swift test --skip-build --filter InteropTests.write
	$(INTEROP)/bin/python scripts/check-interop .build/interop-cases

$(INTEROP)/done:
	python3 -m venv $(INTEROP)
	$(INTEROP)/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 cloudevents==2.2.0
	touch $@

docs: setup ## Write the committed schema and reference anew from the tables of keys
	swift build --build-tests
	TMINUS_RECORD=1 swift test --skip-build --filter 'SchemaTests.*File'

fuzz-config: setup ## Feed prefixes and mutations of definition files to the reader: SECONDS=60 SEED=1
	swift build --product FuzzConfig
	scripts/fuzz-config .build/debug/FuzzConfig $(or $(SECONDS),60) $(or $(SEED),1)

test-watch: ## Watch what every editor and tool does to a file; installs them (10 minutes). ROWS=8,10 for some
	scripts/test-watch $(ROWS)

example: setup ## Build and test Examples/CustomSink, a tminus with one more kind of sink
	@# The same versions, so that the build of tminus is taken as it is.
	cp Package.resolved Examples/CustomSink/Package.resolved
	swift build --build-tests --package-path Examples/CustomSink --scratch-path $(CURDIR)/.build
	swift test --skip-build --package-path Examples/CustomSink --scratch-path $(CURDIR)/.build

check-format: ## Fail if a source file is not formatted
	swift format lint --strict --recursive $(LINT_PATHS)

format: ## Format all source files
	swift format --in-place --recursive $(LINT_PATHS)

strict: setup ## Build everything with warnings as errors
	TMINUS_STRICT=1 swift build --build-tests

poll-only: setup ## Build without libinotifytools: it then only polls
	swift build --product tminus --disable-default-traits --scratch-path .build-poll

BENCHES := bench-idle bench-config bench-scale bench-control bench-time bench-outbox bench-engine bench-delivery
BENCH_PARTS := $(addsuffix -rows,$(BENCHES))
# Each writes what it has measured, one after the other; the table comes at the end, and says what is missed. What idles does not
# disturb the others, nor do they wake it: it takes its minutes beside them.
bench: release ## Print all figures of the release build with their targets (20 minutes and the builds)
	@rm -f .build/bench.rows; \
	$(MAKE) --no-print-directory -s bench-idle-rows > .build/bench-idle.rows & idle=$$!; \
	trap "kill $$idle 2>/dev/null" EXIT; sleep 10; \
	for bench in $(filter-out bench-idle-rows,$(BENCH_PARTS)); do \
	    $(MAKE) --no-print-directory -s $$bench >> .build/bench.rows || exit 1; done; wait $$idle
	@scripts/bench-table .build/bench-idle.rows .build/bench.rows

bench-quick: export BENCH_QUICK = 1
bench-quick: release ## Print most figures, of two runs each and without the slow ones (5 minutes and the builds)
	@rm -f .build/bench-quick.rows; for bench in bench-scale-rows bench-control-rows bench-time-rows bench-engine-rows; do \
	    $(MAKE) --no-print-directory -s $$bench >> .build/bench-quick.rows || exit 1; done
	@HISTORY=0 $(MAKE) --no-print-directory -s bench-outbox-rows >> .build/bench-quick.rows
	@PARTS='instant lateness lines' $(MAKE) --no-print-directory -s bench-delivery-rows >> .build/bench-quick.rows
	@scripts/bench-table .build/bench-quick.rows

bench-peers: release ## Print what other schedulers cost beside tminus; installs them (7 minutes and the builds)
	@scripts/bench-peers .build/release/tminus $(PARTS) > .build/bench-peers.rows
	@scripts/bench-table .build/bench-peers.rows

# One benchmark with its own table: make bench-control, for one.
.PHONY: $(BENCHES) $(BENCH_PARTS)
$(BENCHES): release ## Print the figures of one part alone
	@$(MAKE) --no-print-directory -s $@-rows > .build/$@.rows
	@scripts/bench-table .build/$@.rows

bench-idle-rows bench-config-rows bench-scale-rows bench-control-rows:
	@scripts/$(@:-rows=) .build/release/tminus $(PARTS)

bench-time-rows:
	@swift build -c release --package-path Benchmarks --product BenchTime >&2
	@Benchmarks/.build/release/BenchTime

bench-outbox-rows:
	@$(RELEASE) --product outbox-bench >&2
	@scripts/setup gcc libc6-dev >&2
	@gcc -O2 -Wall -o .build/sqlite-peer Benchmarks/Peers/Programs/sqlite.c -lsqlite3
	@.build/release/outbox-bench .build/sqlite-peer $(HISTORY)

bench-engine-rows:
	@$(RELEASE) --product engine-bench >&2
	@.build/release/engine-bench $(if $(BENCH_QUICK),1000000)

bench-delivery-rows:
	@$(RELEASE) --product delivery-bench >&2
	@scripts/bench-delivery .build/release/delivery-bench $(PARTS)

soak-watch: release ## Edit a watched directory at random for MINUTES (default 30), faults included, and check that all follows
	scripts/soak-watch .build/release/tminus $(or $(MINUTES),30) $(SEED)

soak: release ## Run at 500 firings a second with an edit every second for MINUTES (default 30): nothing lost, nothing grows
	scripts/soak .build/release/tminus $(or $(MINUTES),30)

crash-test: build ## Kill the daemon at 200 random moments, fill its disk, stop it; CRASH_CYCLES=10 for fewer
	scripts/crash-test .build/debug/tminus $(if $(CRASH_CYCLES),--cycles $(CRASH_CYCLES) --timers 30 --stopped 2)

acceptance: build ## Measure what tminus promises on the debug build (2 minutes)
	scripts/acceptance .build/debug/tminus

# The manual of a command is its --help: the tool of swift-argument-parser writes both from the same declarations.
MANUAL := .build/manual
man: release ## Write manual pages and completions of the release build to .build/share
	swift build --package-path .build/checkouts/swift-argument-parser --scratch-path $(MANUAL) --product generate-manual
	@scripts/write-share .build/release/tminus $(MANUAL)/debug/generate-manual .build/share

install: man ## Install the release build to PREFIX (default /usr/local; uses sudo where that needs it)
	@prefix=$(DESTDIR)$(or $(PREFIX),/usr/local); as_root=; \
	mkdir -p "$$prefix" 2>/dev/null && [ -w "$$prefix" ] || as_root=sudo; \
	$$as_root install -D -m 0755 .build/release/tminus "$$prefix/bin/tminus"; \
	(cd .build/share && find . -type f) | while read -r file; do \
	    $$as_root install -D -m 0644 ".build/share/$$file" "$$prefix/share/$$file" </dev/null; done; \
	echo "installed $$prefix/bin/tminus, its manual pages and completions"

clean: ## Remove everything that was built
	rm -rf .build .build-poll Benchmarks/.build
