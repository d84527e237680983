# Every target sets up what it needs. `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# A development build. CI names one without debug information.
BUILD ?= swift build
# POLL=1 leaves libinotifytools out.
SCRATCH ?= $(if $(POLL),.build-poll,.build)
TRAITS := $(if $(POLL),--disable-default-traits)
LIBRARIES := $(if $(POLL),libpq-dev libsqlite3-dev nettle-dev tzdata zlib1g-dev,build)
# The Swift runtime is linked in, so that the program needs no toolchain where it runs; Sources/CProcessSetup says what
# --wrap is for. No path of this machine is kept: neither in debug information nor by `#file`, nor as a place to look
# for libraries; nor are the hashes of intermediate code, which would say nothing but that a path was another one.
SHIPPED_AS := $(CURDIR)=/usr/src/tminus
OPTIMIZED := swift build -c release --scratch-path $(SCRATCH) $(TRAITS) --static-swift-stdlib --disable-local-rpath \
	-Xswiftc -file-prefix-map -Xswiftc $(SHIPPED_AS) -Xcc -ffile-prefix-map=$(SHIPPED_AS) \
	-Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
	-Xswiftc -enable-upcoming-feature -Xswiftc ConciseMagicFile
RELEASE := $(OPTIMIZED) -Xlinker --wrap=dispatch_source_set_timer
DEMO_STATE := .build/demo-state
LINT_PATHS := Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/BareServer Benchmarks/Time Examples/CustomSink

# Every target of the list below is a name, not a file.
.PHONY: setup-test $(shell sed -n 's/^\([a-z-]*\):.*## .*/\1/p' $(firstword $(MAKEFILE_LIST)))

help: ## List the targets
	@sed -n '/^[a-zA-Z-]*:.*## /p' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  %-14s %s\n", $$1, $$2}'

setup: ## Install missing Debian packages for the build; FOR="test lint bench peers" for more
	@scripts/setup.sh build $(FOR)

setup-test:
	@scripts/setup.sh build test

build: setup ## Build tminus for development
	@scripts/first-build.sh .build/debug/tminus
	$(BUILD) --product tminus

release: ## Build tminus as it is installed: optimized, Swift runtime linked in. POLL=1 without libinotifytools
	@scripts/setup.sh $(LIBRARIES)
	@scripts/first-build.sh $(SCRATCH)/release/tminus
	$(RELEASE) --product tminus

run: build ## Watch config/ in a fresh state; Ctrl-C ends it. LISTEN=127.0.0.1:8080 serves the page too
	@# Not while another daemon holds it: that one would go on with files that nobody sees any more.
	@[ ! -e $(DEMO_STATE)/tminus.lock ] || ! flock -n $(DEMO_STATE)/tminus.lock true || rm -rf $(DEMO_STATE)
	@# A job of its own (set -m), so that Ctrl-C ends tminus and not make.
	@set -m; .build/debug/tminus run --config config --state $(DEMO_STATE) $(addprefix --listen ,$(LISTEN)); exit $$?

# Some at a time: with all at once, those that wait would stand in line behind all that compute.
WIDTH = $(shell swift test --help-hidden 2>/dev/null | grep -q maximum-parallelization && echo --experimental-maximum-parallelization-width 16)
test: setup-test ## Build and run all tests
	@scripts/first-build.sh .build/debug/tminus
	$(BUILD) --build-tests
	@# No line of the log may be too long for an editor or a log service.
	set -o pipefail; swift test --skip-build $(WIDTH) 2>&1 | Tests/Checks/check_log.py

VALIDATOR := .build/check-schema
check-schema: setup-test $(VALIDATOR)/bin/check-jsonschema ## Hold definition files and every JSON output against their schemas, by an independent validator
	$(BUILD) --build-tests
	TMINUS_SCHEMA_CASES="$(CURDIR)/.build/schema-cases" swift test --skip-build --filter SchemaTests.write
	$(BUILD) --product tminus
	.build/debug/tminus schema > .build/tminus.schema.json
	cmp .build/tminus.schema.json Examples/tminus.schema.json
	$(VALIDATOR)/bin/python Tests/Checks/check_schema.py .build/tminus.schema.json .build/schema-cases
	$(VALIDATOR)/bin/python Tests/Checks/check_output.py .build/debug/tminus

