# Every chore is one word; .ci/run calls the same words. Only Python 3.11 or later and make are needed beforehand.
.DEFAULT_GOAL := help
.PHONY: help setup run check audit test bench eval lock

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
VENV ?= .venv
BIN := $(VENV)/bin
# Touched when an installation is complete; a newer lock or pyproject.toml makes the next chore install again.
INSTALLED := $(VENV)/installed

help:
	@echo "make setup   install everything into $(VENV)"
	@echo "make run     set up, then start the bot (the console, if no platform is configured)"
	@echo "make check   formatting, lint, types, import rules, house style, documentation, known vulnerabilities"
	@echo "make test    all tests but the benchmarks"
	@echo "make bench   the benchmarks"
	@echo "make eval    the scoreboard, where there is one"
	@echo "make lock    compile requirements.lock and requirements-dev.lock from pyproject.toml"

setup: $(INSTALLED)

$(INSTALLED): requirements-dev.lock pyproject.toml
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Money Minder needs Python 3.11 or later, and “$(PYTHON)” is not. Name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -m venv "$(VENV)" || \
	  { echo "“$(PYTHON)” can't make a virtual environment; Debian and Ubuntu have that in the package python3-venv." >&2; exit 1; }
	@echo "Installing into $(VENV); this takes a minute or two the first time."
	@"$(BIN)/python" -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-dev.lock
	@"$(BIN)/python" -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch "$@"

run: setup
	@"$(BIN)/money-minder" run

check: setup
	"$(BIN)/ruff" format --check --quiet .
	"$(BIN)/ruff" check --quiet .
	"$(BIN)/mypy"
	"$(BIN)/lint-imports" --no-logo
	"$(BIN)/pytest" -q -p no:benchmark -p no:cacheprovider tests/unit/test_house_style.py tests/unit/test_docs.py
	@$(MAKE) --no-print-directory audit

# Needs the advisory service on the internet, so it informs and never fails.
audit: setup
	@if found=$$("$(BIN)/pip-audit" --disable-pip --require-hashes --timeout 10 --progress-spinner off -r requirements.lock 2>&1); \
	then echo "audit: no known vulnerabilities in requirements.lock"; \
	elif echo "$$found" | grep -q "known vulnerabilit"; then echo "$$found"; echo "audit: see above; this does not fail the check"; \
	else echo "audit: skipped, the advisory service can't be asked from here"; fi

test: setup
	@"$(BIN)/pytest" -n 2 -p no:benchmark --ignore=tests/bench

bench: setup
	@"$(BIN)/pytest" tests/bench --benchmark-only --timeout=3600

eval: setup
	@test -f evals/__main__.py || { echo "This version has no scoreboard, so nothing was measured." >&2; exit 1; }
	@"$(BIN)/python" -m evals

COMPILE := CUSTOM_COMPILE_COMMAND="make lock" "$(BIN)/pip-compile" --quiet --generate-hashes --all-build-deps \
  --strip-extras --allow-unsafe --no-emit-options

# Pins that still fit are kept; “make lock UPGRADE=--upgrade” takes the newest of everything.
lock: setup
	$(COMPILE) $(UPGRADE) --output-file=requirements.lock pyproject.toml
	$(COMPILE) $(UPGRADE) --extra=dev --constraint=requirements.lock --output-file=requirements-dev.lock pyproject.toml
