"""Verifiers beside the shipped one, each imported only when it is asked for."""
