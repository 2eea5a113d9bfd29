"""From verdicts to what a reader sees: kept claims with fresh numbers, one source per quote, or a refusal.

Nothing a generator wrote as a marker survives: text is rebuilt from the claims that may be shown, and
every number is given here.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from pincite.text.layout import locate
from pincite.types import ClaimKind, Related, Source, VerdictLabel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import date

    from pincite.types import Evidence, JudgedClaim, Passage, Version

_BULLET = re.compile(r"[ \t]*([-*+]|\d{1,3}[.)])[ \t]+\Z")


@dataclass(frozen=True, kw_only=True, slots=True)
class Shown:
    """Text that may be shown, its sources in order of number, and the claims (indices) that it holds."""

    text: str
    sources: tuple[Source, ...]
    kept: tuple[int, ...]


def citation_id(version_id: str, start: int, end: int) -> str:
    """The pincite itself: which version, which characters. `pincite show` opens it."""
    return f"{version_id}@{start}-{end}"


def evidence_of(item: JudgedClaim) -> tuple[Evidence, ...]:
    """The evidence of a supported claim; nothing for any other."""
    return item.verdict.evidence if item.verdict.label is VerdictLabel.SUPPORTED else ()


def show_kept(
    draft: str,
    judged: Sequence[JudgedClaim],
    kept: Iterable[int],
    *,
    passages: Mapping[str, Passage],
    versions: Mapping[str, Version],
) -> Shown:
    """Rebuild the text from the claims in ``kept``, numbering each distinct quote once.

    A claim whose evidence lies in a version missing from ``versions`` (withdrawn since retrieval), or is not what
    that version says there, is left out.
    """
    able = [i for i in kept if _all_open(judged[i], passages, versions)]
    numbers: dict[tuple[str, int, int], int] = {}
    quoted: list[Evidence] = []
    pieces: list[str] = []
    previous_end = None
    for index in able:
        item = judged[index]
        own = set[int]()
        for evidence in evidence_of(item):
            key = (passages[evidence.passage_id].version_id, evidence.start, evidence.end)
            if key not in numbers:
                quoted.append(evidence)
                numbers[key] = len(quoted)
            own.add(numbers[key])
        markers = "".join(f"[{n}]" for n in sorted(own))
        pieces.append(_joint(draft, previous_end, item.claim.start))
        pieces.append(f"{item.claim.text} {markers}" if markers else item.claim.text)
        previous_end = item.claim.end
    sources = tuple(
        _source(n, evidence, passages[evidence.passage_id], versions) for n, evidence in enumerate(quoted, start=1)
    )
    return Shown(text="".join(pieces), sources=sources, kept=tuple(able))


def _all_open(item: JudgedClaim, passages: Mapping[str, Passage], versions: Mapping[str, Version]) -> bool:
    """A statement of fact needs a quote, and every quote must still be open; other sentences need none."""
    evidence = evidence_of(item)
    if item.claim.kind is ClaimKind.FACTUAL and not evidence:
        return False
    return all(_is_open(one, passages, versions) for one in evidence)


def _is_open(evidence: Evidence, passages: Mapping[str, Passage], versions: Mapping[str, Version]) -> bool:
    version = versions.get(passages[evidence.passage_id].version_id)
    return version is not None and version.text[evidence.start : evidence.end] == evidence.quote


def _joint(draft: str, previous_end: int | None, start: int) -> str:
    """What stands between two claims: a line break where the draft had one (with its bullet), else a space."""
    line_start = draft.rfind("\n", 0, start) + 1
    bullet = _BULLET.match(draft[line_start:start])
    lead = f"{bullet.group(1)} " if bullet else ""
    if previous_end is None:
        return lead
    gap = draft[min(previous_end, start) : start]
    if "\n\n" in gap and not bullet:
        return "\n\n"
    return f"\n{lead}" if "\n" in gap else f" {lead}"


def _source(number: int, evidence: Evidence, passage: Passage, versions: Mapping[str, Version]) -> Source:
    version = versions[passage.version_id]
    return Source(
        number=number,
        citation_id=citation_id(version.version_id, evidence.start, evidence.end),
        passage_id=passage.passage_id,
        document_id=version.document_id,
        version_id=version.version_id,
        title=version.title,
        version_label=version.version_label,
        effective_from=version.effective_from,
        effective_to=version.effective_to,
        source_uri=version.source_uri,
        quote=version.text[evidence.start : evidence.end],
        start=evidence.start,
        end=evidence.end,
        location=locate(version.layout, evidence.start, evidence.end),
    )


def mark_superseded(
    sources: Iterable[Source], history: Callable[[str], Sequence[Version]], today: date
) -> tuple[Source, ...]:
    """The sources, each with the day its version ended. ``history``: a document's versions, for this reader."""
    sources = tuple(sources)
    histories = {document_id: history(document_id) for document_id in {one.document_id for one in sources}}
    ended = [(one, _ended(one, histories[one.document_id], today)) for one in sources]
    return tuple(dataclasses.replace(one, superseded_on=day) for one, day in ended)


def _ended(source: Source, versions: Sequence[Version], today: date) -> date | None:
    began = [one.version_id for one in versions]
    later = versions[began.index(source.version_id) + 1 :] if source.version_id in began else ()
    ends = [one.effective_from for one in later if one.effective_from is not None]
    if source.effective_to is not None:
        ends.append(source.effective_to)
    return min((day for day in ends if day <= today), default=None)


def announced(
    sources: Iterable[Source], history: Callable[[str], Sequence[Version]], as_of: date, *, within_days: int
) -> tuple[str, ...]:
    """A sentence for each cited document of which another version begins soon after the day of the answer."""
    cited = {source.document_id: source for source in sources}
    notes = []
    for document_id, source in cited.items():
        starts = (one.effective_from for one in history(document_id))
        coming = [
            day for day in starts if day is not None and timedelta(0) < day - as_of <= timedelta(days=within_days)
        ]
        if coming:
            first = min(coming)
            notes.append(
                f"{source.title} holds as quoted until {_said(first - timedelta(days=1))}; from {_said(first)} another "
                f"version is in force: ask for that day, or compare the two with pincite diff."
            )
    return tuple(notes)


def _said(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


def related_documents(passages: Sequence[Passage], *, limit: int) -> tuple[Related, ...]:
    """The documents of these passages, best first, each once."""
    titles: dict[str, str] = {}
    for passage in passages:
        titles.setdefault(passage.document_id, passage.title)
    return tuple(Related(document_id=key, title=title) for key, title in list(titles.items())[:limit])
