# What a person types. Needs Python 3.11 or later and cargo; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# What the built package is made of: it is installed anew when one of these changes.
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find crates/urlkey crates/urlkey-py python \
	-type f -not -path '*/target/*' -not -path '*/__pycache__/*' 2>/dev/null)

.PHONY: run test test-services test-matrix faults bench fuzz deny lint clean

## Deduplicates the example list and says what merged and why.
run: $(VENV)/.installed
	$(BIN)/urlkey dedupe examples/urls.txt --output distinct.txt --report
	@echo "read examples/urls.txt: $$(wc -l < examples/urls.txt) lines; wrote distinct.txt: $$(wc -l < distinct.txt) lines"

## All tests of the core and of the Python package.
test: $(VENV)/.installed-test
	cargo test --locked
	$(BIN)/python -m pytest

## The tests that build, install or start something: the wheel in a fresh environment.
test-services: $(VENV)/.installed-test
	@echo "services under test: the wheel in a fresh environment, the HTML report in a browser, stores in PostgreSQL, the example crawl, Spark,"
	@echo "growth of work, counted by callgrind: minutes"
	$(BIN)/python -m pytest -m service tests/services

## Stores under fire: 200 kills of each sort, a full file system (needs the right to mount one).
faults: $(VENV)/.installed-test
	URLKEY_FAULT_ROUNDS=200 $(BIN)/python -m pytest tests/test_faults.py
	URLKEY_FAULT_ROUNDS=200 $(BIN)/python -m pytest -m service tests/services/test_faults_postgres.py

## The tests of columns with the oldest versions that the extras promise, and the current ones. Not part of .ci/run.
test-matrix: $(BIN)/python
	$(BIN)/python tests/matrix.py

## The benchmark of bench/, with a dated record.
bench: $(VENV)/.installed-bench
	$(BIN)/python bench/run.py

## Every fuzz target for 30 seconds; SECONDS=1200 for longer. Needs a C++ compiler.
fuzz: SECONDS ?= 30
fuzz: $(VENV)/.installed-fuzz
	$(BIN)/python crates/urlkey/fuzz/run.py --seconds $(SECONDS)

## Licences, bans and sources of the crates (deny.toml), in all workspaces. Needs cargo-deny; not part of .ci/run.
deny:
	@cargo deny --version > /dev/null 2>&1 || { echo "make deny needs cargo-deny: cargo install --locked cargo-deny"; exit 1; }
	for folder in . crates/urlkey/fuzz bench/core; do \
		cargo deny --locked --manifest-path $$folder/Cargo.toml --config deny.toml check licenses bans sources || exit 1; \
	done

## Formatting, lints and types of both languages.
lint: $(VENV)/.installed-dev
	cargo fmt --all --check
	cargo clippy --locked --workspace --all-targets -- -D warnings
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) target

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "urlkey needs Python 3.11 or later: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(BIN)/python $(SOURCES)
	$(PIP) install --quiet .
	@touch $@

$(VENV)/.installed-test: $(BIN)/python $(SOURCES)
	$(PIP) install --quiet '.[test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-fuzz: $(BIN)/python $(SOURCES)
	$(PIP) install --quiet '.[fuzz]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-bench: $(BIN)/python $(SOURCES) bench/requirements.txt
	$(PIP) install --quiet . -r bench/requirements.txt
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: $(BIN)/python $(SOURCES)
	$(PIP) install --quiet '.[dev]'
	@touch $@ $(VENV)/.installed
