"""The Harbourline sample library and its loader."""
