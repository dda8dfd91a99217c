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
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

.PHONY: tools
tools:
	@src/main/dist/bin/find-jdk javac >/dev/null
	@command -v mvn >/dev/null || { echo "Weir is built with Maven 3.8 or newer, and there is no mvn on the PATH: install it (Debian: apt-get install maven)." >&2; exit 1; }

.PHONY: build
build: tools ## compile, and leave the service in target/weir (bin/weir and lib/)
	@echo "Building Weir (the first time, Maven fetches the libraries: a few minutes) ..."
	@$(MVN) -q package -DskipTests
	@echo "Built: $(WEIR)"

.PHONY: run
run: build ## build and start Weir with the in-memory store and the sample rules
	@BACKEND_TYPE=$${BACKEND_TYPE:-memory} \
	RUNTIME_ROOT=$${RUNTIME_ROOT:-$(CURDIR)} RUNTIME_SUBDIRECTORY=$${RUNTIME_SUBDIRECTORY-descriptors} \
	RUNTIME_WATCH_ROOT=$${RUNTIME_WATCH_ROOT:-false} RUNTIME_APPDIRECTORY=$${RUNTIME_APPDIRECTORY-.} \
	USE_STATSD=$${USE_STATSD:-false} WEIR_HINTS=$${WEIR_HINTS:-true} DRAIN_DELAY=$${DRAIN_DELAY:-0s} exec $(WEIR) serve

.PHONY: test
test: tools ## every test: unit, integration with a real Redis, end to end with a real Envoy
	@echo "Testing Weir (the first time, Maven fetches the libraries: a few minutes) ..."
	$(MVN) verify

.PHONY: check
check: tools ## format and lint: fails on a file that is not formatted, on a warning, on a broken wall
	$(MVN) -q spotless:check
	$(MVN) -q -Pbench test-compile surefire:test -Dtest='HouseTest,dev/weir/bench/*Test' -Dsurefire.failIfNoSpecifiedTests=true

BENCH_JAVA = "$(JDK)/bin/java" -XX:+UseParallelGC -Xmx1g -XX:+UseCompactObjectHeaders --enable-native-access=ALL-UNNAMED \
	--sun-misc-unsafe-memory-access=allow -cp "target/test-classes:target/weir/lib/*"

# The flags keep the load generator small and quiet: it shares the machine with whom it measures.
.PHONY: bench
bench: tools ## build, and measure Weir with Redis and in memory (under 4 minutes; docs/performance.md)
	@$(MVN) -q -Pbench package -DskipTests
	@"$(JDK)/bin/java" -XX:+UseSerialGC -Xms64m -Xmx128m -XX:TieredStopAtLevel=4 \
	    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Dweir.home=target/weir \
	    -cp "target/test-classes:target/weir/lib/*" dev.weir.bench.Bench $(BENCH_ARGS)

# With the flags of bin/weir: its heap is measured too.
.PHONY: bench-script bench-memory bench-over-limit
bench-script: tools ## measure what a batch costs Redis, for each algorithm (two minutes)
	@$(MVN) -q -Pbench package -DskipTests
	@$(BENCH_JAVA) dev.weir.store.redis.ScriptSpeed $(BENCH_ARGS)
bench-memory: tools ## measure what a counter takes, in Redis and in memory (two minutes)
	@$(MVN) -q -Pbench package -DskipTests
	@$(BENCH_JAVA) dev.weir.store.redis.CounterMemory
bench-over-limit: tools ## measure what refusing from memory costs (some seconds)
	@$(MVN) -q -Pbench package -DskipTests
	@$(BENCH_JAVA) dev.weir.store.layer.OverLimitSpeed

.PHONY: format
format: tools ## lay the code out as `make check` wants it
	$(MVN) -q spotless:apply

.PHONY: clean
clean: ## remove what was built
	rm -rf target
