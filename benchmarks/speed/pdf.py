"""How fast PDFs are read: pages a second by file, what the sandbox costs, and how long a place takes to find.

Processor time beside wall time, because the machine may be busy. Run::

    python benchmarks/speed/pdf.py
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

from machine import machine, spread

from pincite.adapters.parsers.pdf import PdfParser
from pincite.adapters.parsers.sandbox import Sandbox
from pincite.errors import ParseError
from pincite.protocols import ParseLimits
from pincite.text.layout import locate

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT.parent / "shared/docs/pdf"
RESULT = Path(__file__).parent / "results" / "pdf.json"
ROUNDS = 3
PLACES = 500
SEED = 7


def measured(path: Path) -> dict[str, object]:
    """The best of some rounds: what the work costs, not what else the machine did."""
    data = path.read_bytes()
    cpu_s, wall_s, pages = [], [], 0
    for _ in range(ROUNDS):
        cpu, wall = time.process_time(), time.perf_counter()
        try:
            parsed = PdfParser().parse(data, source_name=path.name, limits=ParseLimits())
        except ParseError as error:
            return {"file": path.name, "error": error.code}
        cpu_s.append(time.process_time() - cpu)
        wall_s.append(time.perf_counter() - wall)
        pages = len(parsed.layout.pages)
    return {
        "file": path.name,
        "pages": pages,
        "chars": len(parsed.text),
        "box_bytes_per_page": sum(len(page.boxes) for page in parsed.layout.pages) // pages,
        "cpu_ms_per_page": round(1000 * min(cpu_s) / pages, 1),
        "wall_ms_per_page": round(1000 * min(wall_s) / pages, 1),
    }


def sandbox_ms(path: Path) -> dict[str, float]:
    """A first file with the start of the child, and the same file again."""
    data, parser, limits = path.read_bytes(), PdfParser(), ParseLimits()
    with Sandbox() as sandbox:
        times = []
        for _ in range(1 + ROUNDS):
            start = time.perf_counter()
            sandbox.parse(parser, data, source_name=path.name, limits=limits)
            times.append(1000 * (time.perf_counter() - start))
    start = time.perf_counter()
    parser.parse(data, source_name=path.name, limits=limits)
    here = 1000 * (time.perf_counter() - start)
    return {"first": round(times[0], 1), "again": round(min(times[1:]), 1), "without_sandbox": round(here, 1)}


def locate_ms(path: Path) -> dict[str, float]:
    parsed = PdfParser().parse(path.read_bytes(), source_name=path.name, limits=ParseLimits())
    rng, times = random.Random(SEED), []
    for _ in range(PLACES):
        at = rng.randrange(len(parsed.text) - 200)
        start = time.perf_counter()
        locate(parsed.layout, at, at + 200)
        times.append(1000 * (time.perf_counter() - start))
    return spread(times)


def main() -> None:
    files = [measured(path) for path in sorted(DOCS.glob("*.pdf"))]
    read = [entry for entry in files if "pages" in entry]
    pages = sum(entry["pages"] for entry in read)
    cpu_s = sum(entry["pages"] * entry["cpu_ms_per_page"] for entry in read) / 1000
    contract = DOCS / "basecamp__Data_Processing_Addendum_current.pdf"
    result = {
        "machine": machine(),
        "rounds": ROUNDS,
        "pages": pages,
        "pages_per_cpu_s": round(pages / cpu_s, 1),
        "files": files,
        "sandbox_ms_11_pages": sandbox_ms(contract),
        "locate_200_chars_ms": locate_ms(contract),
    }
    RESULT.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
