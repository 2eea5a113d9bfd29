"""One citation contract: text, JSON, the library call and the audit record say the same; and nobody learns more."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pincite import Library
from pincite.audit import canonical, plain
from pincite.sample import harbourline_loader as sample
from pincite.serve import wire
from pincite.types import Decision, Identity

AS_OF = date(2026, 9, 1)
MEMO_ONLY = (
    "USD 280",
    "at-fault",
    "surcharge of",
    "collision",
    "11,640",
    "telematics devices",
    "countersigned",
    "underwriting-memo",
    "Underwriting Memo",
)
QUESTIONS = (
    "Why did the premium on POL-55012 go up?",
    "What does the underwriting memo on POL-55012 say?",
    "pol-55012-underwriting-memo",
    "What is the prior surcharge of USD 280 on POL-55012 for?",
    "May POL-55012 be renewed without referral?",
)


def flags(tenant: str, *roles: str) -> list[str]:
    return ["--tenant", tenant, "--as-of", AS_OF.isoformat(), *(part for role in roles for part in ("--role", role))]


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("scene", sample.scenes(), ids=lambda scene: scene.name)
def test_every_form_of_an_answer_carries_the_same_claims_citations_and_verdicts(
    command: Any, harbourline: Path, scene: sample.Scene
) -> None:
    arguments = [scene.question, "--library", str(harbourline), "--tenant", scene.tenant, "--as-of", str(scene.as_of)]
    arguments += [part for role in scene.roles for part in ("--role", role)]
    arguments += [part for key, value in scene.attributes.items() for part in ("--attr", f"{key}={value}")]
    with Library.open(harbourline) as library:
        identity = Identity(tenant=scene.tenant, roles=frozenset(scene.roles))
        called = library.ask(scene.question, identity=identity, as_of=scene.as_of, attributes=scene.attributes)
        recorded = library.audit.get(called.audit_id).content()["answer"]
    as_json = command("ask", *arguments, "--json").json
    text = command("ask", *arguments)

    expected = json.loads(canonical(plain(called)))
    per_ask = {"audit_id", "timings_ms"}
    assert {k: v for k, v in recorded.items() if k not in per_ask} == {
        k: v for k, v in expected.items() if k not in per_ask
    }
    on_the_wire = json.loads(wire.encode(wire.answer_out(called)))
    assert {k: v for k, v in as_json.items() if k not in per_ask} == {
        k: v for k, v in on_the_wire.items() if k not in per_ask
    }
    claims = [
        (item.claim.text, item.verdict.label, [c.raw for c in item.claim.citations]) for item in called.checked.claims
    ]
    assert claims == [
        (c["text"], c["verdict"], [m["raw"] for m in c["citations"]]) for c in as_json["checked"]["claims"]
    ]

    shown = words(text.out)
    assert words(called.text) in shown
    for source in called.sources:
        assert f"[{source.number}] {words(source.title)}" in shown
        assert f"“{words(source.quote)}”" in shown
        assert f"pincite show {source.citation_id}" in shown
    assert str(called.decision) in shown
    assert (
        text.code
        == {Decision.ANSWERED: 0, Decision.PARTIAL: 0, Decision.ABSTAINED: 4, Decision.NEEDS_HUMAN: 5}[called.decision]
    )


@pytest.mark.parametrize("scene", sample.scenes(), ids=lambda scene: scene.name)
def test_every_quote_stands_in_the_version_and_every_number_is_a_source(harbourline: Path, scene: sample.Scene) -> None:
    with Library.open(harbourline) as library:
        identity = Identity(tenant=scene.tenant, roles=frozenset(scene.roles))
        answer = library.ask(scene.question, identity=identity, as_of=scene.as_of, attributes=scene.attributes)
        numbers = {int(number) for number in re.findall(r"\[(\d+)\]", answer.text)}
        assert numbers == {source.number for source in answer.sources}
        for source in answer.sources:
            opened = library.open_reference(source.citation_id, identity=identity, as_of=scene.as_of)
            assert opened.quote == source.quote == opened.version.text[source.start : source.end]


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_adjuster_learns_nothing_of_the_underwriter_s_memo(command: Any, harbourline: Path, question: str) -> None:
    who = ["--library", str(harbourline), *flags("harbourline", "adjuster")]
    for form in ([], ["--explain"], ["--json"]):
        done = command("ask", question, *who, *form)
        told = done.out.replace(question, "").replace(json.dumps(question)[1:-1], "") + done.err
        assert not [word for word in MEMO_ONLY if word in told], (form, told)


def test_the_underwriter_does_read_it(command: Any, harbourline: Path) -> None:
    who = ["--library", str(harbourline), *flags("harbourline", "underwriter")]
    told = command("ask", QUESTIONS[0], *who, "--json").out
    assert {"USD 280", "at-fault", "underwriting-memo"} <= {word for word in MEMO_ONLY if word in told}


def test_no_command_names_the_memo_to_an_adjuster(command: Any, harbourline: Path) -> None:
    library = ["--library", str(harbourline)]
    adjuster = [*library, *flags("harbourline", "adjuster")]
    memo = next(
        one for one in command("list", *library, *flags("harbourline", "underwriter"), "--json").json
        if one["document_id"] == "pol-55012-underwriting-memo"
    )  # fmt: skip
    listed = command("list", *adjuster, "--json")
    assert not [word for word in MEMO_ONLY if word in listed.out]
    for reference in (
        memo["version_id"],
        f"{memo['version_id']}@0-40",
        f"{memo['version_id']}:0",
        f"{memo['version_id']}#0",
    ):
        done = command("show", reference, *adjuster)
        assert (done.code, done.out) == (2, "")
        assert not [word for word in MEMO_ONLY if word in done.err.replace(reference, "")]


@pytest.mark.parametrize(("tenant", "other"), [("quayside", "Harbourline"), ("harbourline", "Quayside")])
def test_one_tenant_never_sees_the_other(command: Any, harbourline: Path, tenant: str, other: str) -> None:
    who = ["--library", str(harbourline), *flags(tenant, "underwriter", "adjuster")]
    assert other not in command("list", *who, "--json").out
    for question in (
        "How long does a VPN session last?",
        "Who reports to the broker?",
        "Is MFA optional?",
        f"What about {other}?",
    ):
        done = command("ask", question, *who, "--json")
        assert other not in done.out.replace(question, "")
