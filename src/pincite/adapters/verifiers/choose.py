"""The verifier that the settings name. One that cannot be set up answers UNVERIFIED to all, and says why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pincite.adapters.verifiers.unavailable import UnavailableVerifier
from pincite.config import VerifierKind
from pincite.errors import ConfigError, PinciteError

if TYPE_CHECKING:
    from pincite.config import Settings
    from pincite.protocols import Verifier


def chosen(settings: Settings, shipped: Verifier, *, base: Path | None = None) -> Verifier:
    """What ``[verifier]`` names; in front of it the shipped one as the cheap half when ``cascade`` is set.

    A relative path starts at ``base``, the folder of pincite.toml. Whatever is wrong with a model's files becomes an
    UnavailableVerifier, also inside a cascade: a person asked for that verifier, so nothing passes in its absence.
    """
    wanted = settings.verifier
    if wanted.use is VerifierKind.SHIPPED:
        return shipped
    try:
        one = _model(settings, base)
        _ = one.info  # reads the files, so that a missing one is known before the first claim
    except (PinciteError, OSError) as exc:
        hint = exc.hint if isinstance(exc, PinciteError) else ""
        return UnavailableVerifier(name=wanted.use.value, problem=f"{exc}. {hint}".strip())
    if not wanted.cascade.on:
        return one
    from pincite.adapters.verifiers.cascade import CascadeVerifier

    return CascadeVerifier(shipped, one, settings=wanted.cascade)


def _model(settings: Settings, base: Path | None) -> Verifier:
    wanted, verify = settings.verifier, settings.verify
    if not wanted.path:
        raise ConfigError(
            f"verifier.use is {wanted.use.value!r} and verifier.path is not set",
            hint="Name the folder of the model there.",
        )
    folder = (base or Path()) / wanted.path
    match wanted.use:
        case VerifierKind.MINICHECK:
            from pincite.adapters.verifiers.minicheck import minicheck_verifier

            return minicheck_verifier(folder, settings=verify)
        case VerifierKind.HHEM:
            from pincite.adapters.verifiers.hhem import hhem_verifier

            return hhem_verifier(folder, settings=verify)
        case VerifierKind.CROSS_ENCODER:
            from pincite.adapters.verifiers.sentence_transformers import cross_encoder_verifier

            return cross_encoder_verifier(str(folder), settings=verify)
        case _:
            from pincite.adapters.verifiers.nli import nli_verifier

            return nli_verifier(folder, settings=verify)
