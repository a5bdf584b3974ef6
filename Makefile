# Each target installs what it needs into .venv: a fresh Debian machine with Python 3.11 and make is enough. The first one
# downloads packages and compiles the innermost loops, which takes two to three minutes on two processors; it says what it does.
#
#   make demo    crawl and search a small synthetic web, within a minute after that; SERVE=1 ends with a search page
#   make test    all tests
#   make check   format, lint, types, layers and fast tests, within a minute after that
#   make wheel   a wheel for each Python at hand, tried in empty environments, in dist/ (PYTHONS="python3.12 …": for these)
#   make bench   measure, and compare with the floors in bench/floors.toml
#   make compare crawl one lab web by Gossamer, Scrapy, Crawlee and wget2, and write docs/comparison.md (a quarter of an hour;
#                COMPARE="--hosts 2 --pages 20 --kills 1": a small one)
#   make soak    kill crawls 1,000 times (SOAK=N: N times), and fetchers, database and S3 server of a crawl by four fetchers
#                (KILLS=N: N fetchers), and check that nothing is lost; before, archives on a real S3 server, more
#                graphs against their slow twins and longer texts; also crawls whose Ray head or Ray machine dies, and the
#                units of deploy/systemd under a real systemd, and RENDERED pages in browsers that are killed, with hostile ones
#   make sanitize   compile with address and undefined-behaviour sanitizers, and fuzz for two minutes (FUZZ=N: N seconds)
#   make extension   pack the browser extension for Chromium and for Firefox, in dist/
#   make audit   ask an advisory database about every pinned package; `make check` does it too
#   make release    sdist, wheel, bill of materials and checksums, in dist/
#   make pins    pin every package again, with the hashes of its files (UPGRADE=NAME: in its newest version)
#   make fix     let the formatter and the linter fix what they can
#   make docs    write the generated pages of docs/ again
#   make proxy   install mitmproxy, in an environment of its own, for `gossamer proxy`
#   make language-model   build the language model that ships, from pinned packages (a quarter of an hour)
#
# Every Python package is installed in its pinned version, and only if its hash is the pinned one.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Build packages are pinned too, hence --no-build-isolation: pip's isolated build would use the newest.
HASHED := install --require-hashes --no-build-isolation
INSTALL := $(PIP) $(HASHED) --constraint constraints.txt
# pip shows nothing of what it compiles, so compile first: what is up to date is not compiled again.
SHOW_COMPILING := $(BIN)/python -W ignore setup.py --quiet build_ext --inplace
# pip cannot check the hash of a folder, so the requirements come first and the program alone afterwards.
EDITABLE := REUSE_COMPILED=1 $(PIP) install --no-deps --no-build-isolation --editable .
ARCHIVE_TOOLS := $(VENV)/archive-tools
PEERS  := $(VENV)/peers
RELEASE_TOOLS := $(VENV)/release-tools
LANGUAGE := $(VENV)/language
EXTENSION_TOOLS := $(VENV)/extension-tools
PROXY  := $(VENV)/proxy
OWN_PIP := bin/python -m pip --disable-pip-version-check --quiet
# The hashes of pip alone, for a new environment, whose pip may be older than hashes in constraints.
PIN_OF_PIP := sed -n '/^pip==/,/[^\\]$$/p' constraints.txt
PINS   := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make pins"
SANITIZED := build/sanitized
JOBS   ?= 2
# Each process gets neighbouring tests, so most fixtures of a module are made once; one that is done takes over from the rest.
PYTEST := $(BIN)/pytest --dist=worksteal
SOAK   ?= 1000
KILLS  ?= 100
RENDERED ?= 5000
FUZZ   ?= 120
SEED   ?= 20011
UPGRADE ?=
COMPARE ?=
COMPILE := from sysconfig import *; print(get_config_var("CC"), "-I" + get_path("include"))
SETUP  := pyproject.toml setup.py constraints.txt src/gossamer/ui/package-lock.json
COMPILED := $(shell find src -name '*.pyx' -o -name '*.pxd')
# Without cached bytecode, pytest rewrites every test module in each of its processes, which is half of their start, and
# every program that tests start compiles itself.
unexport PYTHONDONTWRITEBYTECODE
# The S3 server that shared archives are tested with.
OBJECT_SERVER := ceph-common ceph-mon ceph-osd radosgw
# Debian packages that the benchmarks read or compare with.
BENCH  := python3.11-doc postgresql-15 postgresql-doc-15 debian-handbook nginx-light wget2

