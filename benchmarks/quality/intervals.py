"""Rates with their size and 95 % interval."""

from __future__ import annotations

import math


def wilson(hits: int, n: int) -> dict[str, float | int]:
    """Wilson's score interval (1927), which stays inside 0 and 1."""
    if not n:
        return {"n": 0}
    z, p = 1.959964, hits / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return {"rate": round(p, 4), "low": round(centre - half, 4), "high": round(centre + half, 4), "n": n}


def mean_interval(values: list[float]) -> dict[str, float | int]:
    """Mean with the normal interval, for F1 and the like."""
    n = len(values)
    if not n:
        return {"n": 0}
    mean = sum(values) / n
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, n - 1) / n) * 1.959964
    return {"mean": round(mean, 4), "low": round(mean - spread, 4), "high": round(mean + spread, 4), "n": n}
