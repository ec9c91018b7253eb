.PHONY: setup night test lock
PYTHON ?= python3
STAMP := .venv/.installed

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("nightpick needs Python 3.11 or newer, found %s: run make with PYTHON=..." % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

# The simulated cell's clock runs twenty times as fast as a real one.
night: setup
	NIGHTPICK_CELL__TIME_SCALE="$${NIGHTPICK_CELL__TIME_SCALE:-20}" .venv/bin/nightpick night --runs 6

test: setup
	.venv/bin/python -m pytest -m "not slow" -n 3

# New versions, still with hashes and without any index address.
lock:
	uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes \
	  --no-emit-index-url --no-header --no-annotate --output-file requirements.lock --upgrade
