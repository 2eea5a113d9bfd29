from __future__ import annotations

from pathlib import Path

import pytest
from tiny_models import build

from pincite import Library, check, defaults
from pincite.adapters.verifiers.unavailable import UnavailableVerifier
from pincite.config import CascadeSettings, Settings, VerifierKind, VerifierSettings, load_settings
from pincite.errors import ConfigError
from pincite.protocols import Verifier
from pincite.testing.verifier_conformance import VerifierConformance
from pincite.types import ReasonCode, VerdictLabel


class TestUnavailable(VerifierConformance):
    def make(self) -> Verifier:
        return UnavailableVerifier(name="nli", problem="model.onnx is not there")


def settings(**fields: object) -> Settings:
    return Settings(verifier=VerifierSettings(**fields))  # type: ignore[arg-type]


def test_the_default_is_the_shipped_one() -> None:
    assert defaults.chosen_verifier(Settings()) is defaults.verifier(Settings().verify)


def test_a_model_is_found_beside_the_settings_file(tmp_path: Path) -> None:
    build(tmp_path / "m")
    (tmp_path / "pincite.toml").write_text(
        '[verifier]\nuse = "nli"\npath = "m"\n[verifier.cascade]\non = true\n', encoding="utf-8"
    )
    read = load_settings(tmp_path / "pincite.toml")
    assert read.verifier == VerifierSettings(use=VerifierKind.NLI, path="m", cascade=CascadeSettings(on=True))
    assert defaults.chosen_verifier(read, tmp_path).info.name.endswith("nli:m)")


@pytest.mark.parametrize("kind", [VerifierKind.NLI, VerifierKind.MINICHECK, VerifierKind.HHEM])
@pytest.mark.parametrize("cascade", [False, True])
def test_with_its_file_missing_every_claim_is_unverified_and_says_which(
    tmp_path: Path,
    kind: VerifierKind,
    cascade: bool,  # noqa: FBT001
) -> None:
    build(tmp_path / "m")
    (tmp_path / "m" / "model.onnx").unlink()
    wanted = settings(use=kind, path="m", cascade=CascadeSettings(on=cascade))
    checked = check("The garage opens [1].", ["The garage opens."], verifier=defaults.chosen_verifier(wanted, tmp_path))
    (item,) = checked.claims
    assert item.verdict.label is VerdictLabel.UNVERIFIED
    assert item.verdict.reasons[0].code is ReasonCode.VERIFIER_ERROR
    assert "model.onnx" in str(item.verdict.reasons[0].evidence_value)


def test_a_path_that_nobody_gave_is_asked_for() -> None:
    verifier = defaults.chosen_verifier(settings(use=VerifierKind.NLI))
    assert isinstance(verifier, UnavailableVerifier)
    assert "verifier.path" in verifier.problem


def test_a_verifier_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text('[verifier]\nuse = "oracle"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="oracle"):
        load_settings(tmp_path / "pincite.toml")


def test_a_library_uses_the_verifier_of_its_settings(tmp_path: Path) -> None:
    with Library.open(
        tmp_path / "library", create=True, settings=settings(use=VerifierKind.NLI, path="gone")
    ) as library:
        assert library.parts.verifier.info.version == "unavailable"
