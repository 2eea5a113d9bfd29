"""Evidence for a claim: windows of neighbouring sentences over the passage, and its best sentences together."""

from __future__ import annotations

from training.evidence import Idf, coverage, shorten, split_sentences


def windows(document: str, max_words: int) -> list[str]:
    """Consecutive sentences packed up to ``max_words``, one sentence shared between neighbours; never empty.

    A sentence longer than ``max_words`` is a window of its own; the encoder cuts its end.
    """
    sentences = split_sentences(document) or [document]
    sizes = [len(s.split()) for s in sentences]
    found, start = [], 0
    while start < len(sentences):
        end, size = start + 1, sizes[start]
        while end < len(sentences) and size + sizes[end] <= max_words:
            size += sizes[end]
            end += 1
        found.append(" ".join(sentences[start:end]) if "\n" not in document else "\n".join(sentences[start:end]))
        if end == len(sentences):
            break
        start = end - 1 if end - 1 > start else end
    return found


def evidence(document: str, claim: str, idf: Idf, max_words: int, at_most: int) -> list[str]:
    """What the model reads: the whole when short; else the best sentences together and the windows they lie in."""
    if len(document.split()) <= max_words:
        return [document]
    best = shorten(document, claim, idf, max_words)
    ranked = sorted(windows(document, max_words), key=lambda w: -coverage(w, claim, idf))
    return [best, *(w for w in ranked[: at_most - 1] if w != best)]