$(VALIDATOR)/bin/check-jsonschema:
	python3 -m venv $(VALIDATOR)
	$(VALIDATOR)/bin/pip install --quiet --disable-pip-version-check check-jsonschema==0.39.0

API_CHECKER := .build/check-api
check-api: setup-test $(API_CHECKER)/bin/schemathesis ## Try the routes of a daemon by what schemathesis makes of their description
	$(BUILD) --product tminus
	$(API_CHECKER)/bin/python Tests/Checks/check_api.py .build/debug/tminus $(EXAMPLES)

$(API_CHECKER)/bin/schemathesis:
	python3 -m venv $(API_CHECKER)
	$(API_CHECKER)/bin/pip install --quiet --disable-pip-version-check schemathesis==4.32.5

check-doors: setup-test ## Send damaged requests to the TCP doors of a daemon: SECONDS=10 SEED=1
	$(BUILD) --product tminus
	Tests/Checks/check_doors.py .build/debug/tminus $(or $(SECONDS),10) $(or $(SEED),1)

check-secrets: setup-test ## Look for secrets in everything that a daemon and its commands write while every sink fails
	$(BUILD) --product tminus
	Tests/Checks/check_secrets.py .build/debug/tminus

INTEROP := .build/check-interop
check-examples: setup-test $(INTEROP)/done ## Run the command lines of README, the articles and the help; V=1 lists them
	$(BUILD) --product tminus
	$(INTEROP)/bin/python Tests/Checks/check_examples.py .build/debug/tminus $(if $(V),-v)

check-poll: setup-test ## Type-check the watcher without libinotifytools
	$(BUILD) --product tminus
	Tests/Checks/check_poll.py

check-interop: setup-test $(INTEROP)/done ## Check signatures and payloads by the libraries of others
	$(BUILD) --build-tests
	TMINUS_INTEROP_CASES="$(CURDIR)/.build/interop-cases" swift test --skip-build --filter InteropTests.write
	$(INTEROP)/bin/python Tests/Checks/check_interop.py .build/interop-cases

$(INTEROP)/done:
	python3 -m venv $(INTEROP)
	$(INTEROP)/bin/pip install --quiet --disable-pip-version-check standardwebhooks==1.1.0 cloudevents==2.2.0
	touch $@

ORACLES := .build/oracles
oracles: build setup-test $(ORACLES)/done ## Ask tminus and other libraries the same random questions about times: SEED=1 COUNT=20000 (a minute or two)
	$(ORACLES)/bin/python Tests/Oracles/oracles.py --self-test --count 300
	$(ORACLES)/bin/python Tests/Oracles/oracles.py .build/debug/tminus --seed $(or $(SEED),1) --count $(or $(COUNT),20000)

$(ORACLES)/done:
	python3 -m venv $(ORACLES)
	$(ORACLES)/bin/pip install --quiet --disable-pip-version-check croniter==7.0.0 cronsim==2.8 python-dateutil==2.9.0.post0
	touch $@

METRICS_CHECKER := .build/check-metrics
check-metrics: setup-test $(METRICS_CHECKER)/done ## Hold /metrics against promtool, prometheus_client, 10,000 deliveries and faults, and try alert rules and dashboard
	$(BUILD) --product tminus
	$(METRICS_CHECKER)/bin/python Tests/Checks/check_metrics.py .build/debug/tminus
	Tests/Checks/check_counters.py .build/debug/tminus
	Tests/Checks/check_faults.py .build/debug/tminus

$(METRICS_CHECKER)/done:
	@scripts/setup.sh metrics
	python3 -m venv $(METRICS_CHECKER)
	$(METRICS_CHECKER)/bin/pip install --quiet --disable-pip-version-check prometheus-client==0.26.0
	touch $@

