# Weir. `make help` lists what there is.
#
# Everything runs on JDK 25, whatever `java` is the machine's default: the first one of JAVA_HOME, PATH and the usual
# folders is taken. src/main/dist/bin/weir looks in the same places when the built service is started.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

JDK := $(shell src/main/dist/bin/find-jdk javac 2>/dev/null)
# Maven brings libraries that Java 25 warns of; that is nobody's business here.
MVN := $(if $(JDK),JAVA_HOME="$(JDK)" MAVEN_OPTS="--sun-misc-unsafe-memory-access=allow $${MAVEN_OPTS:-}",) mvn -B -ntp -Dstyle.color=never
WEIR := target/weir/bin/weir

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

.PHONY: tools
tools:
	@src/main/dist/bin/find-jdk javac >/dev/null
	@command -v mvn >/dev/null || { echo "Weir is built with Maven 3.8 or newer, and there is no mvn on the PATH: install it (Debian: apt-get install maven)." >&2; exit 1; }

.PHONY: build
build: tools ## compile, and leave the service in target/weir (bin/weir and lib/)
	@echo "Building Weir (the first time, Maven fetches the libraries: a few minutes) ..."
	@$(MVN) -q package -DskipTests
	@JAVA_HOME="$(JDK)" target/weir/bin/make-aot-cache || true
	@echo "Built: $(WEIR)"

.PHONY: install
install: tools ## put Weir where Maven finds it, for applications that have it as a library (docs/library.md)
	@$(MVN) -q install -DskipTests

.PHONY: run
run: build ## build and start Weir with the in-memory store and the sample rules
	@BACKEND_TYPE=$${BACKEND_TYPE:-memory} \
	RUNTIME_ROOT=$${RUNTIME_ROOT:-$(CURDIR)} RUNTIME_SUBDIRECTORY=$${RUNTIME_SUBDIRECTORY-descriptors} \
	RUNTIME_WATCH_ROOT=$${RUNTIME_WATCH_ROOT:-false} RUNTIME_APPDIRECTORY=$${RUNTIME_APPDIRECTORY-.} \
	RUNTIME_IGNOREDOTFILES=$${RUNTIME_IGNOREDOTFILES:-true} \
	USE_STATSD=$${USE_STATSD:-false} WEIR_HINTS=$${WEIR_HINTS:-true} DRAIN_DELAY=$${DRAIN_DELAY:-0s} exec $(WEIR) serve

# Of test: classes of tests in place of all, separated by commas; those whose names end with IT need the built service.
ONE ?=
comma := ,
ITS = $(filter %IT,$(subst $(comma), ,$(ONE)))
JUST_ONE = $(if $(ITS),verify -Dtest=NoUnitTest -Dit.test='$(ONE)' -Dfailsafe.failIfNoSpecifiedTests=true,test -Dtest='$(ONE)')

.PHONY: test
test: tools ## every test: unit, integration with a real Redis, end to end with a real Envoy; ONE=SomeTest or ONE=SomeIT for one
	@echo "Testing Weir (the first time, Maven fetches the libraries: a few minutes) ..."
	$(MVN) $(if $(ONE),$(JUST_ONE) -Dsurefire.failIfNoSpecifiedTests=$(if $(ITS),false,true),verify)

.PHONY: check
check: tools ## format and lint: fails on a file that is not formatted, on a warning, on a broken wall
	$(MVN) -q spotless:check
	$(MVN) -q -Pbench test-compile surefire:test -Dtest='HouseTest,dev/weir/bench/suite/*Test' -Dsurefire.failIfNoSpecifiedTests=true

BENCH_JAVA = "$(JDK)/bin/java" -XX:+UseParallelGC -Xmx1g -XX:+UseCompactObjectHeaders --enable-native-access=ALL-UNNAMED \
	--sun-misc-unsafe-memory-access=allow -cp "target/test-classes:target/weir/lib/*"

# The flags keep the load generator small and quiet: it shares the machine with whom it measures.
SUITE_JAVA = "$(JDK)/bin/java" -XX:+UseSerialGC -Xms64m -Xmx256m --enable-native-access=ALL-UNNAMED \
	--sun-misc-unsafe-memory-access=allow -Dweir.home=target/weir -cp "target/test-classes:target/weir/lib/*:target/bench/lib/*"

