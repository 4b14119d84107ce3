# The fresh-machine commands. `make smoke` and `make test` do all set-up themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# A HOME that cannot be written to must not stop pip, Snakemake or Matplotlib.
ifneq ($(shell mkdir -p "$${HOME:-/nonexistent}/.cache" 2> /dev/null && test -w "$$HOME/.cache" && echo yes),yes)
export XDG_CACHE_HOME := $(CURDIR)/.cache
export MPLCONFIGDIR := $(CURDIR)/.cache/matplotlib
export PIP_CACHE_DIR := $(CURDIR)/.cache/pip
endif

.PHONY: setup own-venv smoke test lint clean

setup: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml | own-venv
	@scripts/check-needs.sh $(PYTHON)
	$(PYTHON) -m venv --clear $(VENV)
	@echo "pip installs requirements.lock into $(VENV)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock || \
	  { echo "error: pip, whose lines are above, did not install requirements.lock; it needs PyPI, or" \
	    "a mirror (pip config set global.index-url ADDRESS); then the same command again" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# `venv --clear` follows a link, and would empty the environment that another clone works with.
own-venv:
	@if [ -L $(VENV) ]; then \
	  echo "error: $(VENV) is a symbolic link (to $$(readlink $(VENV))), and setup would empty what it points to;" \
	    "remove the link (rm $(VENV)) and call make again" >&2; exit 1; fi

smoke: setup
	$(BIN)/snakemake all --config scale=smoke

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint
	$(BIN)/codespell
	$(BIN)/hadolint Dockerfile
	$(BIN)/shellcheck --severity warning scripts/*.sh
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	git ls-files 'splyce_pass/*.cpp' 'splyce_pass/*.h' 'references/*.[ch]' 'docs/examples/*.cpp' \
	  | xargs $(BIN)/clang-format --style=file:splyce_pass/.clang-format --dry-run --Werror

test: setup lint
	$(BIN)/snakemake build_pass
	$(BIN)/python -m pytest

clean:
	rm -rf $(VENV) build results .snakemake