PAGE_CHECKER := .build/check-page
check-page: setup-test ## Try the web page in Chromium; K='wall or axe' for some. Skipped where Chromium cannot be installed, unless TMINUS_NEEDS_BROWSER=1
	$(BUILD) --product tminus
	@Tests/Page/check_page.sh page .build/debug/tminus $(PAGE_CHECKER) $(if $(K),-k '$(K)')

check-proxies: setup-test ## Try the web page behind nginx and Caddy, as in Examples/proxies, and exchange certificates; K= as above
	$(BUILD) --product tminus
	@Tests/Page/check_page.sh proxies .build/debug/tminus $(PAGE_CHECKER) $(if $(K),-k '$(K)')

check-long: setup-test ## Try what is too long for CI: a wall display over 100 restarts, three writers of one file 1,000 times
	$(BUILD) --product tminus
	RESTARTS=100 TMINUS_NEEDS_BROWSER=1 Tests/Page/check_page.sh page .build/debug/tminus $(PAGE_CHECKER) -k many_restarts
	$(BUILD) --build-tests
	TMINUS_WRITES=1000 swift test --skip-build --filter ManyWritersTests

docs: setup ## Write the committed schemas and reference anew from the tables of keys and control.openapi.json
	scripts/write-schemas.py
	$(BUILD) --build-tests
	TMINUS_RECORD=1 swift test --skip-build --filter 'SchemaTests.*File'

fuzz-config: setup-test ## Feed prefixes and mutations of definition files to the reader: SECONDS=60 SEED=1
	$(BUILD) --product FuzzConfig
	Tests/FuzzConfig/fuzz_config.py .build/debug/FuzzConfig $(or $(SECONDS),60) $(or $(SEED),1)

# SwiftPM gives swiftc one sanitizer after the other, of which the last alone counts; gold cannot link the two together.
FUZZ := TMINUS_FUZZ=1 swift build -c release --product tminus-fuzz --scratch-path .build-fuzz -Xswiftc -enable-testing \
	--sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
fuzz: setup ## Feed inputs that coverage finds to what reads text, under AddressSanitizer: SECONDS=600 each, TARGETS='cron tzif'
	$(FUZZ)
	Tests/Fuzz/fuzz.py .build-fuzz/release/tminus-fuzz $(or $(SECONDS),600) $(TARGETS)

sanitize: setup-test ## Run all tests under AddressSanitizer and ThreadSanitizer: WITH=thread for one (an hour)
	WIDTH="$(WIDTH)" Tests/Sanitize/sanitize.sh $(or $(WITH),address thread)

sim: setup ## Simulate the engine with faults drawn from seeds: SEEDS=1000 FIRST=1, or SEED=n for one; STORE=sqlite or fleet
	$(BUILD) --product tminus-sim
	.build/debug/tminus-sim --store $(or $(STORE),memory) $(if $(SEED),--seed $(SEED),--first $(or $(FIRST),1) --seeds $(or $(SEEDS),1000) \
		--before Tests/Simulation/former-failures.txt)

mutants: setup-test ## Build the program with one deliberate fault at a time; the tests must notice each. WORDS='mute retry'
	Tests/Mutants/mutants.py $(WORDS)

test-watch: ## Watch what every editor and tool does to a file; installs them (10 minutes). ROWS=8,10 for some
	Tests/WatchMatrixTests/Tools/test_watch.py $(ROWS)

example: setup ## Build and test Examples/CustomSink, a tminus with one more kind of sink
	@# The same versions, so that the build of tminus is reused. The cached plan is not: it is that of tminus.
	cp Package.resolved Examples/CustomSink/Package.resolved
	$(BUILD) --disable-build-manifest-caching --build-tests --package-path Examples/CustomSink --scratch-path $(CURDIR)/.build
	swift test --skip-build --package-path Examples/CustomSink --scratch-path $(CURDIR)/.build

