# What CI runs, on an environment that is already there.
.PHONY: check lint types test demo sample
check: lint types test

lint:
	ruff check .
	ruff format --check .

types:
	mypy

test:
	python -m pytest

demo:
	pincite demo

sample:
	python tools/build_sample.py