.PHONY: demo test check wheel bench compare soak sanitize audit release pins fix docs language-model clean browser database object-server
.PHONY: extension extension-tools proxy
.DELETE_ON_ERROR:

demo: $(VENV)/.program $(VENV)/.compiled
	$(BIN)/gossamer demo $(if $(SERVE),--serve)

# Tests of crawls wait half of their time, for pauses between requests: one process more keeps the processors busy. The few
# tests that fail are repeated alone, since a busy machine can be the cause; what fails again is a defect.
test: $(VENV)/.develop $(VENV)/.compiled browser database extension-tools
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(PYTEST) --numprocesses=$$(($(JOBS) + 1)) || $(BIN)/python tools/repeat_failed_tests.py

# The audit waits for a server most of its time, so it runs beside the rest; it ends by itself, with or without a network.
# mypy runs beside the tests, too: it uses one processor, and the tests leave some time of two.
check: $(VENV)/.develop $(VENV)/.release-tools $(VENV)/.compiled
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	@$(BIN)/python tools/audit_packages.py & audit=$$!; $(BIN)/mypy & types=$$!; \
		$(PYTEST) --numprocesses=$(JOBS) --hypothesis-profile=quick -m "not slow" tests/unit tests/docs; tests=$$?; \
		wait $$types; types=$$?; wait $$audit && exit $$((tests | types))

# Users who install a wheel need no compiler. Wheels are compiled in folders of their own, so src/ stays as it is.
wheel: $(VENV)/.develop
	$(BIN)/python -m tests.wheel.make_wheels $(PYTHONS)

bench: $(VENV)/.bench $(VENV)/.compiled
	$(BIN)/python bench/run.py

compare: $(VENV)/.develop $(VENV)/.compiled $(VENV)/.peers
	command -v wget2 >/dev/null || { [ "$$(id -u)" = 0 ] && tools/debian-packages wget2; } || \
		echo 'wget2 is not installed: it is left out.'
	$(BIN)/python bench/compare_peers.py --page docs/comparison.md $(COMPARE)

soak: $(VENV)/.develop $(VENV)/.compiled database object-server
	OBJECT_SERVER=1 $(BIN)/pytest tests/shared_archive
	MANY_EXAMPLES=1 $(BIN)/pytest tests/unit/graph tests/property/test_growth.py
	$(BIN)/python -m tests.cluster.kills --database 10 --archive 5 --pages 10000
	$(BIN)/python -m tests.cluster.kills --fetchers $(KILLS) --pages $$(($(KILLS) * 1000))
	RAY_HEAD=1 RAY_MACHINES=1 $(BIN)/pytest tests/cluster/test_ray_head.py tests/cluster/test_ray_machines.py
	SYSTEMD=1 $(BIN)/pytest tests/deploy/test_real_systemd.py
	$(BIN)/python -m tests.rendering.soak $(RENDERED) $$(($(RENDERED) / 100))
	$(BIN)/python -m tests.crawl.kills $(SOAK)

# A build of its own: the program in src/ and its compiled modules stay as they are.
sanitize: $(VENV)/.develop
	SANITIZE=1 $(BIN)/python setup.py --quiet build --build-base $(SANITIZED) --build-lib $(SANITIZED)/lib
	$(BIN)/python bench/fuzzing/run.py --sanitized --seconds $(FUZZ) --seed $(SEED)

audit: $(VENV)/.release-tools
	$(BIN)/python tools/audit_packages.py

