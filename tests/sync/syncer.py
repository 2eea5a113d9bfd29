"""One sync in a process of its own, to be killed: python syncer.py FOLDER LIBRARY. Writes "go" once it begins."""

from __future__ import annotations

import sys
from pathlib import Path

from pincite.library import Library
from pincite.sync import SyncOptions
from pincite.testing.hash_embedder import HashEmbedder


def main() -> None:
    with Library.open(Path(sys.argv[2]), create=True, embedder=HashEmbedder()) as library:
        sys.stdout.write("go\n")
        sys.stdout.flush()
        library.sync(Path(sys.argv[1]), SyncOptions(max_removed_share=1.0))


if __name__ == "__main__":
    main()
