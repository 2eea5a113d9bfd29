"""The verifier that ships: the network is one signal of it, asked only where the checks leave a doubt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pincite import check, defaults
from pincite.adapters.verifiers import cross_encoder
from pincite.adapters.verifiers.cross_encoder import CrossEncoderSignal
from pincite.errors import MissingExtraError
from pincite.serve.cli.doctor import doctor_command
from pincite.types import Decision, DecisionReason, Pair, Passage, ReasonCode, VerdictLabel
from pincite.verify import AlignmentVerifier, Request
from pincite.verify.judge import shipped_judge

_TEXT = "Staff may carry over up to five unused leave days into the next year. Requests go to the line manager."


def _pair(claim: str, text: str = _TEXT) -> Pair:
    return Pair(claim=claim, passages=(Passage(passage_id="p", text=text, end=len(text), document_id="d"),))


def _request(claim: str, *evidence: str) -> Request:
    return Request(claim=claim, evidence=evidence, passages=())


@pytest.fixture
def without_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(cross_encoder, "_FILES", tmp_path / "gone")
    defaults.verifier.cache_clear()
    yield
    defaults.verifier.cache_clear()


def test_the_shipped_verifier_hears_the_network() -> None:
    assert defaults.verifier().info.fingerprint != AlignmentVerifier().info.fingerprint
    assert shipped_judge().second is not None
    assert shipped_judge().second.coefficients.get("neural_support", 0.0) > 0


def test_the_network_tells_support_from_contradiction_and_from_something_else() -> None:
    evidence = "A man is playing a guitar on stage."
    claims = ("A man is playing an instrument.", "Nobody is playing anything.", "The stage belongs to a university.")
    supported, contradicted, neither = CrossEncoderSignal().measure([_request(claim, evidence) for claim in claims])
    assert supported[0] > 0 > contradicted[0]
    assert supported[0] > neither[0]


def test_a_number_of_the_network_does_not_depend_on_the_batch_or_its_order() -> None:
    requests = [_request(f"Leave of {n} days is carried over.", _TEXT, "A short one.") for n in range(9)]
    alone = [CrossEncoderSignal().measure([one])[0] for one in requests]
    assert CrossEncoderSignal().measure(requests) == alone
    assert CrossEncoderSignal().measure(requests[::-1]) == alone[::-1]


def test_nothing_to_read_is_no_support_and_a_claim_longer_than_the_network_is_read_whole() -> None:
    signal = CrossEncoderSignal()
    assert (
        signal.measure([_request("A claim."), _request("", "Evidence."), _request("word " * 400, "Evidence.")])
        == [(-1.0, -1.0)] * 3
    )


def test_quotes_case_and_markup_say_nothing_to_the_network() -> None:
    plain = _request('Staff may carry over "unused" leave.', "Staff may carry over 'unused' leave - once.")
    dressed = _request("**STAFF** may carry over “unused” leave.", "Staff may carry over ‘unused’ leave – `once`.")
    signal = CrossEncoderSignal()
    assert signal.measure([plain]) == signal.measure([dressed])


def test_a_claim_that_fails_a_deciding_check_is_not_saved_by_the_network() -> None:
    judged = defaults.verifier().judge(
        [_pair("Staff may carry over up to nine unused leave days into the next year.")]
    )[0]
    assert judged.label is VerdictLabel.CONTRADICTED


@pytest.mark.usefixtures("without_model")
def test_without_its_model_every_verdict_says_so_and_none_is_supported() -> None:
    checked = check("Staff may carry over up to five unused leave days into the next year [1].", [_TEXT])
    (claim,) = checked.claims
    assert checked.decision is Decision.NEEDS_HUMAN
    assert DecisionReason.VERIFIER_UNAVAILABLE in checked.reasons
    assert claim.verdict.label is VerdictLabel.UNVERIFIED
    assert [reason.code for reason in claim.verdict.reasons] == [ReasonCode.VERIFIER_ERROR]
    assert "model.onnx" in (claim.verdict.reasons[0].evidence_value or "")


@pytest.mark.usefixtures("without_model")
def test_without_its_model_doctor_says_so_and_fails(tmp_path: Path) -> None:
    result = CliRunner().invoke(doctor_command, ["--library", str(tmp_path)])
    assert result.exit_code == 1
    assert "model.onnx" in result.output


def test_a_missing_model_is_an_error_with_the_line_to_type(tmp_path: Path) -> None:
    with pytest.raises(MissingExtraError) as caught:
        CrossEncoderSignal(tmp_path).measure([_request("A claim.", "Evidence.")])
    assert "pip install" in caught.value.hint
