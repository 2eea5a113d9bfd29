"""Text work that several steps share: folds, sentences, words, layout lookups. Imports only types."""