release: $(VENV)/.develop $(VENV)/.release-tools
	rm -rf dist
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(RELEASE_TOOLS)/bin/python -m build --no-isolation --outdir dist . >/dev/null
	$(BIN)/python tools/bill_of_materials.py dist
	$(RELEASE_TOOLS)/bin/python tools/check_bill.py dist/*.cdx.json
	cd dist && sha256sum * >SHA256SUMS && cat SHA256SUMS

pins: $(VENV)/.release-tools
	$(RELEASE_TOOLS)/bin/$(PINS) --all-extras --group build --group release pyproject.toml -o constraints.txt $(UPGRADE:%=--upgrade-package %)
	$(RELEASE_TOOLS)/bin/$(PINS) tests/formats/requirements.in -o tests/formats/requirements.txt $(UPGRADE:%=--upgrade-package %)
	$(RELEASE_TOOLS)/bin/$(PINS) bench/peers/requirements.in -o bench/peers/requirements.txt $(UPGRADE:%=--upgrade-package %)
	$(RELEASE_TOOLS)/bin/$(PINS) tools/language/requirements.in -o tools/language/requirements.txt $(UPGRADE:%=--upgrade-package %)
	$(RELEASE_TOOLS)/bin/$(PINS) tools/proxy/requirements.in -o tools/proxy/requirements.txt $(UPGRADE:%=--upgrade-package %)

fix: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

docs: $(VENV)/.develop $(VENV)/.compiled
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/architecture.py

# Uses its own environment: the model is built with an older lingua than the one that benchmarks compare with.
language-model: $(VENV)/.program $(VENV)/.compiled
	$(PYTHON) -m venv $(LANGUAGE)
	$(LANGUAGE)/$(OWN_PIP) $(HASHED) --requirement tools/language/requirements.txt
	PYTHONPATH=src $(LANGUAGE)/bin/python tools/language/model.py

proxy: $(VENV)/.program $(VENV)/.proxy

clean:
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	find src -name '*.so' -delete -o -name '*.c' -delete
	rm -rf src/gossamer/ui/static/vendor

# On Debian, venv is in a separate package: install it if venv fails.
$(VENV)/.made:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Gossamer needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV) || { tools/debian-packages python3-venv && $(PYTHON) -m venv --clear $(VENV); }
	$(PIN_OF_PIP) >$(VENV)/first-pip.txt
	$(PIP) $(HASHED) --requirement $(VENV)/first-pip.txt
	touch $@

$(VENV)/pip.txt: $(VENV)/.made constraints.txt
	$(PIN_OF_PIP) >$@

# Compiled parts need a C compiler and Python.h; install Debian's packages only if one of them is missing.
$(VENV)/.compiler: $(VENV)/.made constraints.txt
	echo '#include <Python.h>' | $$($(BIN)/python -c '$(COMPILE)') -fsyntax-only -x c - 2>/dev/null || \
		tools/debian-packages gcc libc6-dev python3-dev
	$(INSTALL) --group build
	touch $@

$(VENV)/.program: $(VENV)/.compiler $(SETUP)
	$(BIN)/python tools/list_requirements.py lab search serve >$(VENV)/program.txt
	@echo 'Downloading and installing the packages that Gossamer needs …'
	$(INSTALL) --requirement $(VENV)/program.txt
	$(SHOW_COMPILING)
	$(EDITABLE)
	touch $(VENV)/.compiled $@

# Does not depend on .program, which would compile everything twice.
$(VENV)/.develop: $(VENV)/.compiler $(VENV)/.archive-tools $(SETUP)
	$(BIN)/python tools/list_requirements.py cluster documents graph lab parquet ray search serve dev >$(VENV)/develop.txt
	@echo 'Downloading and installing the packages that Gossamer and its tests need …'
	$(INSTALL) --requirement $(VENV)/develop.txt
	$(SHOW_COMPILING)
	$(EDITABLE)
	touch $(VENV)/.program $(VENV)/.compiled $@

# The installation compiles everything; afterwards only changed files are compiled again.
$(VENV)/.compiled: $(COMPILED) | $(VENV)/.compiler
	$(SHOW_COMPILING)
	touch $@

# The search page is tested in a real browser; without one, these tests are skipped, and say so.
browser:
	command -v chromium >/dev/null || { [ "$$(id -u)" = 0 ] && tools/debian-packages chromium; } || \
		echo 'chromium is not installed: tests in a browser will be skipped.'

# The store on PostgreSQL is tested with a real server, started by the tests; without one, they are skipped, and say so.
database:
	ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
		{ [ "$$(id -u)" = 0 ] && tools/debian-packages postgresql-15; } || \
		echo 'PostgreSQL is not installed: tests of webs in PostgreSQL will be skipped.'

# What is packed is the source itself, so neither npm nor a network is needed.
extension:
	$(PYTHON) tools/pack_extension.py dist

# The source of the extension is checked with tools from npm; without them, these tests are skipped, and say so.
extension-tools: $(VENV)/.extension-tools

$(VENV)/.extension-tools: extension/package-lock.json | $(VENV)/.made
	mkdir -p $(EXTENSION_TOOLS)
	cp extension/package.json extension/package-lock.json $(EXTENSION_TOOLS)/
	cd $(EXTENSION_TOOLS) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch ../.extension-tools || \
		echo 'npm could not install web-ext and eslint: tests of the source of the extension will be skipped.'

# Shared archives are tested with a real S3 server; without it, these tests are skipped, and say so.
object-server:
	command -v radosgw >/dev/null || { [ "$$(id -u)" = 0 ] && tools/debian-packages $(OBJECT_SERVER); } || \
		echo 'radosgw is not installed: tests with an S3 server will be skipped.'

# Tools that check archives have their own environment: pywb installs a package that would overwrite one of ours.
$(VENV)/.archive-tools: tests/formats/requirements.txt | $(VENV)/pip.txt
	$(PYTHON) -m venv $(ARCHIVE_TOOLS)
	$(ARCHIVE_TOOLS)/$(OWN_PIP) $(HASHED) --requirement $(VENV)/pip.txt
	$(ARCHIVE_TOOLS)/$(OWN_PIP) $(HASHED) --constraint constraints.txt setuptools
	$(ARCHIVE_TOOLS)/$(OWN_PIP) $(HASHED) --requirement tests/formats/requirements.txt
	touch $@

# The crawlers that Gossamer is compared with have their own environment: they ask for packages in other versions than ours.
$(VENV)/.peers: bench/peers/requirements.txt | $(VENV)/pip.txt
	$(PYTHON) -m venv $(PEERS)
	$(PEERS)/$(OWN_PIP) $(HASHED) --requirement $(VENV)/pip.txt
	$(PEERS)/$(OWN_PIP) $(HASHED) --requirement bench/peers/requirements.txt
	touch $@

# What `gossamer proxy` runs on has its own environment: the limits of mitmproxy contradict ours.
$(VENV)/.proxy: tools/proxy/requirements.txt | $(VENV)/pip.txt
	$(PYTHON) -m venv --clear $(PROXY)
	$(PROXY)/$(OWN_PIP) $(HASHED) --requirement $(VENV)/pip.txt
	$(PROXY)/$(OWN_PIP) $(HASHED) --constraint constraints.txt setuptools
	$(PROXY)/$(OWN_PIP) $(HASHED) --requirement tools/proxy/requirements.txt
	touch $@

# The packages that build, audit and describe a release; the program does not need them.
$(VENV)/.release-tools: $(VENV)/pip.txt constraints.txt
	$(PYTHON) -m venv $(RELEASE_TOOLS)
	$(RELEASE_TOOLS)/$(OWN_PIP) $(HASHED) --requirement $(VENV)/pip.txt
	$(RELEASE_TOOLS)/$(OWN_PIP) $(HASHED) --constraint constraints.txt --group build --group release
	touch $@

$(VENV)/.bench: $(VENV)/.develop
	$(BIN)/python tools/list_requirements.py cluster documents graph lab parquet ray search serve dev bench >$(VENV)/bench.txt
	$(INSTALL) --requirement $(VENV)/bench.txt
	tools/debian-packages $(BENCH) $$($(BIN)/python -c 'import sys; sys.path.insert(0, "bench"); import guides; print(*guides.PACKAGES)')
	touch $@
