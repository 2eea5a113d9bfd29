from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from types import MappingProxyType

import pytest

from pincite.ingest import IngestOptions, SourceMeta, make_version
from pincite.ingest.versions import Notes, version_id_of
from pincite.types import Access, Block, BlockKind, Layout, Parsed

PARSED = Parsed(text="Heading\n\nBody text.", layout=Layout(), media_type="text/plain", parser="plain/1")
META = SourceMeta(
    document_id="policy",
    source_uri="file:///policy.txt",
    content_sha256="ab" * 32,
    ingested_at=datetime(2026, 1, 1, tzinfo=UTC),
    options=IngestOptions(),
    fallback_title="Policy",
)


def declared(**metadata: str) -> Parsed:
    return replace(PARSED, metadata=MappingProxyType({k.replace("__", "."): v for k, v in metadata.items()}))


def test_the_file_is_trusted_before_its_name_and_its_name_before_the_option() -> None:
    notes = Notes()
    meta = replace(
        META,
        named_from=date(2024, 1, 1),
        options=IngestOptions(effective_from=date(2025, 1, 1)),
    )
    version = make_version(declared(effective_from="2023-01-01"), meta, notes)
    assert version.effective_from == date(2023, 1, 1)
    assert notes.lines == [
        "effective from 2023-01-01 (the file) used, not 2024-01-01 (its name)",
        "effective from 2023-01-01 (the file) used, not 2025-01-01 (the option)",
    ]
    assert make_version(PARSED, meta).effective_from == date(2024, 1, 1)
    assert make_version(PARSED, replace(meta, named_from=None)).effective_from == date(2025, 1, 1)


def test_agreement_is_not_noted_and_an_end_before_the_beginning_is() -> None:
    notes = Notes()
    make_version(declared(effective_from="2024-01-01"), replace(META, named_from=date(2024, 1, 1)), notes)
    assert notes.lines == []
    make_version(declared(effective_from="2024-01-01", effective_to="2023-01-01"), META, notes)
    assert "never in force" in notes.lines[0]


@pytest.mark.parametrize(
    ("by_file", "given", "allow"),
    [
        (None, None, {"everyone"}),
        ("underwriter, user:ann", None, {"role:underwriter", "user:ann"}),
        (None, {"role:adjuster"}, {"role:adjuster"}),
        ("everyone", {"role:adjuster"}, {"role:adjuster"}),
        ("underwriter", {"everyone"}, {"role:underwriter"}),
        ("underwriter, adjuster", {"role:adjuster"}, {"role:adjuster"}),
        ("underwriter", {"role:adjuster"}, set()),
    ],
)
def test_a_file_can_narrow_access_and_never_widen_it(
    by_file: str | None, given: set[str] | None, allow: set[str]
) -> None:
    options = IngestOptions(access=Access(allow=frozenset(given), deny=frozenset({"user:x"})) if given else None)
    parsed = declared(access=by_file) if by_file else PARSED
    version = make_version(parsed, replace(META, options=options))
    assert version.access.allow == allow
    assert version.access.deny == (frozenset({"user:x"}) if given else frozenset())


def test_attributes_and_supersedes_merge_with_the_file_first() -> None:
    notes = Notes()
    options = IngestOptions(attributes={"country": "NL", "plan": "pro"}, supersedes="old")
    version = make_version(
        declared(attributes__country="India", supersedes="older"), replace(META, options=options), notes
    )
    assert dict(version.attributes) == {"country": "India", "plan": "pro"}
    assert version.supersedes == "older"
    assert len(notes.lines) == 2


def test_the_title_is_declared_or_the_first_heading_or_the_name() -> None:
    heading = Layout(blocks=(Block(start=0, end=7, kind=BlockKind.HEADING, level=1),))
    assert make_version(declared(title="T"), META).title == "T"
    assert make_version(replace(PARSED, layout=heading), META).title == "Heading"
    assert make_version(PARSED, META).title == "Policy"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Versicherung zahlt den Schaden innerhalb von dreißig Tagen.", "de"),
        ("Le remboursement est versé dans les trente jours suivant l'achat.", "fr"),
        ("تدفع شركة التأمين التعويض خلال ثلاثين يوما من تاريخ المطالبة", "ar"),
        ("POL-1 | 5", ""),
    ],
)
def test_the_language_is_guessed_only_from_enough_letters(text: str, language: str) -> None:
    assert make_version(replace(PARSED, text=text), META).language == language
    assert make_version(replace(declared(language="pt-BR"), text=text), META).language == "pt"


def test_the_identity_changes_with_all_that_changes_what_may_be_shown() -> None:
    variants = [
        META,
        replace(META, content_sha256="cd" * 32),
        replace(META, document_id="other"),
        replace(META, named_from=date(2024, 1, 1)),
        replace(META, options=IngestOptions(tenant="t")),
        replace(META, options=IngestOptions(access=Access(allow=frozenset({"role:a"})))),
        replace(META, options=IngestOptions(access=Access(deny=frozenset({"role:a"})))),
        replace(META, options=IngestOptions(effective_from=date(2024, 1, 1))),
        replace(META, options=IngestOptions(effective_to=date(2024, 1, 1))),
        replace(META, options=IngestOptions(supersedes="x")),
        replace(META, options=IngestOptions(attributes={"a": "b"})),
    ]
    ids = {version_id_of(meta, "plain/1") for meta in variants} | {version_id_of(META, "plain/2")}
    assert len(ids) == len(variants) + 1


def test_the_identity_does_not_change_with_the_day_of_ingest_or_the_place_of_the_file() -> None:
    later = replace(
        META, ingested_at=datetime(2027, 1, 1, tzinfo=UTC), source_uri="file:///x", assumed_to=date(2027, 1, 1)
    )
    assert version_id_of(later, "plain/1") == version_id_of(META, "plain/1")
