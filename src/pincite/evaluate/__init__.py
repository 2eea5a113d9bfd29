"""Data sets, metrics and reports for measuring quality."""
