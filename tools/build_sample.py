"""Make the DOCX and PDF files of the Harbourline sample library, byte for byte the same on every run.

    python tools/build_sample.py              write the files, and their hashes into library.toml's [build] table
    python tools/build_sample.py --check      write nothing; exit 1 when a committed file differs
    python tools/build_sample.py --into DIR   write the files below DIR instead and leave library.toml alone

The texts lie in tools/sample_sources; sample_text.py says how they are written. Needs the test extra
(reportlab, python-docx); another version of either may set the same text in other bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from importlib.metadata import version
from pathlib import Path

import sample_docx
import sample_pdf
import sample_text

TOOLS = Path(__file__).resolve().parent
SOURCES = TOOLS / "sample_sources"
LIBRARY = TOOLS.parent / "src" / "pincite" / "sample" / "harbourline"
MANIFEST = LIBRARY / "library.toml"
MAKERS = ("python-docx", "reportlab")

_BUILD_TABLE = re.compile(r"(?ms)^\[build\]\n.*?(?=^\[(?!build)|\Z)")


def build() -> dict[str, bytes]:
    """Every made file, by its path in the library."""
    texts = [sample_text.read(path) for path in sorted(SOURCES.glob("*.md"))]
    return {text.output: sample_docx.made(text) if text.layout == "docx" else sample_pdf.made(text) for text in texts}


def _build_table(files: dict[str, bytes]) -> str:
    """The [build] table of library.toml: which versions made the files, and what they hash to."""
    lines = ["[build]", *(f'{maker} = "{version(maker)}"' for maker in MAKERS), "", "[build.sha256]"]
    lines += [f'"{path}" = "{hashlib.sha256(data).hexdigest()}"' for path, data in sorted(files.items())]
    return "\n".join(lines) + "\n\n"


def _write(files: dict[str, bytes], folder: Path) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
        print(f"{len(data):>8} {path}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Make the DOCX and PDF files of the sample library.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a committed file differs")
    parser.add_argument("--into", type=Path, metavar="DIR", help="write below DIR and leave library.toml alone")
    options = parser.parse_args()
    files = build()
    if options.check:
        stale = [path for path, data in files.items() if (LIBRARY / path).read_bytes() != data]
        print("\n".join(f"differs: {path}" for path in stale) or f"{len(files)} files are as they should be")
        return 1 if stale else 0
    if options.into is not None:
        _write(files, options.into)
        return 0
    _write(files, LIBRARY)
    manifest = MANIFEST.read_text(encoding="utf-8")
    MANIFEST.write_text(_BUILD_TABLE.sub(lambda _: _build_table(files), manifest, count=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
