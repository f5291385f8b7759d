# One command sets up, one command checks. Each target makes what it needs by itself.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
# Dagster has its own environment: the bot talks to it over HTTP and never imports it
DAGSTER := .venv-dagster
PREFECT := .venv-prefect
AIRFLOWS := .venv-airflow2 .venv-airflow3
T      ?=

.PHONY: help demo test check format lint layers types promises faults live published bench lock clean

help:  ## this list
	@awk -F':.*## ' '/^[a-z]+:.*## /{printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): requirements.lock bootstrap.lock pyproject.toml
	@echo "setting up $(VENV) (locked and hashed) …"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r bootstrap.lock
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --system-certs --quiet --require-hashes -r requirements.lock
	@VIRTUAL_ENV=$(VENV) $(BIN)/uv pip install --system-certs --quiet --no-deps --no-build-isolation --editable .
	@touch $(READY)

$(DAGSTER)/.ready: bot/sandbox/demo/dagster.lock $(READY)
	@echo "setting up $(DAGSTER) (locked and hashed) …"
	@test -x $(DAGSTER)/bin/python || $(BIN)/python -m venv --without-pip $(DAGSTER)
	@VIRTUAL_ENV=$(DAGSTER) $(BIN)/uv pip install --system-certs --quiet --compile-bytecode --require-hashes -r $<
	@rm -rf $(DAGSTER)/fresh-instance
	@touch $@

$(PREFECT)/.ready: tests/live/prefect/requirements.lock $(READY)
	@echo "setting up $(PREFECT) (locked and hashed) …"
	@test -x $(PREFECT)/bin/python || $(BIN)/python -m venv --without-pip $(PREFECT)
	@VIRTUAL_ENV=$(PREFECT) $(BIN)/uv pip install --system-certs --quiet --compile-bytecode --require-hashes -r $<
	@rm -f $(PREFECT)/empty.db
	@touch $@

.venv-airflow%/.ready: tests/live/airflow/airflow%.lock $(READY)
	@echo "setting up .venv-airflow$* (locked and hashed) …"
	@test -x .venv-airflow$*/bin/python || $(BIN)/python -m venv --without-pip .venv-airflow$*
	@VIRTUAL_ENV=.venv-airflow$* $(BIN)/uv pip install --system-certs --quiet --compile-bytecode --require-hashes -r $<
	@rm -f .venv-airflow$*/fresh-*
	@touch $@

demo: $(READY) $(DAGSTER)/.ready  ## the whole night on this machine, in a browser (AUTO=1: plays the owner too)
	@$(BIN)/dw demo $(if $(AUTO),--auto) $(if $(PORT),--port $(PORT))

test: $(READY)  ## the tests, no network needed (T=path or -k expression narrows)
	@$(BIN)/pytest -n 2 -m "not live and not bench and not mutation and not published" $(T)

format: $(READY)
	@$(BIN)/ruff format --check .

lint: $(READY)
	@$(BIN)/ruff check .

layers: $(READY)
	@$(BIN)/lint-imports

types: $(READY)
	@$(BIN)/mypy

check: format lint layers types test  ## format, lint, layers, types, tests: what CI runs

promises: $(READY)  ## break each promise on purpose: a test must notice
	@$(BIN)/pytest -n 2 -m mutation -p no:randomly tests/faults $(T)

CLICKS ?= 10000
faults: $(READY)  ## kill it, cut it off and lose its answers while people tap (CLICKS=10000), table into docs/faults.md
	@$(BIN)/python -m tests.faults.campaign --clicks $(CLICKS)

live: $(READY) $(DAGSTER)/.ready $(PREFECT)/.ready $(AIRFLOWS:%=%/.ready)  ## against real servers and a real browser
	@$(BIN)/pytest -m live -p no:randomly -rs $(T)

published: $(READY)  ## the stub of dbt Cloud against dbt Labs' own file (see docs/connections/dbt-cloud.md)
	@$(BIN)/pytest -m published -p no:randomly -rs $(T)

bench: $(READY)  ## figures as ratios, table into docs/bench.md
	@$(BIN)/python -m tests.bench

lock:  ## resolve again (needs uv)
	@uv pip compile pyproject.toml --all-extras --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o requirements.lock
	@printf 'uv\n' | uv pip compile - --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o bootstrap.lock
	@uv pip compile bot/sandbox/demo/dagster.in --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o bot/sandbox/demo/dagster.lock
	@uv pip compile tests/live/prefect/requirements.in --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o tests/live/prefect/requirements.lock
	@printf 'apache-airflow==2.11.2\npsycopg2-binary\n' | uv pip compile - --exclude-newer 2026-03-20 --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o tests/live/airflow/airflow2.lock
	@printf 'apache-airflow==3.3.2\nasyncpg\npsycopg2-binary\n' | uv pip compile - --exclude-newer 2026-09-20 --generate-hashes --python-version 3.11 --no-emit-index-url --no-header --quiet -o tests/live/airflow/airflow3.lock

clean:
	@rm -rf $(VENV) $(DAGSTER) $(PREFECT) $(AIRFLOWS) .pytest_cache .mypy_cache .ruff_cache
