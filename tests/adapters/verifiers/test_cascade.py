from __future__ import annotations

from collections.abc import Sequence

import pytest

from pincite.adapters.verifiers.cascade import CascadeVerifier
from pincite.adapters.verifiers.llm_judge import LlmJudge
from pincite.config import CascadeSettings, OnVeto
from pincite.protocols import Verifier
from pincite.testing.scripted_generator import ScriptedGenerator
from pincite.testing.verifier_conformance import VerifierConformance, passage
from pincite.types import Judgement, Pair, Reason, ReasonCode, VerdictLabel, VerifierInfo
from pincite.verify import AlignmentVerifier

S, U, C, OPEN = VerdictLabel.SUPPORTED, VerdictLabel.UNSUPPORTED, VerdictLabel.CONTRADICTED, VerdictLabel.UNVERIFIED
PAIR = Pair(claim="Alpha is one.", passages=(passage("Alpha is one."),))
MISMATCH = Reason(code=ReasonCode.NUMBER_MISMATCH, claim_value="1", evidence_value="2")


class Fixed:
    """Says what it was made with."""

    def __init__(self, label: VerdictLabel, prob: float | None = None, *reasons: Reason, name: str = "fixed") -> None:
        self._said = Judgement(label=label, support_prob=prob, reasons=reasons)
        self.asked = 0
        self.info = VerifierInfo(name=name, version="1", fingerprint=f"{name}{label}{prob}")

    def judge(self, pairs: Sequence[Pair]) -> list[Judgement]:
        self.asked += len(pairs)
        return [self._said for _ in pairs]


def settle(first: Fixed, second: Fixed, **settings: object) -> Judgement:
    return CascadeVerifier(first, second, settings=CascadeSettings(**settings)).judge([PAIR])[0]  # type: ignore[arg-type]


class TestCascade(VerifierConformance):
    def make(self) -> Verifier:
        return CascadeVerifier(AlignmentVerifier(), AlignmentVerifier(), settings=CascadeSettings(review_accepts=True))


@pytest.mark.parametrize(
    ("label", "prob", "asked"), [(S, 0.95, 0), (U, 0.05, 0), (C, 0.01, 0), (OPEN, None, 1), (U, 0.4, 1), (S, 0.6, 1)]
)
def test_only_what_the_cheap_one_leaves_open_costs_anything(
    label: VerdictLabel, prob: float | None, asked: int
) -> None:
    costly = Fixed(S)
    settle(Fixed(label, prob), costly)
    assert costly.asked == asked


def test_an_open_claim_gets_the_costly_word() -> None:
    assert settle(Fixed(OPEN), Fixed(S)).label is S
    assert settle(Fixed(OPEN), Fixed(U)).label is U
    assert settle(Fixed(S, 0.6), Fixed(OPEN)).label is OPEN
    assert settle(Fixed(U, 0.4), Fixed(OPEN)).label is U


def test_a_veto_rejects_or_hands_over_as_configured() -> None:
    assert settle(Fixed(S, 0.95), Fixed(U), review_accepts=True).label is U
    assert settle(Fixed(S, 0.95), Fixed(U), review_accepts=True, on_veto=OnVeto.HAND_OVER).label is OPEN


@pytest.mark.parametrize("first", [Fixed(OPEN, 0.5, MISMATCH), Fixed(U, 0.4, MISMATCH), Fixed(C, 0.3)])
def test_a_failed_check_is_not_passed_unless_allowed_and_then_it_is_said(first: Fixed) -> None:
    assert settle(first, Fixed(S)).label is first.judge([PAIR])[0].label
    told = settle(first, Fixed(S, name="costly"), allow_override=True)
    assert told.label is S
    assert told.reasons[0].code is ReasonCode.OVERRIDDEN
    assert told.reasons[0].claim_value in {"number_mismatch", "contradicted"}
    assert told.reasons[0].evidence_value == "costly"


def test_a_word_that_the_passage_lacks_may_be_passed_by_the_costly_one_and_the_verdict_says_so() -> None:
    told = settle(Fixed(OPEN, 0.5, Reason(code=ReasonCode.EXTRA_DETAIL, claim_value="insurer")), Fixed(S))
    assert told.label is S
    assert [reason.code for reason in told.reasons] == [ReasonCode.OVERRIDDEN, ReasonCode.EXTRA_DETAIL]


def test_the_fingerprint_covers_both_and_the_settings() -> None:
    made = [
        CascadeVerifier(Fixed(S), Fixed(U)), CascadeVerifier(Fixed(U), Fixed(U)), CascadeVerifier(Fixed(S), Fixed(S)),
        CascadeVerifier(Fixed(S), Fixed(U), settings=CascadeSettings(allow_override=True)),
    ]  # fmt: skip
    assert len({one.info.fingerprint for one in made}) == 4


def test_the_shipped_verifier_and_a_judge_that_always_says_yes_still_reject_a_changed_number() -> None:
    pair = Pair(claim="The starter plan has 9 days.", passages=(passage("The starter plan has 7 days."),))
    eager = LlmJudge(ScriptedGenerator("1: yes"))
    settings = CascadeSettings(low_prob=0.0, high_prob=1.0)
    (judged,) = CascadeVerifier(AlignmentVerifier(), eager, settings=settings).judge([pair])
    assert judged.label is not S
