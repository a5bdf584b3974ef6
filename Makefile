# Each target installs what it needs into .venv: a fresh Debian machine with Python 3.11 and make is enough.
#
#   make demo    crawl and search a small synthetic web, within a minute; SERVE=1 ends with a search page
#   make test    all tests
#   make check   format, lint, types, layers and fast tests, within a minute
#   make bench   measure, and compare with the floors in bench/floors.toml
#   make soak    kill crawls 1,000 times (SOAK=N: N times) and check that nothing is lost
#   make fix     let the formatter and the linter fix what they can
#   make docs    write the generated pages of docs/ again
#   make language-model   build the language model that ships, from pinned packages (a quarter of an hour)

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
INSTALL := $(PIP) install --constraint constraints.txt --no-build-isolation
JOBS   ?= 2
SOAK   ?= 1000
COMPILE := from sysconfig import *; print(get_config_var("CC"), "-I" + get_path("include"))
SETUP  := pyproject.toml setup.py constraints.txt src/gossamer/ui/package-lock.json
COMPILED := $(shell find src -name '*.pyx' -o -name '*.pxd')
# Debian packages that the benchmarks read or compare with.
BENCH  := python3.11-doc postgresql-doc-15 debian-handbook nginx-light wget2

.PHONY: demo test check bench soak fix docs language-model clean browser
.DELETE_ON_ERROR:

demo: $(VENV)/.program $(VENV)/.compiled
	$(BIN)/gossamer demo $(if $(SERVE),--serve)

test: $(VENV)/.develop $(VENV)/.compiled browser
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=$(JOBS)

check: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/pytest --numprocesses=$(JOBS) -m "not slow" tests/unit tests/docs

bench: $(VENV)/.bench $(VENV)/.compiled
	$(BIN)/python bench/run.py

soak: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/python -m tests.crawl.kills $(SOAK)

fix: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

docs: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/architecture.py

# Uses its own environment: the model is built with an older lingua than the one that benchmarks compare with.
language-model: $(VENV)/.program $(VENV)/.compiled
	$(PYTHON) -m venv $(VENV)/language
	$(VENV)/language/bin/python -m pip --disable-pip-version-check --quiet install --requirement tools/language/requirements.txt
	PYTHONPATH=src $(VENV)/language/bin/python tools/language/model.py

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find src -name '*.so' -delete -o -name '*.c' -delete -o -name htmx.min.js -delete

# On Debian, venv is in a separate package: install it if venv fails.
$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Gossamer needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV) || { tools/debian-packages python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	$(PIP) install --constraint constraints.txt --upgrade pip
	touch $@

# Compiled parts need a C compiler and Python.h; install Debian's packages only if one of them is missing.
$(VENV)/.compiler: $(VENV)/.made constraints.txt
	echo '#include <Python.h>' | $$($(BIN)/python -c '$(COMPILE)') -fsyntax-only -x c - 2>/dev/null || \
		tools/debian-packages gcc libc6-dev python3-dev
	$(PIP) install --constraint constraints.txt --upgrade setuptools cython
	touch $@

# Build packages are pinned too, hence --no-build-isolation: pip's isolated build would use the newest.
$(VENV)/.program: $(VENV)/.compiler $(SETUP)
	$(INSTALL) --editable '.[lab,search,serve]'
	touch $(VENV)/.compiled $@

# Does not depend on .program, which would compile everything twice.
$(VENV)/.develop: $(VENV)/.compiler $(VENV)/.archive-tools $(SETUP)
	$(INSTALL) --editable '.[graph,lab,parquet,search,serve,dev]'
	touch $(VENV)/.program $(VENV)/.compiled $@

# The installation compiles everything; afterwards only changed files are compiled again.
$(VENV)/.compiled: $(COMPILED) | $(VENV)/.compiler
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

# The search page is tested in a real browser; without one, these tests are skipped, and say so.
browser:
	command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && tools/debian-packages chromium; } || \
		echo 'chromium is not installed: tests in a browser will be skipped.'

# Tools that check archives have their own environment: pywb installs a package that would overwrite one of ours.
$(VENV)/.archive-tools: $(VENV)/.made tests/formats/requirements.txt
	$(PYTHON) -m venv $(VENV)/archive-tools
	$(VENV)/archive-tools/bin/python -m pip --disable-pip-version-check --quiet install --requirement tests/formats/requirements.txt
	touch $@

$(VENV)/.bench: $(VENV)/.develop
	$(INSTALL) --editable '.[graph,lab,parquet,search,serve,dev,bench]'
	tools/debian-packages $(BENCH) $$($(BIN)/python -c 'import sys; sys.path.insert(0, "bench"); import guides; print(*guides.PACKAGES)')
	touch $@
