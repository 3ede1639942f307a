# Everything a developer runs. `make` alone builds.

GO       ?= go
FUZZTIME ?= 20s

# "./..." leaves testdata out, so that its packages are named here. The tests of
# session take the longest: they begin first, then those of the commands.
TESTDATA := ./testdata/antd ./testdata/libraries ./testdata/libraries/serve ./testdata/npm ./testdata/pages ./testdata/shop ./testdata/shop/serve
PACKAGES := ./internal/session ./... $(TESTDATA)
# Those whose tests start no browser; RACED are used by several goroutines, or have some.
PLAIN    := . ./actions ./diag ./internal/driver ./internal/hosts ./internal/ops ./internal/program ./internal/pysdk ./internal/steps/... ./internal/testkit/... ./registry ./spec ./version
RACED    := ./executor ./expr ./internal/definitions ./internal/egress ./internal/files ./internal/snapshot ./internal/trace ./loader ./selectors ./validator
UNITS    := $(PLAIN) $(RACED)
# Tests with values so large that the race detector makes them ten times as slow, and
# those that do the same to each builtin definition in one goroutine: test-all races them.
LARGE    := ((Bounded|Bounds|Limits|Ends|Stops)|^Test(SameResult|FormatOfEveryDefinition|BothFormsMeanTheSame|BuiltinDefinitions|BuiltinDefinitionsAreFormatted|ErrorsOfChangedBuiltins|NpmPackage|SecondOpinion|SchemaAgainstErrors|SchemaAcceptsExamples|SchemaKnowsEveryStep|SchemaIsDeterministic))$$
# What the tests say is made into a report; the exit code is that of go test.
SHELL    := /bin/bash -o pipefail
TESTED   := $(GO) test -json -vet=off -ldflags=-w
REPORT   := $(GO) run ./internal/testkit/report
PARALLEL ?= 4
# Benchmarks that need no quiet machine are run once: they must not rot.
BENCHED  := ./cmd/actiond ./expr ./loader ./registry ./internal/trace ./validator
NPM      := testdata/npm
# npm writes these files last. testdata/mcp has a client of the Model Context Protocol.
NPM_DONE := $(NPM)/node_modules/.package-lock.json
MCP      := testdata/mcp
MCP_DONE := $(MCP)/node_modules/.package-lock.json
# The linter of the OpenAPI description. The folder is also a Go module, with a generator of clients.
OPENAPI      := testdata/openapi
OPENAPI_DONE := $(OPENAPI)/node_modules/.package-lock.json
# The protocol's conformance tests, with the Node that they need: only for test-all.
CONFORMANCE      := $(MCP)/conformance
CONFORMANCE_DONE := $(CONFORMANCE)/node_modules/.package-lock.json

# The peers that bench-peers measures: agent-browser and Playwright.
PEERS      := bench/peers
PEERS_DONE := $(PEERS)/node_modules/.package-lock.json

.PHONY: build demo check test test-all matrix lint browser node_modules docs docs-libraries engine bench bench-peers fuzz soak release clean

build:
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags "-s -w" -o bin/ ./cmd/action ./cmd/actiond

# Three actions on a shop of its own; installs a browser when there is none.
demo: build
	@scripts/browser.sh install
	@scripts/demo.sh bin/action

# Pages of the component libraries, until it is interrupted.
serve-libraries: node_modules
	@tail -f /dev/null | $(GO) run ./testdata/libraries/serve testdata/npm/node_modules

# Three tiers. check is for each save: lint and no browser, under a minute. test is for each
# change: on browsers, about 6 minutes on two cores; -short takes a part of the
# long tables, and the report says how many rows are left out. test-all runs everything.
check: lint
	{ $(TESTED) -short -skip '^(Example|TestEmbeddedPeople)$$' $(UNITS); a=$$?; \
	  $(TESTED) -short -run '^(TestCommandsPage|TestRouteOf|TestReadmeNamesEveryCommand|TestEveryCommandHasAScript)$$' ./cmd/actiond; b=$$?; \
	  $(TESTED) -short -run '^(TestHTTPPage|TestTokens)$$' ./internal/serve; exit $$((a + b + $$?)); } | $(REPORT)

# Two packages, of each four browser tests at a time: half of their time they wait for pages
# that are late on purpose. In the gaps that are left the
# tests without a browser are compiled and run, with less priority, so that they delay no
# browser. Their report waits in a file, since lines of two writers could mix. The race detector would make the browser
# tests half as slow again: here it watches what runs in goroutines and needs no browser,
# and the daemon; test-all has it for all. One report, which comes whatever fails.
test: node_modules browser
	@units=$$(mktemp) && trap 'rm -f "$$units"' EXIT && \
	{ nice -n 15 bash -c '$(TESTED) -short -race -p 1 -skip "$(LARGE)" $(RACED); a=$$?; \
	    $(TESTED) -short -p 1 $(PLAIN); b=$$?; \
	    $(TESTED) -short -p 1 -run "$(LARGE)" $(RACED); exit $$((a + b + $$?))' >"$$units" 2>&1 & \
	  $(TESTED) -short -p 2 -timeout 60m -parallel $(PARALLEL) ./internal/session ./cmd/... ./internal/browser/... ./sdk/... $(TESTDATA); a=$$?; \
	  $(TESTED) -short -race -p 2 ./internal/daemon/... ./internal/serve; b=$$?; \
	  wait $$!; c=$$?; cat "$$units"; exit $$((a + b + c)); } | $(REPORT)

