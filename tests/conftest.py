"""Fixtures that every test may use."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real documents and data beside the checkout."""
    if not SHARED.is_dir():
        pytest.skip("the shared documents do not lie beside this checkout (../shared)")
    return SHARED
