"""What a figure was measured on, for result files."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
from pathlib import Path


def machine() -> dict[str, object]:
    """Processor, cores and versions; no names of machines."""
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    packages = ("pincite", "numpy", "onnxruntime", "tantivy", "tokenizers", "pypdfium2")
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "versions": {name: importlib.metadata.version(name) for name in packages},
    }


def spread(samples: list[float]) -> dict[str, float]:
    """Median, quartiles, 95th percentile and count."""
    ordered = sorted(samples)
    quarters = statistics.quantiles(ordered, n=20, method="inclusive")
    return {
        "median": round(statistics.median(ordered), 3),
        "p25": round(quarters[4], 3),
        "p75": round(quarters[14], 3),
        "p95": round(quarters[18], 3),
        "n": len(ordered),
    }
