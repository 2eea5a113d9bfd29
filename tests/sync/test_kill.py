"""A sync that is killed at any moment ends, after the next run, in the library of an undisturbed one."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from killing import first_state, killed_after, second_state, shown, sync, undisturbed_s

MOMENTS = 12


def test_a_killed_sync_ends_after_the_next_run_as_if_undisturbed(tmp_path: Path) -> None:
    folder, base = tmp_path / "folder", tmp_path / "base"
    first_state(folder)
    sync(folder, base)
    second_state(folder)
    whole = tmp_path / "whole"
    shutil.copytree(base, whole)
    lasts_s = undisturbed_s(folder, whole)
    expected = shown(whole)
    rng, killed = random.Random(5), 0
    for number in range(MOMENTS):
        library = tmp_path / f"killed{number}"
        shutil.copytree(base, library)
        killed += killed_after(folder, library, rng.random() * lasts_s)
        sync(folder, library)
        assert shown(library) == expected, f"moment {number}"
        shutil.rmtree(library)
    assert killed > MOMENTS // 3, "hardly any run was killed"