LINTER := .build/lint
lint-scripts: $(LINTER)/bin/ruff ## Check the Python and shell scripts with ruff and shellcheck
	@scripts/setup.sh lint
	$(LINTER)/bin/ruff check
	shellcheck --severity=warning scripts/*.sh .ci/run Examples/*/*.sh Tests/*/*.sh Tests/*/Tools/*.sh

$(LINTER)/bin/ruff:
	@scripts/setup.sh lint
	python3 -m venv $(LINTER)
	$(LINTER)/bin/pip install --quiet --disable-pip-version-check ruff==0.17.6

check-format: lint-scripts ## Fail if a source file is not formatted or a script does not pass the linters
	swift format lint --strict --recursive $(LINT_PATHS)

check-conversions: ## Fail if a place where a value from outside could end the process has no proof that it cannot
	Tests/Checks/check_conversions.py

check-unsafe: ## Fail if a use of unsafe Swift has no reason beside it in Tests/Checks/unsafe.txt
	Tests/Checks/check_unsafe.py

check-sleeps: ## Fail if a sleep in the tests has no comment that says why no event can take its place
	Tests/Checks/check_sleeps.py

format: ## Format all source files
	swift format --in-place --recursive $(LINT_PATHS)

strict: setup ## Build everything with warnings as errors
	TMINUS_STRICT=1 $(BUILD) --build-tests

poll-only: ## Build without libinotifytools, which then is not installed: tminus polls
	@scripts/setup.sh libpq-dev libsqlite3-dev nettle-dev tzdata zlib1g-dev
	$(BUILD) $(or $(WHAT),--product tminus) --disable-default-traits --scratch-path .build-poll

# From outside, each beside a reference; then what else is measured.
DRIVEN := load flood late commands webhooks edit idle
PIECES := scale control serving answers watching fleet page time turns
PARTS ?= $(DRIVEN) $(PIECES)
bench: release ## Measure the release build beside references: PARTS="load flood" RUNS=3 (half an hour)
	@scripts/setup.sh bench
	@status=0; parts="$(filter $(DRIVEN),$(PARTS))"; \
	if [ -n "$$parts" ]; then Benchmarks/drive.py .build/release/tminus $$parts || status=1; fi; \
	for piece in $(filter $(PIECES),$(PARTS)); do \
	    $(MAKE) --no-print-directory -s rows-$$piece > .build/bench.rows && Benchmarks/table.py .build/bench.rows || status=1; done; \
	exit $$status

bench-compare: ## Measure two programs in turn: OLD=path NEW=.build/release/tminus PARTS=... RUNS=3
	@scripts/setup.sh bench
	@Benchmarks/drive.py --compare $(OLD) $(or $(NEW),.build/release/tminus) $(filter $(DRIVEN),$(PARTS))

bench-peers: release ## Print what other schedulers cost beside tminus; installs them (7 minutes and the builds)
	@scripts/setup.sh peers
	@Benchmarks/peers.py .build/release/tminus > .build/peers.rows
	@Benchmarks/table.py .build/peers.rows

# One piece by itself, with the same verdicts.
bench-fleet: ## Measure daemons on one PostgreSQL server: take-over, firings beside SQLite, four machines beside one, idling
bench-page: ## Measure the web page in Chromium, as `make bench` does: what it loads, how soon it shows, what it costs
bench-serving: ## Measure what the daemon serves: thousands of viewers by socket, TCP and TLS, and its metrics
.PHONY: $(PIECES:%=bench-%) $(PIECES:%=rows-%)
$(PIECES:%=bench-%): release
	@scripts/setup.sh bench
	@$(MAKE) --no-print-directory -s rows-$(@:bench-%=%) > .build/bench.rows
	@Benchmarks/table.py .build/bench.rows

# Writes the rows of one piece for table.py, and builds nothing.
$(filter-out rows-answers rows-page rows-time rows-turns,$(PIECES:%=rows-%)):
	@Benchmarks/$(@:rows-%=%).py .build/release/tminus

rows-page:
	@Tests/Page/environment.sh $(PAGE_CHECKER) >&2
	@$(PAGE_CHECKER)/bin/python Benchmarks/page.py .build/release/tminus

rows-answers:
	@cp Package.resolved Benchmarks/Package.resolved
	@swift build -c release --package-path Benchmarks --product bare-server >&2
	@Benchmarks/answers.py .build/release/tminus Benchmarks/.build/release/bare-server

rows-turns:
	@$(OPTIMIZED) --product tminus-sim >&2
	@.build/release/tminus-sim --turns 300

rows-time:
	@swift build -c release --package-path Benchmarks --product bench-time >&2
	@Benchmarks/.build/release/bench-time

soak-watch: release setup-test ## Edit a watched directory at random for MINUTES (default 30), faults included, and check that all follows
	Tests/Soak/soak_watch.py .build/release/tminus $(or $(MINUTES),30) $(SEED)

soak: release setup-test ## Run at 500 firings a second with an edit every second for MINUTES (default 30): nothing lost, nothing grows
	Tests/Soak/soak.py .build/release/tminus $(or $(MINUTES),30)

crash-test: build setup-test ## Kill the daemon at 200 random moments, fill its disk, stop it, kill who saves; CRASH_CYCLES=10 for fewer
	Tests/Crash/crash_test.py .build/debug/tminus $(if $(CRASH_CYCLES),--cycles $(CRASH_CYCLES) --timers 30 --stopped 2)
	Tests/Crash/save_test.py .build/debug/tminus $(if $(CRASH_CYCLES),--cycles $(CRASH_CYCLES))

failing-calls: build ## Have system calls of a scripted run fail, one at a time (an hour): CALL="open read" for some, EVERY=1, AT_MOST=40 of a kind
	@scripts/setup.sh calls
	Tests/Calls/failing_calls.py --self-test .build/debug/tminus
	Tests/Calls/failing_calls.py $(CALL:%=--call %) $(if $(EVERY),--every $(EVERY)) $(if $(AT_MOST),--at-most $(AT_MOST)) .build/debug/tminus

fleet: build ## Run three daemons on a database of their own, one of which leads; Ctrl-C ends all (Examples/fleet)
	@scripts/setup.sh fleet
	@set -m; Examples/fleet/run.sh .build/debug/tminus; exit $$?

fleet-chaos: build setup-test ## Kill, pause and cut off three daemons on one database: MINUTES=10 SEED=1 OLDER=path; nothing is lost
	Tests/Fleet/chaos.py .build/debug/tminus --minutes $(or $(MINUTES),10) $(addprefix --seed ,$(SEED)) $(addprefix --older ,$(OLDER))

# The manual of a command is its --help: the tool of swift-argument-parser writes both from the same declarations.
MANUAL := .build/manual
man: release ## Write manual pages, completions and schemas of the release build to .build/share
	swift build --package-path $(SCRATCH)/checkouts/swift-argument-parser --scratch-path $(MANUAL) --product generate-manual
	@scripts/write-share.sh $(SCRATCH)/release/tminus $(MANUAL)/debug/generate-manual .build/share

# The toolchain's own licence stands beside its libraries, wherever it was installed.
TOOLCHAIN_LICENCE = $(shell swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath" *: *"\(.*\)/lib/swift".*|\1|p')/share/swift/LICENSE.txt
notices: release ## Write the licences of everything that is linked in to .build/NOTICES
	scripts/write_notices.py --checkouts $(SCRATCH)/checkouts --toolchain $(TOOLCHAIN_LICENCE) .build/NOTICES

check-notices: ## Fail if debian/copyright does not have exactly the packages of Package.resolved
	@Tests/Package/check_notices.py

VERSION = $(shell sed -n 's/.*current = "\(.*\)".*/\1/p' Sources/tminus/TminusVersion.swift)
SWIFT_VERSION = $(shell swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p')
COMMIT_DATE = $(shell git log -1 --format=%ct)
BILL := .build/sbom
sbom: ## Write what is linked in to .build/sbom, as SPDX 2.3 and CycloneDX 1.6
	@mkdir -p $(BILL)
	SOURCE_DATE_EPOCH=$(COMMIT_DATE) scripts/write_sbom.py $(VERSION) $(SWIFT_VERSION) $(BILL)

BILL_CHECKER := .build/check-sbom
check-sbom: sbom $(BILL_CHECKER)/done ## Check the files of `make sbom` by the libraries of the two formats
	$(BILL_CHECKER)/bin/pyspdxtools -i $(BILL)/tminus.spdx.json
	$(BILL_CHECKER)/bin/python Tests/Package/check_cyclonedx.py $(BILL)/tminus.cdx.json

$(BILL_CHECKER)/done:
	@scripts/setup.sh python3 python3-venv
	python3 -m venv $(BILL_CHECKER)
	$(BILL_CHECKER)/bin/pip install --quiet --disable-pip-version-check spdx-tools==0.8.5 'cyclonedx-python-lib[json-validation]==11.12.0'
	touch $@

check-repro: ## Build the package of the last commit in two directories, and fail if they differ (two release builds)
	@scripts/setup.sh package
	swift package resolve --scratch-path $(SCRATCH)
	Tests/Package/check_repro.py --scratch $(SCRATCH) $(if $(POLL),--poll)

check-units: ## Fail if systemd does not understand a unit, or finds that of the system too exposed
	@scripts/setup.sh systemd
	@Tests/Package/check_units.py

PACKAGES := .build/deb
deb: ## Build a Debian package into .build/deb; POLL=1 for one without libinotifytools, which may be passed on
	@scripts/setup.sh package
	rm -rf $(PACKAGES) && mkdir -p $(PACKAGES)
	SOURCE_DATE_EPOCH=$(COMMIT_DATE) SCRATCH=$(SCRATCH) POLL=$(POLL) debian/rules clean binary
	@# The project has no mail address.
	lintian --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog --fail-on error,warning --tag-display-limit 0 $(PACKAGES)/*.deb
	@ls -l $(PACKAGES)

check-deb: deb check-units ## Boot trees of Debian 12 and 13 and try the package in them, from install to purge: OLDER=FILE.deb POLL=1; needs root
	@scripts/setup.sh package-test
	Tests/Package/check_deb.py $(if $(POLL),--poll) $(addprefix --older ,$(OLDER)) $(PACKAGES)

IMAGE := .build/image
image: deb ## Make an OCI image of the package in .build/image, without an engine; needs root. POLL=1 for one to pass on
	@scripts/setup.sh image
	SOURCE_DATE_EPOCH=$(COMMIT_DATE) scripts/image.sh $(PACKAGES)/tminus_*.deb $(VERSION) $(IMAGE)

check-image: deb ## Make the image twice and run it without an engine: webhooks, TLS, no shell; needs root
	@scripts/setup.sh image test
	SOURCE_DATE_EPOCH=$(COMMIT_DATE) Tests/Package/check_image.py $(PACKAGES) $(VERSION)

dist: ## Make everything of a release in .build/dist, of the tagged commit; DIST_KEY=file signs it. Publishes nothing
	@scripts/setup.sh build package
	swift package resolve
	scripts/dist.py $(if $(DIST_KEY),--key $(DIST_KEY))

check-dist: ## Fail if `make dist` does not refuse what it must, or leaves something out; builds nothing
	@scripts/setup.sh git openssh-client python3
	@Tests/Package/check_dist.py

install: man notices ## Install the release build to PREFIX (default /usr/local; uses sudo where that needs it)
	@prefix=$(DESTDIR)$(or $(PREFIX),/usr/local); as_root=; \
	mkdir -p "$$prefix" 2>/dev/null && [ -w "$$prefix" ] || as_root=sudo; \
	$$as_root install -D -s -m 0755 $(SCRATCH)/release/tminus "$$prefix/bin/tminus"; \
	$$as_root install -D -m 0644 .build/NOTICES "$$prefix/share/doc/tminus/NOTICES"; \
	(cd .build/share && find . -type f) | while read -r file; do \
	    $$as_root install -D -m 0644 ".build/share/$$file" "$$prefix/share/$$file" </dev/null; done; \
	echo "installed $$prefix/bin/tminus, its manual pages, completions and schemas"

clean: ## Remove everything that was built
	rm -rf .build .build-* Benchmarks/.build
