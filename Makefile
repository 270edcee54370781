# Every chore is one word; .ci/run calls the same words. Only Python 3.11 or later and make are needed beforehand.
.DEFAULT_GOAL := help
.PHONY: help setup run check formatted linted typed layered styled audit test soak bench eval eval-files pages reader lock

PYTHON ?= $(shell command -v python3.11 || command -v python3 || echo python3)
VENV ?= .venv
BIN := $(VENV)/bin
# Four on two cores: a test that starts a bot often waits for it.
WORKERS ?= 4
# Without it each process that a test starts would compile the whole program.
unexport PYTHONDONTWRITEBYTECODE
# Touched when an installation is complete; a newer lock makes the next chore install again, and “make -B setup” at once.
INSTALLED := $(VENV)/installed
# The pip of the lock comes first: the one that Python brings may take three times as long over the same lock, which names everything.
PIP = "$(BIN)/python" -m pip install -qq --disable-pip-version-check --no-compile
# What the program never loads; Python compiles of it what a check uses.
SELDOM := tests?|scipy|sklearn|mypyc?|pip|setuptools|pygments|narwhals|simcord|huggingface_hub

help:
	@echo "make setup   install everything into $(VENV)"
	@echo "make run     set up, then start the bot (the console, if no platform is configured); ENV_FILE=… names its settings"
	@echo "make check   formatting, lint, types, import rules, house style, documentation, known vulnerabilities"
	@echo "make test    all tests but the benchmarks and the long ones"
	@echo "make soak    the long forms of the generated tests: kills, terminated servers, hostile models"
	@echo "make bench   the benchmarks"
	@echo "make eval    the scoreboard, where there is one"
	@echo "make eval-files  how many bank files of each format are read rightly"
	@echo "make pages   write anew what the program says of itself: docs/tour.md, what-you-can-ask.md, bank-files.md, README's answers"
	@echo "make reader  train the reader of questions from language/bank"
	@echo "make lock    compile requirements.lock, requirements-extras.lock and requirements-dev.lock from pyproject.toml"

setup: $(INSTALLED)

$(INSTALLED): requirements-dev.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Money Minder needs Python 3.11 or later, and “$(PYTHON)” is not. Name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@"$(PYTHON)" -I bots/supported.py
	@"$(PYTHON)" -m venv "$(VENV)" || \
	  { echo "“$(PYTHON)” can't make a virtual environment; Debian and Ubuntu have that in the package python3-venv." >&2; exit 1; }
	@echo "Installing into $(VENV); this takes a minute or two the first time."
	@sed -n '/^pip==/,/# via/p' requirements-dev.lock > "$(VENV)/pip.lock"
	@$(PIP) --require-hashes -r "$(VENV)/pip.lock"
	@$(PIP) --require-hashes --no-deps -r requirements-dev.lock
	@"$(BIN)/python" -m compileall -qq -j 0 -x '/($(SELDOM))/' "$(VENV)/lib" || true
	@$(PIP) --no-deps --no-build-isolation --no-index -e .
	@touch "$@"

run: setup
	@"$(BIN)/money-minder" run $(if $(ENV_FILE),--env-file "$(ENV_FILE)")

# Several steps, so that “make -k check” shows all that is wrong.
check: formatted linted typed layered styled audit

formatted: setup
	"$(BIN)/ruff" format --check --quiet .

linted: setup
	"$(BIN)/ruff" check --quiet .

typed: setup
	"$(BIN)/mypy"

layered: setup
	"$(BIN)/lint-imports" --no-logo

styled: setup
	"$(BIN)/pytest" -q -p no:benchmark -p no:xdist tests/unit/test_house_style.py tests/unit/test_docs.py

# Needs the advisory service on the internet, so it informs and never fails.
audit: setup
	@found=$$("$(BIN)/pip-audit" --disable-pip --require-hashes --timeout 10 --progress-spinner off -r requirements.lock 2>&1); \
	all=$$(grep -c "==" requirements.lock); unknown=$$(echo "$$found" | grep -c "could not be audited"); \
	case "$$unknown $$found" in \
	  "$$all "*) echo "audit: skipped, the advisory service knows none of the packages here";; \
	  *"No known vulnerabilities"*) echo "audit: no known vulnerabilities; $$((all - unknown)) of $$all packages could be looked up";; \
	  *"known vulnerabilit"*) echo "$$found"; echo "audit: known vulnerabilities, see above; this does not fail the check";; \
	  *) echo "audit: skipped, the advisory service can't be asked from here";; \
	esac

test: setup
	@"$(BIN)/pytest" -n $(WORKERS) --dist loadgroup -p no:benchmark --ignore=tests/bench

soak: setup
	@"$(BIN)/pytest" -m soak -p no:benchmark --ignore=tests/bench --timeout=3600
	@MONEY_MINDER_TEST_LEDGERS=100 "$(BIN)/pytest" tests/unit/tools/apps -p no:benchmark --timeout=3600

bench: setup
	@"$(BIN)/pytest" tests/bench --benchmark-only --timeout=3600

eval: setup
	@test -f evals/__main__.py || { echo "This version has no scoreboard, so nothing was measured." >&2; exit 1; }
	@"$(BIN)/python" -m evals

eval-files: setup
	@"$(BIN)/python" -m evals.statements

pages: setup
	@"$(BIN)/python" -m tests.support.pages

# Byte for byte the same each time; from the bank of utterances in language/bank.
reader: setup
	@"$(BIN)/python" -m evals.training

COMPILE := CUSTOM_COMPILE_COMMAND="make lock" "$(BIN)/pip-compile" --quiet --generate-hashes --all-build-deps \
  --strip-extras --allow-unsafe --no-emit-options

# What not everybody needs; tests and types do.
EXTRAS := --extra=openai --extra=tracing

# Pins that still fit are kept; “make lock UPGRADE=--upgrade” takes the newest of everything.
lock: setup
	$(COMPILE) $(UPGRADE) --output-file=requirements.lock pyproject.toml
	$(COMPILE) $(UPGRADE) $(EXTRAS) --constraint=requirements.lock --output-file=requirements-extras.lock pyproject.toml
	$(COMPILE) $(UPGRADE) $(EXTRAS) --extra=dev --constraint=requirements-extras.lock --output-file=requirements-dev.lock pyproject.toml
	@for lock in requirements.lock requirements-extras.lock requirements-dev.lock; do cat requirements-3.13.lock >> $$lock; done
