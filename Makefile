# The targets that people use. `make demo` is the main job, `make test` passes the tests; both need Go and gcc alone.

GO ?= go
BIN := bin/proofgraph

.DEFAULT_GOAL := build

.PHONY: build demo test race bench bench-peers bench-memory interop cuzk-history fidelity lint clean

build:
	$(GO) build -o $(BIN) ./cmd/proofgraph

demo: build
	./$(BIN) demo

# The arithmetic of the CUDA kernels is C++; its tests on the host are run where there is a C++ compiler.
HOSTMATH := $(if $(shell command -v g++ 2>/dev/null),-tags hostmath)

test:
	$(GO) vet $(HOSTMATH) ./...
	$(GO) test $(HOSTMATH) ./...

race:
	$(GO) test -race ./graph/...

# Real proofs under tight budgets while the process's memory is sampled, on circuits of 2^16 constraints.
.PHONY: stress
stress:
	PROOFGRAPH_STRESS=16 $(GO) test -count=1 -v -timeout 30m ./testing/truth

# The program under limits that the kernel enforces: control groups and ulimits. For root, on Linux.
.PHONY: test-limits
test-limits:
	PROOFGRAPH_LIMITS=1 $(GO) test -count=1 -v -timeout 20m ./testing/limits

bench:
	$(GO) test -run '^$$' -bench . -benchmem ./graph/... ./proving/...

bench-peers: build
	testing/peers/bench.sh

bench-memory: build
	testing/rss/bench.sh

interop: build
	testing/interop/run.sh

# The kernel library, for machines with a GPU; needs nvcc (testing/gpu/nvcc.sh brings one). Run testing/gpu/run.sh there.
include cudabind/kernels/Makefile

# Its stand-in on the CPU, for tests without a GPU.
include cudabind/standin/Makefile

# The tests that a GPU's kernels must pass, on the stand-in.
.PHONY: test-standin
test-standin: standin
	PROOFGRAPH_CUDA_LIB=$(CURDIR)/bin/libproofgraph_standin.so PROOFGRAPH_GPU_REQUIRED=1 $(GO) test -count=1 -short ./testing/gpu

fidelity: build
	$(GO) run ./testing/fidelity $(CURDIR)/$(BIN) $(CURDIR)/.cache/fidelity

cuzk-history:
	$(GO) run ./pipelines/cuzk/history

lint:
	test -z "$$(gofmt -l cmd cudabind graph proving stages pipelines testing)"
	$(GO) vet ./...

clean:
	rm -rf bin .build .cache
