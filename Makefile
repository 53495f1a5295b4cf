# Two commands matter: `make run` shows Ethos at work, `make test` runs all checks.
# Both set up .venv first, with uv if it is installed, else with venv and pip.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# The tests sync small files all the time: in memory if there is room for them, else on the disk.
IN_MEMORY := $(shell test "$$(df --output=avail /dev/shm 2>/dev/null | tail -1)" -gt 8388608 2>/dev/null && echo TMPDIR=/dev/shm)

.DEFAULT_GOAL := help
.PHONY: help setup run test quick rules docs lint types contract unit torture bench lock wheel clean

help: ## list these commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

setup: $(READY) ## install everything into .venv, from the lock

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Ethos needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) -V). Try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up $(VENV) from requirements.lock; this takes about half a minute."
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python "$$(command -v $(PYTHON))" $(VENV) && \
	  UV_COMPILE_BYTECODE=1 uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock && \
	  uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else \
	  { $(PYTHON) -m venv $(VENV) || { echo "Python's venv is missing. On Debian or Ubuntu: apt install python3-venv"; exit 1; }; } && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock && \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
	@touch $(READY)

run: $(READY) ## capture a sample conversation, consolidate it, show what was learned; then stay until Ctrl-C
	@PATH="$(CURDIR)/$(BIN):$$PATH" exec sh samples/first-run.sh # exec: a shell that waits would be interrupted, too, and make complain

test: $(READY) lint types contract unit ## lint, types, contract, tests

# what `make quick` leaves out of tests/core and tests/store: programs, daemons, kills, long texts
SLOW := core/test_linear core/test_long_texts core/test_review_hostile core/test_served core/test_rule_trust \
  store/test_backup store/test_checksums store/test_degraded store/test_fault_files store/test_fault_imports store/test_fault_kills \
  store/test_fault_lease store/test_migrations

quick: $(READY) lint ## lint, and tests of decisions, store and cycle, without daemons or coverage: under a minute
	@$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --no-cov -m "not torture" $(SLOW:%=--ignore=tests/%.py) \
	  tests/core tests/store tests/stages/test_cycle.py tests/house/test_spec.py tests/house/test_fitting.py

rules: $(READY) ## the tests of rules and shipped packs
	@$(IN_MEMORY) $(BIN)/python -m pytest -q -n 2 --no-cov -m "not torture" tests/rules

docs: $(READY) ## build the documentation site into site/
	@$(BIN)/zensical build --clean

lint: $(READY) ## ruff: rules and format
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo "run: $(BIN)/ruff format ."; exit 1; }

types: $(READY) ## mypy, strict
	@$(BIN)/mypy

contract: $(READY) ## the import contracts
	@$(BIN)/lint-imports --no-cache

# three at a time, on two cores too: a good part of the time of the tests is waiting for processes
unit: $(READY) ## the tests, with coverage
	@$(IN_MEMORY) $(BIN)/python -m pytest -n 3 --dist worksteal --cov --cov-report=term:skip-covered --cov-fail-under=90 -m "not torture"

# programs of tests/faults: one after another, because some of them measure memory or waiting
LONG := crash_points power_loss byte_flips writers fuzz_socket soak

torture: $(READY) ## the long tests, hours, with the network refused (the systemd tests run apart, they need it)
	@failed=0; \
	$(BIN)/python -m tests.support.offline $(BIN)/python -m pytest -n 2 -m torture -o faulthandler_timeout=7200 --ignore tests/systemd || failed=1; \
	for name in $(LONG); do $(BIN)/python -m tests.faults.$$name || failed=1; done; \
	$(BIN)/python -m tests.faults.kill_daemon || failed=1; \
	$(BIN)/python -m pytest -m torture -o faulthandler_timeout=7200 tests/systemd || failed=1; \
	exit $$failed

bench: $(READY) ## the benchmarks: speeds as ratios
	@$(BIN)/python -m benchmarks

lock: $(READY) ## rewrite requirements.lock
	@$(BIN)/python -m pip install --quiet pip-tools==7.6.2
	@$(BIN)/python -c 'import tomllib; d = tomllib.load(open("pyproject.toml", "rb")); print("\n".join(d["project"]["dependencies"] + d["dependency-groups"]["dev"]))' > .venv/lock.in
	@$(BIN)/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --no-strip-extras --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o .venv/requirements.lock .venv/lock.in
	@{ echo '# Every dependency, run time and development, with its hashes. Made from pyproject.toml by `make lock`.'; cat .venv/requirements.lock; } > requirements.lock

wheel: $(READY) ## build a wheel into dist/
	@$(BIN)/python -m build --no-isolation --wheel --outdir dist .

clean: ## remove .venv and everything built
	@rm -rf $(VENV) dist build site .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage* demo
