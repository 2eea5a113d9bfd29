"""The verify step and the verifier that ships."""

from pincite.verify.alignment import AlignmentVerifier
from pincite.verify.signals import Request, Signal
from pincite.verify.step import verify

__all__ = ["AlignmentVerifier", "Request", "Signal", "verify"]
