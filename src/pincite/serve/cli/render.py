"""Answers and checks as text on a terminal. Colours only where there is one."""

from __future__ import annotations

import os
import textwrap
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from pincite.serve.cli.output import printable
from pincite.types import Decision, ReasonCode, VerdictLabel

if TYPE_CHECKING:
    from pincite.types import Answer, Checked, Evidence, JudgedClaim, Location, Reason, Source

_STYLE = {
    VerdictLabel.SUPPORTED: ("stands", "green"),
    VerdictLabel.CONTRADICTED: ("contradicted", "bold red"),
    VerdictLabel.UNSUPPORTED: ("no support", "red"),
    VerdictLabel.MISATTRIBUTED: ("wrong source", "yellow"),
    VerdictLabel.UNVERIFIED: ("not verified", "yellow"),
    VerdictLabel.NOT_CHECKABLE: ("no claim", "dim"),
}
_DECISION_STYLE = {
    Decision.ANSWERED: "green",
    Decision.PARTIAL: "yellow",
    Decision.ABSTAINED: "yellow",
    Decision.NEEDS_HUMAN: "red",
}
PIPED_COLUMNS = 100


def console() -> Console:
    """Standard output; where it is no terminal, a hundred columns (or ``COLUMNS``), so that piped output is stable."""
    out = Console(highlight=False)
    return out if out.is_terminal or "COLUMNS" in os.environ else Console(highlight=False, width=PIPED_COLUMNS)


def print_answer(out: Console, answer: Answer) -> None:
    """The answer, then each source with its quote; or the refusal with the next step."""
    out.print(Text(printable(answer.text)))
    for note in answer.notes:
        out.print(Text(printable(f"Note: {note}"), style="yellow"))
    if answer.sources:
        out.print()
    for source in answer.sources:
        _print_source(out, source)
    if answer.next_step:
        out.print(Text(f"Next step: {answer.next_step}"))
    if answer.related:
        titles = "; ".join(f"{one.title} ({one.document_id})" for one in answer.related)
        out.print(Text(printable(f"Nearest documents that you can open: {titles}")))
    style = _DECISION_STYLE[answer.decision]
    reasons = ", ".join(answer.reasons)
    out.print(Text(f"{answer.decision} ({reasons}) · audit {answer.audit_id}", style=f"dim {style}"))


def _print_source(out: Console, source: Source) -> None:
    head = " · ".join(part for part in (source.title, _dated(source), place(source.location)) if part)
    out.print(Text(printable(f"[{source.number}] {head}"), style="bold"))
    _indented(out, f"“{one_line(source.quote)}”", by=4)
    _indented(out, f"{source.document_id} · pincite show {source.citation_id}", by=4, style="dim")


def _indented(out: Console, text: str, *, by: int, style: str = "") -> None:
    """Wrapped at words to the width of the console; a word that is longer stays whole, so that it can be copied."""
    lead = " " * by
    lines = textwrap.wrap(
        printable(text),
        width=out.width,
        initial_indent=lead,
        subsequent_indent=lead,
        break_long_words=False,
        break_on_hyphens=False,
    )
    out.print(Text("\n".join(lines), style=style), soft_wrap=True)


def _dated(source: Source) -> str:
    since = f"in force from {source.effective_from}" if source.effective_from else ""
    until = f"to {source.effective_to}" if source.effective_to else ""
    past = "superseded" if source.superseded_on else ""
    if source.superseded_on != source.effective_to:
        past = f"superseded on {source.superseded_on}" if source.superseded_on else ""
    return ", ".join(part for part in (source.version_label, f"{since} {until}".strip(), past) if part)


def place(location: Location) -> str:
    """Page with its printed label, heading path, line, or sheet and cells: what a person looks for."""
    parts = []
    if location.page_index is not None:
        number = location.page_index + 1
        label = location.page_label
        parts.append(f"p. {label} (PDF {number})" if label and label != str(number) else f"p. {number}")
    if location.sheet is not None:
        sheet = f"Sheet '{location.sheet}'"
        parts.append(f"{sheet}, {location.cell_range}" if location.cell_range else sheet)
    elif location.heading_path:
        parts.append(" > ".join(location.heading_path))
    if location.line is not None:
        parts.append(f"line {location.line}")
    return ", ".join(parts)


