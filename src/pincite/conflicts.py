"""Where the documents of a library disagree: pairs of statements that cannot both hold, as one reader may see them.

Not all pairs are compared: each statement is searched for in the store, through the reader's view, and only the
statements of the passages found are judged. What a reader may not see is in no pair, no count and no message.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite.scope import Precedence, precedence
from pincite.text.layout import locate
from pincite.text.list_items import list_items, sentences_between
from pincite.types import BlockKind
from pincite.verify.disagree import MIN_COMMON, common_share, disagreements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pincite.protocols import Store, Verifier
    from pincite.types import Location, Passage, View
    from pincite.verify.disagree import Disagreement

_LEFT_OUT = frozenset(
    {BlockKind.HEADING, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.CODE, BlockKind.RECORD}
)
_OWN_DATE = re.compile(
    r"\W*(?:last\s+)?(?:updated|modified|revised|reviewed|effective|version|valid\s+from)\b", re.IGNORECASE
)
"""How a line opens that only says of which day its document is: each document has its own."""
_MIN_WORDS, _MAX_WORDS = 4, 80
_BATCH = 32


@dataclass(frozen=True, kw_only=True, slots=True)
class ConflictLimits:
    """What bounds the work: time grows with ``statements`` times ``candidates``, whatever the library holds.

    ``limit`` is how many pairs are reported. ``order`` is the precedence of attributes (``retrieve.precedence``).
    """

    limit: int = 50
    statements: int = 20_000
    candidates: int = 8
    order: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Stand:
    """One side: the statement, whose it is, and where a person finds it."""

    document_id: str
    version_id: str
    title: str
    start: int
    end: int
    quote: str
    location: Location


@dataclass(frozen=True, kw_only=True, slots=True)
class ConflictPair:
    """Two statements that disagree, the one of the earlier document id first."""

    left: Stand
    right: Stand
    why: Disagreement


@dataclass(frozen=True, kw_only=True, slots=True)
class ConflictReport:
    """Pairs, the likest subjects first. ``found`` counts all of them, ``complete`` is False when a limit stopped it."""

    pairs: tuple[ConflictPair, ...]
    found: int
    statements: int
    judged: int
    complete: bool


def find_conflicts(
    store: Store,
    view: View,
    verifier: Verifier,
    limits: ConflictLimits | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> ConflictReport:
    """The disagreeing pairs among what ``view`` shows. An empty library or view gives an empty report.

    Versions of one document, statements about different scopes, and a specific rule against a general one are no
    conflict. ``progress`` is told how many statements are done, of how many. Deterministic for one generation.
    """
    bounds = limits or ConflictLimits()
    said, complete = _first(_statements(store.iter_passages(view)), bounds.statements)
    seen: set[tuple[str, str]] = set()
    found: list[tuple[Passage, Passage, Disagreement]] = []
    for begin in range(0, len(said), _BATCH):
        batch = said[begin : begin + _BATCH]
        pairs = [pair for one in batch for pair in _candidates(one, store, view, bounds) if _new(pair, seen)]
        judged = disagreements(pairs, verifier)
        found += [(*pair, why) for pair, why in zip(pairs, judged, strict=True) if why is not None]
        if progress is not None:
            progress(min(begin + _BATCH, len(said)), len(said))
    found.sort(key=lambda item: (-item[2].common_share, _key(item[0]), _key(item[1])))
    shown = [pair for left, right, why in found[: bounds.limit] for pair in _pair(left, right, why, store, view)]
    return ConflictReport(
        pairs=tuple(shown), found=len(found), statements=len(said), judged=len(seen), complete=complete
    )


def _first(items: Iterable[Passage], most: int) -> tuple[list[Passage], bool]:
    taken: list[Passage] = []
    for item in items:
        if len(taken) >= most:
            return taken, False
        taken.append(item)
    return taken, True


def _statements(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Every statement as a passage of its own. Rows and records are left out: they say nothing without their table."""
    for passage in passages:
        if passage.kind in _LEFT_OUT:
            continue
        cuts = sorted({edge for item in list_items(passage) for edge in (item.start, item.end)})
        for span in sentences_between(passage.text, cuts):
            text = passage.text[span.start : span.end]
            if _is_statement(text):
                start = passage.start + span.start
                yield dataclasses.replace(passage, text=text, start=start, end=start + len(text), cells=())


def _is_statement(text: str) -> bool:
    told = _MIN_WORDS <= len(text.split()) <= _MAX_WORDS and not text.rstrip().endswith((":", "?"))
    return told and _OWN_DATE.match(text) is None


def _candidates(one: Passage, store: Store, view: View, bounds: ConflictLimits) -> Iterator[tuple[Passage, Passage]]:
    """The statement with each other that may contradict it, the one of the earlier document first."""
    hits = store.search(one.text, None, view, limit=bounds.candidates).lexical
    others = [hit.passage for hit in hits if hit.passage.document_id != one.document_id]
    for other in _statements(others):
        if precedence(one.attributes, other.attributes, order=bounds.order) is not Precedence.CONFLICT:
            continue
        if one.text != other.text and common_share(one.text, other.text) >= MIN_COMMON:
            yield (one, other) if _place(one) < _place(other) else (other, one)


def _new(pair: tuple[Passage, Passage], seen: set[tuple[str, str]]) -> bool:
    key = (_key(pair[0]), _key(pair[1]))
    if key in seen:
        return False
    seen.add(key)
    return True


def _place(passage: Passage) -> tuple[str, int]:
    return passage.document_id, passage.start


def _key(passage: Passage) -> str:
    return f"{passage.version_id}@{passage.start}-{passage.end}"


def _pair(left: Passage, right: Passage, why: Disagreement, store: Store, view: View) -> Sequence[ConflictPair]:
    """The pair with its places, read again through the view: what is gone since is left out."""
    sides = [_stand(side, store, view) for side in (left, right)]
    if sides[0] is None or sides[1] is None:
        return ()
    return (ConflictPair(left=sides[0], right=sides[1], why=why),)


def _stand(passage: Passage, store: Store, view: View) -> Stand | None:
    version = store.version(passage.version_id, view)
    if version is None:
        return None
    return Stand(
        document_id=passage.document_id,
        version_id=passage.version_id,
        title=passage.title,
        start=passage.start,
        end=passage.end,
        quote=passage.text,
        location=locate(version.layout, passage.start, passage.end),
    )
