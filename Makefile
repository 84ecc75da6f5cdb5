PYTHON ?= python3
VENV ?= .venv
# What `setup` installs: the checkout itself, editable. `.ci/run` asks for a plain install instead.
INSTALL ?= -e '.[dev]'

BIN := $(VENV)/bin
STAMP := $(VENV)/.hushwood-setup

.DEFAULT_GOAL := help
.PHONY: help setup demo test fuzz check bench reproduce browser

# The order of the tests is shuffled by this number, and `make fuzz` searches for so many seconds.
SEED ?= 12
SECONDS ?= 600

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## make the virtual environment and install Hushwood with its developer tools

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(INSTALL)
	@echo "Compiling the loops once, which takes most of a minute ..."
	@scratch=$$(mktemp -d) && $(BIN)/hushwood demo --quiet -o $$scratch/warm-up; status=$$?; rm -rf $$scratch; exit $$status
	@touch $@

demo: setup ## release a generated table into demo/ and name the report to open
	$(BIN)/hushwood demo -o demo

test: setup ## run all tests and the examples in docstrings, on two processes
	$(BIN)/pytest -n 2 --randomly-seed=$(SEED) tests/ --pyargs hushwood

fuzz: setup ## search at random for inputs that break something, for SECONDS=600
	@end=$$(($$(date +%s) + $(SECONDS))); \
	if [ -d tests/fuzz ]; then HUSHWOOD_FUZZ_SECONDS=$$(($(SECONDS) / 2)) $(BIN)/pytest -n 2 tests/fuzz || exit; fi; \
	while [ $$(date +%s) -lt $$end ]; do \
	  HYPOTHESIS_PROFILE=fuzz $(BIN)/pytest -n 2 -q -m 'hypothesis and not slow' tests/ || exit; \
	done

check: setup ## lint, format, types, import layers, spelling
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

bench: setup ## measure speed and memory against named peers
	$(BIN)/python benchmarks/run.py

browser: ## install Chromium for tests/browser, if it is missing and you are root
	@if command -v chromium >/dev/null && command -v chromedriver >/dev/null; then \
	  echo "Chromium is there."; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium chromium-driver; \
	else \
	  echo "Chromium is missing; install chromium and chromium-driver to run tests/browser."; \
	fi

reproduce: setup ## run the papers' experiments at full size; HUSHWOOD_DATA names the folder of the tables
	$(BIN)/hushwood reproduce all -o results