def print_explanation(out: Console, answer: Answer) -> None:
    """What was retrieved with its ranks, and why each claim stands or does not."""
    out.print(Text("Retrieved: rank, BM25 rank, dense rank", style="italic"))
    for hit in answer.retrieved:
        bm25, dense = ("-" if rank is None else str(rank) for rank in (hit.bm25_rank, hit.dense_rank))
        room = max(20, out.width - 50)
        line = f"{hit.rank:>3} {bm25:>3} {dense:>3}  {_cut(hit.passage.document_id, 36):<36}  "
        out.print(Text(printable(line + _cut(one_line(hit.passage.text), room))), soft_wrap=True)
    out.print(Text("Claims of the draft", style="italic"))
    for item in answer.checked.claims:
        print_claim(out, item)
    steps = ", ".join(f"{name} {ms:.1f} ms" for name, ms in answer.timings_ms.items())
    out.print(Text(f"{steps} · settings {answer.settings_fingerprint} · library {answer.library_generation}", "dim"))


def print_checked(out: Console, checked: Checked) -> None:
    """Every claim with its verdict, then the sum of it."""
    for item in checked.claims:
        print_claim(out, item)
    for citation in checked.unresolved:
        out.print(Text(printable(f"unresolved marker {one_line(citation.raw)} at {citation.start}"), style="yellow"))
    grounded = "no factual claim" if checked.groundedness is None else f"groundedness {checked.groundedness:.2f}"
    style = _DECISION_STYLE[checked.decision]
    out.print(Text(f"{checked.decision} ({', '.join(checked.reasons)}) · {grounded}", style=style))


def print_claim(out: Console, item: JudgedClaim) -> None:
    """One claim: verdict, words, reasons with both values, evidence."""
    name, style = _STYLE[item.verdict.label]
    prob = item.verdict.support_prob
    shown = "" if prob is None else f"{prob:.2f}"
    head = f"{name:>13} {shown:>4} "
    lines = textwrap.wrap(one_line(item.claim.text), width=out.width - len(head), break_long_words=False)
    out.print(Text(head, style=style) + Text(f"\n{' ' * len(head)}".join(lines), style="default"), soft_wrap=True)
    for line in _reasons(item):
        _indented(out, line, by=len(head), style="dim")
    for evidence in _telling_evidence(item):
        _indented(out, f"{evidence.passage_id}: “{one_line(evidence.quote)}”", by=len(head), style="dim")
    if item.verdict.better_citation:
        _indented(out, f"better source: {item.verdict.better_citation}", by=len(head), style="yellow")


def _reasons(item: JudgedClaim) -> list[str]:
    """One line a code. Why a wrong source is wrong is said by the better one; the rest is in the JSON form."""
    if item.verdict.label is VerdictLabel.MISATTRIBUTED:
        return ["the cited passage does not say it, another one does"]
    grouped: dict[ReasonCode, list[str]] = {}
    for reason in item.verdict.reasons:
        grouped.setdefault(reason.code, []).append(_values(reason))
    return [f"{code}: {', '.join(filter(None, values))}".rstrip(": ") for code, values in grouped.items()]


def _telling_evidence(item: JudgedClaim) -> tuple[Evidence, ...]:
    """The words that support or contradict; the nearest words to a claim that has no support would only distract."""
    codes = {reason.code for reason in item.verdict.reasons}
    return () if ReasonCode.LOW_COVERAGE in codes and not item.verdict.better_citation else item.verdict.evidence


def _values(reason: Reason) -> str:
    if reason.claim_value is not None and reason.evidence_value is not None:
        return f"says {reason.claim_value!r}, source has {reason.evidence_value!r}"
    value = reason.claim_value if reason.claim_value is not None else reason.evidence_value
    return "" if value is None else repr(value)


def one_line(text: str) -> str:
    """White space folded and controls shown, for display; the exact characters are in the JSON form."""
    return " ".join(printable(text).split())


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else f"{text[: chars - 1]}…"
