# The commands that README.md and CONTRIBUTING.md name.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup up demo test check format bench golden lock clean

setup: $(VENV)/.dev  ## only .venv and what it needs

$(VENV)/.dev: requirements/dev.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	printf '#!/bin/sh\nexec "$$(dirname "$$0")/python" -m workers.cli "$$@"\n' > $(BIN)/haunt && chmod +x $(BIN)/haunt
	touch $@

check: setup  ## format, lint, types, imports, compose file
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

test: setup
	$(BIN)/python -m pytest

golden: setup  ## rewrite golden playthroughs and schemas; review reads the diff
	$(BIN)/python -m engine.golden

bench: setup
	$(BIN)/python -m tests.bench

lock: setup  ## compile requirements/*.lock from *.in
	for name in worker base embedded dev bench; do $(BIN)/uv pip compile --universal --generate-hashes --no-header --quiet --python-version 3.11 requirements/$$name.in -o requirements/$$name.lock; done

clean:
	rm -rf $(VENV) var .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