# Weir as `make build` leaves it, and the measuring programs.
.PHONY: built-to-measure
built-to-measure: tools
	@$(MVN) -q -Pbench package -DskipTests
	@JAVA_HOME="$(JDK)" target/weir/bin/make-aot-cache || true

# BENCH_ARGS of bench: a part of the names of the lines to measure. Of bench-pieces: a regular expression.
.PHONY: bench bench-pieces bench-ladder bench-scale bench-soak bench-overload bench-reload bench-tags bench-cold bench-beside bench-library
bench: built-to-measure ## build, and measure Weir with Redis and in memory, then its parts (10 minutes; docs/performance.md)
	@$(SUITE_JAVA) dev.weir.bench.suite.EndToEnd $(BENCH_ARGS)
	@echo
	@$(SUITE_JAVA) dev.weir.bench.suite.Pieces --short
bench-pieces: built-to-measure ## measure the parts of a decision by themselves, with JMH (three minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Pieces $(BENCH_ARGS)
bench-ladder: built-to-measure ## measure latency at rising rates, and draw it into docs/pictures (three minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Ladder
bench-scale: built-to-measure ## measure the cost of more rules and more keys, and draw it into docs/pictures (six minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Scale
bench-overload: built-to-measure ## measure what is answered in time at twice the load that can be answered (five minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Overload
bench-cold: built-to-measure ## measure how soon Weir is ready, and its first answers (two minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.ColdStart
bench-reload: built-to-measure ## measure what callers feel of 10,000 rules that are loaded each other second (two minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Reload
bench-tags: built-to-measure ## measure a cluster of three nodes with 8, 16 and 128 hash tags (two minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Tags
# RATELIMIT_BIN is the program of the Go service; without it, `go` builds one. GoServiceIT reads the version here, and keeps it there too.
GO_SERVICE = github.com/envoyproxy/ratelimit/src/service_cmd@v1.4.1-0.20260122083618-3fb702589d36
RATELIMIT_BIN ?= $(CURDIR)/target/go/$(notdir $(GO_SERVICE))/service_cmd
bench-beside: built-to-measure ## measure Weir beside envoyproxy/ratelimit, which it builds with Go, in turns (six minutes)
	@test -x "$(RATELIMIT_BIN)" || GOBIN="$(dir $(RATELIMIT_BIN))" go install $(GO_SERVICE)
	@$(SUITE_JAVA) dev.weir.bench.suite.Beside "$(RATELIMIT_BIN)"
bench-library: built-to-measure ## measure what a check costs in the process of who asks (two minutes)
	@$(SUITE_JAVA) dev.weir.bench.suite.Library
bench-soak: built-to-measure ## put a full load on Weir for ten minutes and watch its memory
	@$(SUITE_JAVA) dev.weir.bench.suite.Soak $(BENCH_ARGS)

# With the flags of bin/weir: its heap is measured too.
.PHONY: bench-script bench-memory bench-over-limit
bench-script: built-to-measure ## measure what a batch costs Redis, for each algorithm (two minutes)
	@$(BENCH_JAVA) dev.weir.store.redis.ScriptSpeed $(BENCH_ARGS)
bench-memory: built-to-measure ## measure what a counter takes, in Redis and in memory (two minutes)
	@$(BENCH_JAVA) dev.weir.store.redis.CounterMemory
bench-over-limit: built-to-measure ## measure what refusing from memory costs (some seconds)
	@$(BENCH_JAVA) dev.weir.store.layer.OverLimitSpeed

.PHONY: docs
docs: tools ## write anew what the code says of itself: docs/configuration.md, and pictures of algorithms.md
	$(MVN) -q test -Dtest='SettingsDocumentTest,AdmissionPicturesTest' -Ddocs.write=true

.PHONY: format
format: tools ## lay the code out as `make check` wants it
	$(MVN) -q spotless:apply

.PHONY: clean
clean: ## remove what was built
	rm -rf target
