"""``python -m pincite`` is the command line."""

from __future__ import annotations

from pincite.serve.cli import main

if __name__ == "__main__":
    main()
