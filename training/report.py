"""Tables for the model card from result files.

python -m training.report training/results/base.int8.json training/results/base.fp32.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def row(name: str, found: dict[str, Any], other: dict[str, Any] | None) -> str:
    """One line of the table; ``other`` is the full-precision model on the same rows."""
    low, high = found["bacc_at_half_95"].values()
    full = f"{other['bacc_at_half']:.1f} / {other['auroc']:.3f}" if other else ""
    return (
        f"| {name} | {found['rows']} | {found['bacc_at_half']:.1f} [{low:.1f}, {high:.1f}] | "
        f"{found['bacc_tuned_across_halves']:.1f} | {found['auroc']:.3f} | {found['floor_bacc_tuned_across_halves']:.1f} | "
        f"{found['floor_auroc']:.3f} | {full} |"
    )


def table(small: dict[str, Any], full: dict[str, Any]) -> str:
    """Markdown table of all sets of a result file, and the mean over those of ``dev``."""
    lines = [
        "| set | rows | BAcc at 0.5 [95 %] | BAcc tuned across halves | AUROC | floor BAcc tuned | floor AUROC | fp32 BAcc / AUROC |",
        "|---|---|---|---|---|---|---|---|",
        *(row(name, found, full.get(name)) for name, found in small.items()),
    ]
    dev = [found for name, found in small.items() if name.startswith("dev/")]
    if dev:
        means = [
            sum(found[key] for found in dev) / len(dev)
            for key in (
                "bacc_at_half",
                "bacc_tuned_across_halves",
                "auroc",
                "floor_bacc_tuned_across_halves",
                "floor_auroc",
            )
        ]
        lines.append("| mean of dev | | {:.1f} | {:.1f} | {:.3f} | {:.1f} | {:.3f} | |".format(*means))
    return "\n".join(lines)


def main() -> None:
    small, *rest = (json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:])
    sys.stdout.write(table(small, rest[0] if rest else {}) + "\n")


if __name__ == "__main__":
    main()
