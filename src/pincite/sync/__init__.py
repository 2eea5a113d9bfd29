"""Bringing a library to the state of a folder or a manifest, again and again, whatever interrupts it."""

from pincite.sync.report import Change, SyncOptions, SyncReport, SyncRow

__all__ = ["Change", "SyncOptions", "SyncReport", "SyncRow"]
