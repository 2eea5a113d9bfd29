"""Public doubles and conformance suites, one for each protocol."""
