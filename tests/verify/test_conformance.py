from __future__ import annotations

from pincite import defaults
from pincite.protocols import Verifier
from pincite.testing.verifier_conformance import VerifierConformance
from pincite.verify import AlignmentVerifier


class TestAlignmentVerifier(VerifierConformance):
    def make(self) -> Verifier:
        return AlignmentVerifier()


class TestShippedVerifier(VerifierConformance):
    def make(self) -> Verifier:
        return defaults.verifier()
