"""Size of the wheel and of a default install: packages, megabytes, and how long ``pincite --help`` takes.

Run::

python benchmarks/speed/install.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from machine import machine, spread

ROOT = Path(__file__).resolve().parents[2]
RESULT = Path(__file__).parent / "results" / "install.json"
HELP_RUNS = 20


def size_mb(folder: Path) -> float:
    return round(sum(p.stat().st_size for p in folder.rglob("*") if p.is_file() and not p.is_symlink()) / 1e6, 1)


def help_ms(command: Path) -> float:
    start = time.perf_counter()
    subprocess.run([command, "--help"], check=True, capture_output=True)
    return (time.perf_counter() - start) * 1000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        env = Path(folder) / "env"
        venv.create(env, with_pip=True)
        before = size_mb(env)
        wheel_folder = Path(folder) / "wheel"
        python = env / "bin/python"
        constraints = ["-c", str(ROOT / "constraints.txt")]
        subprocess.run([python, "-m", "pip", "install", "-q", *constraints, str(ROOT)], check=True)
        subprocess.run([python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", wheel_folder, str(ROOT)], check=True)
        wheel_mb = size_mb(wheel_folder)
        listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], check=True, capture_output=True)
        names = sorted(item["name"] for item in json.loads(listed.stdout))
        packages = [name for name in names if name not in {"pip", "setuptools"}]
        site = next((env / "lib").glob("python*/site-packages"))
        biggest = sorted(((size_mb(p), p.name) for p in site.iterdir() if p.is_dir()), reverse=True)[:6]
        help_ms(env / "bin/pincite")
        result = {
            "machine": machine(),
            "wheel_mb": wheel_mb,
            "packages": len(packages),
            "names": packages,
            "installed_mb": round(size_mb(env) - before, 1),
            "biggest_mb": {name: size for size, name in biggest},
            "help_ms": spread([help_ms(env / "bin/pincite") for _ in range(HELP_RUNS)]),
        }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    json.dump(result, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
