PYTHON ?= python3
VENV ?= .venv
# What `setup` installs: Hushwood and the papers' experiments, editable. `.ci/run` asks for a plain install instead.
INSTALL ?= -e '.[dev]' -e ./papers

BIN := $(VENV)/bin
UV := $(VENV)/uv/bin/uv
STAMP := $(VENV)/.hushwood-setup

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-all test-lowest test-newest fuzz check bench bench-quick bench-page same-bytes figures frontier docs gallery pictures reproduce packages

# Python keeps modules that it compiled, also where the environment asks it not to, as images for containers do: the tests
# start more than a hundred processes, and half of the time of each went into compiling the same files again.
unexport PYTHONDONTWRITEBYTECODE

# The order of the tests is shuffled by SEED, `make fuzz` searches for SECONDS, and RUN and BENCH hold options of `make frontier` and `make bench`.
# `make same-bytes` compares with BEFORE (without it, with where this branch left main); ONLY=csv,recipes/wbc does a part.
SEED ?= 12
SECONDS ?= 600
RUN ?=
BENCH ?=
BEFORE ?=
ONLY ?=

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## make the virtual environment and install Hushwood, the papers' experiments and developer tools

# uv installs in a fraction of pip's time; pip steps in where uv is not to be had or knows no way to the packages.
$(STAMP): pyproject.toml papers/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	{ $(MAKE) --no-print-directory $(UV) && UV_LINK_MODE=copy $(UV) pip install --quiet --python $(BIN)/python $(INSTALL); } || \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check $(INSTALL)
	@echo "Compiling the loops once, which takes about half a minute ..."
	@scratch=$$(mktemp -d) && $(BIN)/hushwood demo --quiet -o $$scratch/warm-up; status=$$?; rm -rf $$scratch; exit $$status
	@touch $@

demo: setup ## release a generated table into demo/ and name the report to open
	$(BIN)/hushwood demo -o demo

# Two processes, of which the one that is ready first takes over tests of the other.
PYTEST := $(BIN)/pytest -n 2 --dist worksteal --randomly-seed=$(SEED)
TESTS := tests/ papers/tests/ --pyargs hushwood hushwood_papers

test: setup ## run the tests and the examples in docstrings, on two processes
	$(PYTEST) $(TESTS)

test-all: setup ## the same, with the cases of which `make test` takes a part: more faults, engines and random tables
	HUSHWOOD_TESTS=all HUSHWOOD_FAULTS=45 HYPOTHESIS_PROFILE=thorough $(PYTEST) -m 'not slow' $(TESTS)

fuzz: setup ## search at random for inputs that break something, for SECONDS=600
	@end=$$(($$(date +%s) + $(SECONDS))); \
	if [ -d tests/fuzz ]; then HUSHWOOD_FUZZ_SECONDS=$$(($(SECONDS) / 2)) $(BIN)/pytest -n 2 -m 'not slow' tests/fuzz || exit; fi; \
	while [ $$(date +%s) -lt $$end ]; do \
	  HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -n 2 -q -m 'hypothesis and not slow' tests/ || exit; \
	done

test-lowest: $(UV) ## run each command once with the oldest libraries that pyproject.toml allows, on Python 3.11
	.ci/smoke $(UV) lowest-direct 3.11

test-newest: $(UV) ## run each command once with the newest libraries, on the newest Python here
	.ci/smoke $(UV) highest newest

$(UV):
	$(PYTHON) -m venv $(VENV)/uv
	$(VENV)/uv/bin/python -m pip install --quiet --disable-pip-version-check uv

check: setup ## lint, format, types, import layers, spelling
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

bench: setup ## measure speed and memory against named peers into docs/benchmarks.json; BENCH="--huge" or BENCH="startup" for more or less
	$(BIN)/python benchmarks/run.py --json docs/benchmarks.json $(BENCH)

bench-quick: setup ## look at speed and memory on smaller tables, in five minutes
	$(BIN)/python benchmarks/run.py --quick

bench-page: setup ## write docs/benchmarks.md and its chart from docs/benchmarks.json
	$(BIN)/python benchmarks/page.py

same-bytes: setup ## do BEFORE=REVISION and this checkout release the same bytes, by every recipe and from every format? ONLY=csv does a part
	$(BIN)/python benchmarks/same_bytes.py against $(BEFORE) --only "$(ONLY)"

figures: setup ## the size and shape of the source, what a release loads and runs, how fast it starts; BEFORE=FOLDER of another checkout
	$(BIN)/python benchmarks/house.py $(BEFORE) .

frontier: setup ## compare all recipes, rivals and peers; RUN="--tables wine --seeds 1" does a part of it
	PYTHONPATH=benchmarks $(BIN)/python -m frontier $(RUN)

packages: ## install Chromium, strace, PostgreSQL and Java for tests that need them, if they are missing and you are root
	@missing=; \
	command -v chromium >/dev/null && command -v chromedriver >/dev/null || missing="chromium chromium-driver"; \
	command -v strace >/dev/null || missing="$$missing strace"; \
	command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$$missing postgresql"; \
	command -v java >/dev/null || missing="$$missing openjdk-17-jre-headless"; \
	if [ -z "$$missing" ]; then \
	  echo "Chromium, strace, PostgreSQL and Java are there."; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $$missing; \
	else \
	  echo "Tests are skipped that need what is missing; install $$missing."; \
	fi

pictures: setup ## take the pictures of the web app and of the report that the README and the docs show; needs Chromium
	PYTHONPATH=tests $(BIN)/python -m support.pictures docs

docs: setup ## write what the docs say about the experiments' results, and build the documentation site in site/, offline
	$(BIN)/python -m hushwood_papers.docs docs
	PYTHONPATH=documentation $(BIN)/python -m website

gallery: setup ## run the examples and write what they print into docs/gallery.md
	PYTHONPATH=documentation $(BIN)/python -m website.gallery

reproduce: setup ## run the papers' experiments at full size; HUSHWOOD_DATA names the folder of the tables
	$(BIN)/hushwood reproduce all -o results
