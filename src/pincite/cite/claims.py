"""Claims of an answer, each with the markers that belong to it.

A marker belongs to the sentence that it stands in or directly follows: of several sentences before one
marker, the last alone. A block that opens each sentence with its marker ("[1] A. [2] B.") is read so. A
marker on the line that introduces a list, or in a table's header, also holds for the items or rows that
have none. A paragraph of nothing but markers belongs to the claim before it. A list of sources attaches
nothing. What belongs to no claim is stray, never lost.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.cite.blocks import Block, Kind, blocks
from pincite.cite.kinds import claim_kind, heading_kind, lead_in_kind
from pincite.cite.labels import Labels
from pincite.cite.markers import find_markers
from pincite.cite.plain import joined
from pincite.cite.sources import Role, SourceReader
from pincite.text.sentences import sentences
from pincite.types import Citation, CitationStatus, Cited, Claim, ClaimKind, Run, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pincite.cite.markdown import Flat
    from pincite.cite.markers import Marker
    from pincite.cite.sources import Line

_STAND_IN = "[1]"
"""Stands for a group of markers while sentences are split: a form that the splitter knows."""
_WORDY = re.compile(r"[^\W_]")
_BULLET = re.compile(r"[\s•‣◦▪●–—-]*(?=[^\W_])")
_CLOSES = "—–.,;:!?)]}»”’…。，；：！？）।"
_STOPS = ".。"
_MARKUP = "*_~`"
_EDGE = " |"


def cite(text: str, labels: Mapping[str, str]) -> Cited:
    """Read markers and claims of an answer. ``labels`` maps every label that resolves to its passage id.

    Never raises on any text. Time grows with the length of the text. A marker whose label is not there is an
    unresolved citation with its raw text and range; so is a range of which an end is missing.
    """
    writer = _Writer(answer=text, labels=Labels(labels))
    for index, block in enumerate(blocks(text)):
        writer.add(index, block)
    return writer.cited()


@dataclass(kw_only=True, slots=True)
class _Sentence:
    """A claim while its citations are gathered."""

    claim: Claim
    block: int
    citations: list[Citation] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Group:
    """Neighbouring markers, in flat offsets, and the citations they make."""

    start: int
    end: int
    citations: tuple[Citation, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class _Strip:
    """The text that is split, a stand-in for each group (``flat_at`` is -1 there, ``slots`` says where)."""

    text: str
    flat_at: list[int]
    slots: list[tuple[int, _Group]]


@dataclass(kw_only=True, slots=True)
class _Writer:
    """Goes through the blocks and keeps what they hold."""

    answer: str
    labels: Labels
    sentences: list[_Sentence] = field(default_factory=list)
    stray: list[Citation] = field(default_factory=list)
    leads: dict[int, int | None] = field(default_factory=dict)
    headers: set[int] = field(default_factory=set)
    sources: SourceReader = field(default_factory=SourceReader)

    def add(self, index: int, block: Block) -> None:
        """Read one block."""
        self.leads[index] = block.lead
        if block.kind is Kind.HEADER_ROW:
            self.headers.add(index)
        markers = find_markers(block.flat.masked, self.labels)
        lines = self.sources.lines(block, markers)
        groups = _groups(block.flat, markers, self.answer)
        attached, detached = _parted(groups, lines)
        self.stray.extend(c for group in detached for c in group.citations)
        self._split(index, block, _strip(block.flat, lines, attached, detached))

    def cited(self) -> Cited:
        """Everything, in order, after items have taken what their lead-in says."""
        self._inherit()
        self._fix_lead_ins()
        self._fix_headers()
        claims = [dataclasses.replace(s.claim, citations=tuple(s.citations)) for s in self.sentences]
        return Cited(text=self.answer, claims=tuple(claims), stray=tuple(sorted(self.stray, key=lambda c: c.start)))

    def _split(self, index: int, block: Block, strip: _Strip) -> None:
        whole = block.kind in {Kind.ROW, Kind.HEADER_ROW, Kind.CODE}
        spans = _whole(strip.text) if whole else sentences(strip.text)
        held = _held(spans, strip.slots)
        for span, groups in zip(spans, _led(strip.text, spans, held), strict=True):
            claim = _claim(self.answer, block, strip, span, groups)
            if claim is not None:
                citations = [c for group in groups for c in group.citations]
                self.sentences.append(_Sentence(claim=claim, block=index, citations=citations))
            else:
                self._attach_back(index, block, groups)

    def _attach_back(self, index: int, block: Block, groups: Sequence[_Group]) -> None:
        """Markers without words belong to the claim before them, but for a list item of its own."""
        citations = [c for group in groups for c in group.citations]
        before = self.sentences[-1] if self.sentences else None
        apart = before is not None and before.block != index
        if before is None or (
            apart and (block.kind in {Kind.ITEM, Kind.HEADING} or before.claim.kind is ClaimKind.META)
        ):
            self.stray.extend(citations)
        elif citations:
            before.citations.extend(citations)
            end = max(before.claim.end, *(c.end for c in citations))
            before.claim = dataclasses.replace(before.claim, end=end)

    def _inherit(self) -> None:
        """Items and rows without a marker take the resolved ones of what introduces them."""
        by_block: dict[int, list[_Sentence]] = {}
        for sentence in self.sentences:
            by_block.setdefault(sentence.block, []).append(sentence)
        own = {index: list(held[-1].citations) for index, held in by_block.items() if self._introduces(index, held)}
        for index, held in by_block.items():
            if any(s.citations for s in held):
                continue
            lead = self.leads.get(index)
            while lead is not None and not own.get(lead) and self.leads.get(lead) is not None:
                lead = self.leads.get(lead)
            given = [c for c in own.get(lead, []) if c.status is CitationStatus.RESOLVED] if lead is not None else []
            for sentence in held:
                if sentence.claim.kind is ClaimKind.FACTUAL:
                    sentence.citations.extend(given)

    def _introduces(self, index: int, held: Sequence[_Sentence]) -> bool:
        return index in self.headers or held[-1].claim.text.endswith((":", "："))

    def _fix_lead_ins(self) -> None:
        """The last sentence of a block that ends with a colon announces what follows, when something does."""
        for sentence, following in pairwise(self.sentences):
            claim = sentence.claim
            if (
                following.block != sentence.block
                and claim.text.endswith((":", "："))
                and claim.kind is ClaimKind.FACTUAL
            ):
                sentence.claim = dataclasses.replace(claim, kind=lead_in_kind(claim.text))

    def _fix_headers(self) -> None:
        """A header row above no rows is data."""
        heading = set(self.leads.values())
        for sentence in self.sentences:
            if sentence.block in self.headers and sentence.block not in heading:
                sentence.claim = dataclasses.replace(sentence.claim, kind=ClaimKind.FACTUAL)


def _groups(flat: Flat, markers: Sequence[Marker], answer: str) -> list[_Group]:
    made = [(marker, _citations(flat, marker, answer)) for marker in markers]
    wide = joined(flat.masked, [Span(start=m.start, end=m.end) for m, _ in made])
    found = []
    at = 0
    for span in wide:
        inside: list[Citation] = []
        while at < len(made) and made[at][0].end <= span.end:
            inside.extend(made[at][1])
            at += 1
        found.append(_Group(start=span.start, end=span.end, citations=tuple(inside)))
    return found


def _parted(groups: Sequence[_Group], lines: Sequence[Line]) -> tuple[list[_Group], list[_Group]]:
    """The groups that belong to the answer, and those in a list of sources."""
    attached: list[_Group] = []
    detached: list[_Group] = []
    at = 0
    for group in groups:
        while at + 1 < len(lines) and lines[at].end <= group.start:
            at += 1
        (attached if lines[at].role is Role.ANSWER else detached).append(group)
    return attached, detached


def _citations(flat: Flat, marker: Marker, answer: str) -> list[Citation]:
    """One citation for each passage named, one unresolved for each part that names none."""
    places = [p for p in flat.at[marker.start : marker.end] if p >= 0]
    if not places:
        return []
    start, end = flat.links.get((marker.start, marker.end), (places[0], places[-1] + 1))
    raw = answer[start:end]
    found: dict[str, Citation] = {}
    missing = []
    for part in marker.parts:
        for passage in part.passages:
            resolved = Citation(raw=raw, start=start, end=end, status=CitationStatus.RESOLVED, passage_id=passage)
            found.setdefault(passage, resolved)
        if not part.passages:
            missing.append(Citation(raw=raw, start=start, end=end, status=CitationStatus.UNRESOLVED))
    return [*found.values(), *missing]


def _strip(flat: Flat, lines: Sequence[Line], attached: Sequence[_Group], detached: Sequence[_Group]) -> _Strip:
    """The lines that hold claims, without markers."""
    pieces: list[str] = []
    flat_at: list[int] = []
    slots: list[tuple[int, _Group]] = []
    by_start = {group.start: group for group in attached}
    skipped = {group.start: group.end for group in detached}
    at = 0
    for line in lines:
        if line.role is Role.SOURCE:
            continue
        if flat_at:
            # a line that ends with its marker is complete when the next one begins anew
            ended = bool(slots) and slots[-1][0] + len(_STAND_IN) == len(flat_at)
            breaks = 2 if ended and flat.text[line.start : line.start + 1].isupper() else 1
            breaks = max(breaks, flat.text.count("\n", line.start - 2, line.start))
            pieces.append("\n" * breaks)
            flat_at.extend([-1] * breaks)
        at = max(at, line.start)
        while at < line.end:
            group = by_start.get(at)
            if group is not None:
                slots.append((len(flat_at), group))
                pieces.append(_STAND_IN)
                flat_at.extend([-1] * len(_STAND_IN))
                at = group.end
            elif at in skipped:
                at = skipped[at]
            else:
                pieces.append(flat.text[at])
                flat_at.append(at)
                at += 1
    return _Strip(text="".join(pieces), flat_at=flat_at, slots=slots)


def _whole(text: str) -> list[Span]:
    return [Span(start=0, end=len(text))] if text.strip() else []


def _held(spans: Sequence[Span], slots: Sequence[tuple[int, _Group]]) -> list[list[tuple[int, _Group]]]:
    """The markers of each sentence."""
    held: list[list[tuple[int, _Group]]] = [[] for _ in spans]
    index = 0
    for place, group in slots:
        while index + 1 < len(spans) and spans[index].end <= place:
            index += 1
        held[index].append((place, group))
    return held


def _led(text: str, spans: Sequence[Span], held: Sequence[Sequence[tuple[int, _Group]]]) -> list[list[_Group]]:
    """The same, after "[1] A. [2] B." is told from "A. [1] B. [2]": markers that open sentences move on by one."""
    plain = [[group for _, group in own] for own in held]
    if len(spans) < 2 or len(held[-1]) or not held[0] or held[0][0][0] != spans[0].start:  # noqa: PLR2004 - one sentence has no next
        return plain
    moved: list[list[_Group]] = [[] for _ in spans]
    for index, own in enumerate(held):
        for place, group in own:
            last = place + len(_STAND_IN) == spans[index].end and place != spans[index].start and index + 1 < len(spans)
            after_stop = last and text[:place].rstrip()[-1:] in '.!?…。！？।"”’»)*'
            moved[index + 1 if after_stop else index].append(group)
    return moved if all(moved) else plain


def _claim(answer: str, block: Block, strip: _Strip, span: Span, groups: Sequence[_Group]) -> Claim | None:
    """The claim of one sentence; None when it holds no words."""
    text, places = _words(block.flat, strip, span)
    if not _WORDY.search(text):
        return None
    known = [p for p in places if p >= 0] or [block.start, block.end - 1]
    start, end = _range(answer, known, [c for g in groups for c in g.citations])
    return Claim(text=text, start=start, end=end, kind=_kind(block, text), runs=_runs(places))


def _words(flat: Flat, strip: _Strip, span: Span) -> tuple[str, list[int]]:
    """Words without markers, white space made single, and the place of each character in the answer."""
    chars: list[str] = []
    places: list[int] = []
    gap = -2
    taken = False
    lead = _BULLET.match(strip.text, span.start, span.end)
    for i in range(lead.end() if lead else span.start, span.end):
        at = strip.flat_at[i]
        char = strip.text[i]
        if at < 0 and char != "\n":
            taken = True
        elif char.isspace():
            gap = flat.at[at] if at >= 0 and char == " " and gap == -2 else gap if gap != -2 else -1  # noqa: PLR2004 - -2 is "no gap"
        elif taken and char in _STOPS and chars and chars[-1] in _STOPS:
            continue
        else:
            if gap != -2 and chars and not _closes(strip.text, i, after_marker=taken):  # noqa: PLR2004 - the same
                chars.append(" ")
                places.append(gap)
            gap, taken = -2, False
            chars.append(char)
            places.append(flat.at[at])
    first, last = 0, len(chars)
    while last > first and chars[last - 1] in _EDGE:
        last -= 1
    while first < last and chars[first] in _EDGE:
        first += 1
    return "".join(chars[first:last]), places[first:last]


def _closes(text: str, at: int, *, after_marker: bool) -> bool:
    """Whether white space before this sign was only there for what has been taken out."""
    if after_marker:
        return text[at] in _CLOSES
    return text[at] in ".," and not text[at + 1 : at + 2].isalnum()


def _range(answer: str, known: Sequence[int], citations: Sequence[Citation]) -> tuple[int, int]:
    """From the first word or marker to the last, with the emphasis signs that touch them."""
    start = min([known[0], *(c.start for c in citations)])
    end = max([known[-1] + 1, *(c.end for c in citations)])
    while start > 0 and answer[start - 1] in _MARKUP:
        start -= 1
    while end < len(answer) and answer[end] in _MARKUP:
        end += 1
    return start, end


def _runs(places: Sequence[int]) -> tuple[Run, ...]:
    runs: list[Run] = []
    first = 0
    for i in range(1, len(places) + 1):
        if i == len(places) or places[i] != places[i - 1] + 1 or places[i - 1] < 0:
            if places[first] >= 0:
                runs.append(Run(start=first, end=i, source_start=places[first]))
            first = i
    return tuple(runs)


def _kind(block: Block, text: str) -> ClaimKind:
    match block.kind:
        case Kind.HEADING | Kind.HEADER_ROW:
            return heading_kind(text)
        case Kind.ROW | Kind.CODE:
            return ClaimKind.FACTUAL
        case Kind.PARAGRAPH | Kind.ITEM:
            return claim_kind(text)
