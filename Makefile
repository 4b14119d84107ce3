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

.PHONY: setup smoke test lint clean

setup: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: $(PYTHON) is older than 3.11; give another with make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || \
	  { echo "error: this Python has no venv; install it (Debian: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

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
