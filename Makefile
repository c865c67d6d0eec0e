# The commands that README.md and CONTRIBUTING.md name.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/pip --quiet --disable-pip-version-check
BENCH_VENV := var/bench-venv

.PHONY: setup up demo test test-houses test-rest needs check format bench golden lock clean

setup: $(VENV)/.dev  ## only .venv and what it needs

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	$(PYTHON) -m venv $(VENV)

# The checkout is what runs; a path file lets `haunt` find it from any folder.
$(BIN)/haunt: | $(BIN)/python
	$(BIN)/python -c 'import pathlib, sysconfig; pathlib.Path(sysconfig.get_path("purelib"), "hauntladder.pth").write_text("$(CURDIR)\n")'
	printf '#!/bin/sh\nexec "$$(dirname "$$0")/python" -m workers.cli "$$@"\n' > $@ && chmod +x $@

$(VENV)/.dev: requirements/dev.lock | $(BIN)/haunt
	$(PIP) install --require-hashes -r requirements/dev.lock
	touch $@ $(VENV)/.up

$(VENV)/.up: requirements/embedded.lock | $(BIN)/haunt
	@echo "· installing what the house needs (once)"
	$(PIP) install --require-hashes -r requirements/embedded.lock
	touch $@

up: $(VENV)/.up  ## the whole house, until Ctrl-C; PORT=, LAN=1, SIGNUP=open|invite|closed
	@exec $(BIN)/python manage.py up

demo: $(VENV)/.up  ## a house of its own: two users, two bots, rated matches, a tournament, records verified
	@exec $(BIN)/python manage.py demo

test: setup needs  ## the whole suite; whole houses are tried beside the rest, for that is mostly waiting
	@$(MAKE) --no-print-directory --jobs=2 --keep-going test-houses test-rest

test-houses:
	$(BIN)/python -m pytest --durations=15 tests/e2e

test-rest:
	$(BIN)/python -m pytest --durations=15 --ignore=tests/e2e

needs:  ## what the tests need from the system, where we may install it
	@.ci/needs

check: setup  ## format, lint, types, imports, compose file
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

golden: setup  ## rewrite golden playthroughs, schemas and pages made from data; review reads the diff
	$(BIN)/python -m engine.golden
	$(BIN)/python -m tests.codes_page
	$(BIN)/python -m bots.schemas

bench: setup $(BENCH_VENV)/.done  ## figures, beside their peers in the same run
	$(BIN)/python -m tests.bench

$(BENCH_VENV)/.done: requirements/bench.lock | $(BIN)/python
	$(BIN)/python -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/pip --quiet --disable-pip-version-check install --require-hashes -r requirements/bench.lock
	touch $@

lock: setup  ## compile requirements/*.lock from *.in
	cd requirements && for name in worker base embedded dev bench; do ../$(BIN)/uv pip compile --universal --generate-hashes --no-header --quiet --python-version 3.11 $$name.in -o $$name.lock; done

clean:  ## everything that was made here, the house's data in var/ too
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
