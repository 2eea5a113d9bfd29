"""The reliability diagram as an SVG, drawn from results/verify_sets.json. Run: python benchmarks/quality/diagram.py."""

from __future__ import annotations

import json
from typing import Any

from verify_data import RESULTS

SIDE, LEFT, TOP, GAP = 260, 60, 40, 80
COLOURS = {"dev": "#1f5fa8", "eval-only": "#b3541e"}


def panel(split: str, result: dict[str, Any], x0: int) -> list[str]:
    """One square: mean probability across, share of true claims up; a dot a bin, its area by rows."""
    most = max(n for _, _, n in result["bins"])
    points = [(x0 + SIDE * p, TOP + SIDE * (1 - t), n) for p, t, n in result["bins"]]
    ece, low, high = result["ece"]
    parts = [
        f'<rect x="{x0}" y="{TOP}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#999"/>',
        f'<line x1="{x0}" y1="{TOP + SIDE}" x2="{x0 + SIDE}" y2="{TOP}" stroke="#bbb" stroke-dasharray="4 4"/>',
        (
            f'<text x="{x0}" y="{TOP - 10}">{split}, English: {result["rows"]:,} claims,'
            f" error {ece:.3f} [{low:.3f}, {high:.3f}]</text>"
        ),
        f'<polyline fill="none" stroke="{COLOURS[split]}" points="'
        + " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
        + '"/>',
    ]
    parts += [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + 4 * (n / most) ** 0.5:.1f}" fill="{COLOURS[split]}"/>'
        for x, y, n in points
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(f'<text x="{x0 + SIDE * tick}" y="{TOP + SIDE + 16}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{x0 - 6}" y="{TOP + SIDE * (1 - tick) + 4}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<text x="{x0 + SIDE / 2}" y="{TOP + SIDE + 34}" text-anchor="middle">support_prob</text>')
    return parts


def draw(body: dict[str, Any]) -> str:
    width = LEFT + 2 * SIDE + GAP + 80
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{TOP + SIDE + 50}"'
            ' font-family="sans-serif" font-size="11">'
        ),
        f'<rect width="{width}" height="{TOP + SIDE + 50}" fill="#fff"/>',
        (
            f'<text x="16" y="{TOP + SIDE / 2}" transform="rotate(-90 16 {TOP + SIDE / 2})" text-anchor="middle">'
            "share of claims that are supported</text>"
        ),
    ]
    for number, (split, result) in enumerate(body["pooled_calibration"].items()):
        parts += panel(split, result, LEFT + number * (SIDE + GAP))
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    body = json.loads((RESULTS / "verify_sets.json").read_text(encoding="utf-8"))
    (RESULTS / "reliability.svg").write_text(draw(body), encoding="utf-8")
    print("wrote reliability.svg")


if __name__ == "__main__":
    main()
