# What a person types. Needs Python 3.11 or later and cargo; everything else is installed into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check

# What the built package is made of: it is installed anew when one of these changes.
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find crates/urlkey crates/urlkey-py python \
	-type f -not -path '*/target/*' -not -path '*/__pycache__/*' 2>/dev/null)

.PHONY: run test test-services bench lint clean

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
	@echo "services under test: the wheel in a fresh environment, the HTML report in a browser (this release has no server)"
	$(BIN)/python -m pytest -m service tests/services

## The benchmark of bench/, with a dated record.
bench: $(VENV)/.installed-bench
	$(BIN)/python bench/run.py

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

$(VENV)/.installed-bench: $(BIN)/python $(SOURCES) bench/requirements.txt
	$(PIP) install --quiet . -r bench/requirements.txt
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: $(BIN)/python $(SOURCES)
	$(PIP) install --quiet '.[dev]'
	@touch $@ $(VENV)/.installed