test-all: node_modules $(CONFORMANCE_DONE) browser lint
	$(TESTED) -race -p 1 -timeout 120m -parallel $(PARALLEL) $(PACKAGES) | $(REPORT) -slowest 40
	$(GO) test -race -run '^$$' -bench . -benchtime 1x $(BENCHED)
	@scripts/fuzz.sh $(FUZZTIME)

# Every action of the component libraries on every version, many times over;
# SLOWDOWN=4 does so with a processor as many times slower. Pages side by side: an
# action waits half of its time.
ROUNDS   ?= 10
SLOWDOWN ?= 1
PAGES    ?= 4
matrix: node_modules browser
	MATRIX_LOCALES=en,zh MATRIX_SLOWDOWN=$(SLOWDOWN) $(GO) test ./internal/session -run TestMatrix -count $(ROUNDS) -parallel $(PAGES) -timeout 0

# The pages that are written from the code and its tests, and the generated modules of the Python
# SDK; tests compare them.
docs:
	$(GO) test ./expr -run TestFilterPage -update
	$(GO) test ./selectors -run TestKindsTable -update
	$(GO) test ./spec -run TestKeyTables -update
	$(GO) test ./internal/steps/catalogue -run TestReferencePage -update
	$(GO) test ./cmd/actiond -run TestCommandsPage -update
	$(GO) test ./internal/ops -run TestProtocolPage -update
	$(GO) test ./internal/serve -run TestHTTPPage -update
	$(GO) test ./internal/pysdk -run TestPythonSDK -update
	$(GO) test ./internal/browser -run TestWaysTable -update

# The script of the page engine, from its modules.
engine:
	$(GO) test ./internal/browser/engine/bundle -run TestScriptIsCurrent -update

# docs/libraries.md, from the whole matrix: a quarter of an hour.
docs-libraries: node_modules browser
	$(GO) test ./internal/session -run TestMatrix -timeout 0 -update

lint: node_modules
	@found=$$(find . -name node_modules -prune -o -name '*.go' -print0 | xargs -0 gofmt -l) && \
	  { test -z "$$found" || { printf 'gofmt would change:\n%s\n' "$$found" >&2; exit 1; }; }
	$(GO) vet $(PACKAGES)
	$(GO) tool staticcheck $(PACKAGES)
	cd bench && $(GO) vet ./...
	cd internal/browser/engine/page && $(CURDIR)/$(NPM)/node_modules/.bin/eslint . && $(CURDIR)/$(NPM)/node_modules/.bin/tsc -p .

# Without a browser the browser tests would prove nothing: fail here.
browser:
	@scripts/browser.sh find

node_modules: $(NPM_DONE) $(MCP_DONE) $(OPENAPI_DONE)

$(NPM_DONE): $(NPM)/package.json $(NPM)/package-lock.json $(NPM)/.npmrc
	cd $(NPM) && npm ci --ignore-scripts
	@touch $@

$(CONFORMANCE_DONE): $(CONFORMANCE)/package.json $(CONFORMANCE)/package-lock.json $(CONFORMANCE)/.npmrc
	cd $(CONFORMANCE) && npm ci --ignore-scripts
	@touch $@

$(MCP_DONE): $(MCP)/package.json $(MCP)/package-lock.json $(MCP)/.npmrc
	cd $(MCP) && npm ci --ignore-scripts
	@touch $@

$(OPENAPI_DONE): $(OPENAPI)/package.json $(OPENAPI)/package-lock.json $(OPENAPI)/.npmrc
	cd $(OPENAPI) && npm ci --ignore-scripts
	@touch $@

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./...

# Beside the peers, on a quiet machine: about a quarter of an hour. Writes
# bench/results.json, the plots and the figures of docs/performance.md. ONLY=shell
# (script, full, default, packs, memory, steps, growth, go) takes a part of it and writes no
# docs. ONLY=agents, the tasks over MCP, takes three minutes on any machine and writes its own.
bench-peers: ROUNDS = 15
bench-peers: build $(PEERS_DONE)
	cd bench && $(GO) test . && $(GO) run . -root .. -rounds $(ROUNDS) -only "$(ONLY)"

$(PEERS_DONE): $(PEERS)/package.json $(PEERS)/package-lock.json $(PEERS)/.npmrc
	cd $(PEERS) && npm ci --ignore-scripts
	@touch $@

# 24 sessions open, run and close, that many times over; 500 take about two hours.
SOAK ?= 500
soak: browser
	ACTION_SOAK=$(SOAK) $(GO) test ./internal/session -run TestSoak -v -timeout 6h

fuzz:
	@scripts/fuzz.sh $(FUZZTIME)

# Archives for linux and darwin with checksums, in dist.
release:
	@scripts/release.sh dist

clean:
	rm -rf bin dist bench/out $(NPM)/node_modules $(MCP)/node_modules $(OPENAPI)/node_modules $(CONFORMANCE)/node_modules $(PEERS)/node_modules
