"""Training of Pincite's verifier: a development extra, never imported by the package."""
