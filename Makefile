# Everything goes through .venv; each stamp file in it says what is installed. `make help` lists the targets.
PYTHON ?= python3
VENV := .venv
BIN := $(abspath $(VENV))/bin
RUN := PATH="$(BIN):$$PATH" $(BIN)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
CYTHON_FILES := $(shell git ls-files '*.pyx' '*.pxd' 2>/dev/null)
BUILD_INPUTS := pyproject.toml meson.build meson.options clients/python/pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help run build test bench bench-suites bench-versus lint types checks proto-check dist clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "  %-14s %s\n", $$1, $$2}'

$(VENV)/.created:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	touch $@

# The editable install rebuilds compiled modules by itself when a source has changed.
$(VENV)/.built: $(VENV)/.created $(BUILD_INPUTS)
	$(PIP) --group build 'hatchling>=1.33,<2' 'editables>=0.5,<1'
	$(PIP) --no-build-isolation --editable clients/python
	PATH="$(BIN):$$PATH" $(PIP) --no-build-isolation --editable . -Cbuild-dir=build/release
	touch $@

# Tests and comparisons need small games and kernels of their own, which only this build has.
$(VENV)/.tools: $(VENV)/.built
	$(PIP) --group test --group lint --group proto --group dist
	PATH="$(BIN):$$PATH" $(PIP) --no-build-isolation --editable . -Cbuild-dir=build/release -Csetup-args=-Ddevelopment=true
	touch $@

$(VENV)/.bench: $(VENV)/.tools
	$(PIP) --group bench
	touch $@

build: $(VENV)/.built ## Create .venv and build the project in it
	@$(RUN)/python -c 'import mangetout_solver.engine, mangetout_server, mangetout_cli.main'

run: build ## Start the service, show a hint for each game, serve until Ctrl-C
	@exec env PATH="$(BIN):$$PATH" $(BIN)/mangetout serve --demo

test: $(VENV)/.tools ## Set up and run the whole test suite
	$(RUN)/python -m pytest

bench: build ## Measure the search on fixed positions and print its signature
	@$(RUN)/mangetout bench

bench-suites: $(VENV)/.bench ## Time playouts, search, notation and server calls of every game
	$(RUN)/python -m pytest -o python_files='bench_*.py' --benchmark-group-by=func benchmarks

bench-versus: $(VENV)/.bench ## Compare with other libraries on the same rules, in one run
	$(RUN)/python -m benchmarks.versus

lint: $(VENV)/.tools ## Check style of Python, Cython and protos
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(RUN)/cython-lint $(CYTHON_FILES)
	$(BIN)/buf lint
	$(BIN)/buf format --diff --exit-code

types: $(VENV)/.tools ## Check types
	$(RUN)/mypy

proto-check: $(VENV)/.tools ## Check that the generated code is current
	$(BIN)/python proto/generate.py --check

# -S keeps the editable install out, so that the checked modules are the ones imported.
checks: $(VENV)/.tools ## Run the tests of rules, search, exact solving and conformance with bounds checks
	test -d build/checks || PATH="$(BIN):$$PATH" $(BIN)/meson setup build/checks -Dchecks=true -Ddevelopment=true -Dbuildtype=debugoptimized
	PATH="$(BIN):$$PATH" $(BIN)/meson install -C build/checks --quiet --destdir "$(CURDIR)/build/checks/root"
	PYTHONPATH="$$(dirname "$$(find build/checks/root -type d -name mangetout_solver)"):clients/python:server:clients/cli:$$(echo $(VENV)/lib/python*/site-packages)" \
		$(BIN)/python -S -m pytest -p no:cacheprovider tests/games tests/search tests/exact tests/known_games/test_lockstep.py tests/conformance

dist: $(VENV)/.tools ## Build wheels and sdists into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist clients/python
	$(BIN)/python -m build --outdir dist .

clean: ## Remove everything that was built
	rm -rf $(VENV) build dist
