"""Put passages and claims together: every near miss with twins that are true, so that the claim alone tells nothing."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from training.records import CONTRADICTED, NEITHER, SUPPORTED, UNSUPPORTED, Pair, is_held_back
from training.synth.edits import EDITS, Kind, Way
from training.synth.rules import rule_texts
from training.synth.sources import Text, documents, passages
from training.synth.tables import CLAIMS, SHOWS, draw_table
from training.synth.variants import vary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from training.settings import Settings

AT_MOST = {"negation": 3000, "antonym": 3000, "number": 4500, "detail": 2600, "entity": 3500, "modality": 1800,
           "modality_reverse": 1200, "condition": 1500, "role": 1500, "date": 3000, "unit": 1500, "currency": 500,
           "calendar": 1500}  # fmt: skip
TABLES = 2600
RULES = 900


def _pair(premise: str, claim: str, label: int, kind: str) -> Pair:
    return Pair(premise=premise, claim=claim, label=label, source=f"synth:{kind}")


def _around(text: Text, place: int, sentence: str, rng: random.Random) -> str:
    """The sentence among none to three of its neighbours on each side."""
    before = text.sentences[max(0, place - rng.choice((0, 0, 1, 1, 2))) : place]
    after = text.sentences[place + 1 : place + 1 + rng.choice((0, 0, 1, 1, 2))]
    return " ".join((*before, sentence, *after))


def _twins(text: Text, place: int, name: str, kind: Kind, rng: random.Random) -> Iterator[Pair]:
    """A near miss and as many true claims; either of sentence and edit may be what the passage says."""
    sentence = text.sentences[place]
    others = [s for s in text.sentences if s != sentence]
    edited = kind.edit(sentence, others, rng)
    if not edited or edited == sentence:
        return
    turn = {Way.BOTH: rng.random() < 0.5, Way.FORWARD: False, Way.BACKWARD: True, Way.REVERSE_IS_TRUE: False}[kind.way]
    said, missed = (edited, sentence) if turn else (sentence, edited)
    premise = _around(text, place, said, rng)
    times = rng.choice((0, 0, 1, 1, 2, 3))
    yield _pair(premise, vary(missed, rng, times, said)[0], kind.label, name)
    yield _pair(premise, vary(said, rng, times)[0], SUPPORTED, name)
    if rng.random() < 0.5 and kind.way is not Way.BACKWARD:
        yield _pair(_around(text, place, missed, rng), vary(missed, rng, times)[0], SUPPORTED, name)
    if kind.way is Way.REVERSE_IS_TRUE and rng.random() < 0.5:
        yield _pair(_around(text, place, missed, rng), vary(said, rng, times)[0], SUPPORTED, name)


_REPORTS_FALSE = (
    "Some critics claim that {s}", "It is a common myth that {s}", "The company denied that {s}",
    "An earlier draft said that {s}", "It is not true that {s}", "Rumors that {s} were rejected.",
    "Opponents argued that {s}", "Nobody has confirmed that {s}", "It was once believed that {s}",
)  # fmt: skip
_REPORTS_TRUE = (
    "The policy confirms that {s}", "It remains the case that {s}", "Please remember that {s}",
    "As stated in section 4, {s}", "We confirm that {s}", "Effective now, {s}",
)  # fmt: skip
_LOW = frozenset(
    [
        "The",
        "A",
        "An",
        "This",
        "These",
        "Those",
        "We",
        "You",
        "They",
        "Our",
        "Your",
        "All",
        "Any",
        "It",
        "He",
        "She",
        "His",
        "Her",
        "Their",
        "There",
        "Each",
        "Some",
    ]
)


def _reported(text: Text, place: int, rng: random.Random) -> Iterator[Pair]:
    """Reported speech and denial are not the fact; confirmation is."""
    sentence = text.sentences[place]
    first = sentence.split()[0]
    low = sentence[0].lower() + sentence[1:] if first in _LOW else sentence
    if len(sentence.split()) > 25:
        return
    shape = rng.choice(_REPORTS_FALSE)
    told = shape.format(s=low.rstrip(".") if shape.endswith("rejected.") else low)
    denied = shape.startswith(("It is a common", "The company denied", "It is not true"))
    premise = _around(text, place, told, rng)
    yield _pair(premise, vary(sentence, rng, 1)[0], UNSUPPORTED if denied else NEITHER, "reported")
    yield _pair(premise, told, SUPPORTED, "reported")
    kept = rng.choice(_REPORTS_TRUE).format(s=low)
    yield _pair(_around(text, place, kept, rng), vary(sentence, rng, 1)[0], SUPPORTED, "reported")


def _joined(text: Text, place: int, rng: random.Random) -> Iterator[Pair]:
    """Two sentences of one passage in one claim, both true, or one of them changed."""
    if place + 2 >= len(text.sentences):
        return
    one, two = text.sentences[place], text.sentences[place + rng.choice((1, 2))]
    if len(one.split()) + len(two.split()) > 36:
        return
    premise = " ".join(text.sentences[max(0, place - 1) : place + 3])

    def join(a: str, b: str) -> str:
        low = b[0].lower() + b[1:] if b.split(maxsplit=1)[0] in _LOW else b
        return f"{a[:-1]}{rng.choice((', and ', '; ', ', while '))}{low}"

    for name in rng.sample(("number", "negation", "antonym", "entity", "date"), 5):
        edited = EDITS[name].edit(two, text.sentences, rng)
        if edited and edited != two:
            yield _pair(premise, join(vary(one, rng, 1)[0].rstrip(".") + ".", edited), EDITS[name].label, "joint")
            yield _pair(premise, join(one, vary(two, rng, 1)[0]), SUPPORTED, "joint")
            return


def _elsewhere(text: Text, place: int, rng: random.Random) -> Iterator[Pair]:
    """A true sentence with the passage beside it that does not say it, and with the one that does."""
    far = [i for i in range(len(text.sentences)) if abs(i - place) > 3]
    if not far:
        return
    sentence = text.sentences[place]
    start = rng.choice(far)
    wrong = [s for i, s in enumerate(text.sentences[start : start + 3], start) if abs(i - place) > 1]
    yield _pair(" ".join(wrong), vary(sentence, rng, 1)[0], NEITHER, "elsewhere")
    yield _pair(_around(text, place, sentence, rng), vary(sentence, rng, 2)[0], SUPPORTED, "elsewhere")


def _from_tables(count: int, rng: random.Random) -> Iterator[Pair]:
    for _ in range(count):
        table = draw_table(rng)
        premise = rng.choice(SHOWS)(table, rng)
        for make in rng.sample(CLAIMS, 3):
            for claim, label, kind in make(table, rng):
                yield _pair(premise, claim, label, kind)


def _from_texts(texts: Sequence[Text], rng: random.Random) -> Iterator[Pair]:
    left = Counter(AT_MOST)
    places = [(text, i) for text in texts for i in range(len(text.sentences))]
    rng.shuffle(places)
    for text, place in places:
        rare_first = sorted(EDITS, key=lambda name: AT_MOST[name] + rng.random() * 2000)
        done = 0
        for name in rare_first:
            if left[name] <= 0 or done >= 2:
                continue
            made = list(_twins(text, place, name, EDITS[name], rng))
            left[name] -= len(made)
            done += bool(made)
            yield from made
        pick = rng.random()
        if pick < 0.08:
            yield from _reported(text, place, rng)
        elif pick < 0.20:
            yield from _joined(text, place, rng)
        elif pick < 0.28:
            yield from _elsewhere(text, place, rng)


@lru_cache(maxsize=1)
def synthetic_pairs(folder: Path, train: Path, seed: int) -> tuple[Pair, ...]:
    """All synthetic pairs, the same for the same seed and sources; documents come twice, for they are few."""
    rng = random.Random(seed)
    policies = documents(folder)
    texts = [*policies, *policies, *policies, *passages(train)]
    pairs = [*_from_texts(texts, rng), *_from_texts(rule_texts(RULES, rng), rng), *_from_tables(TABLES, rng)]
    return tuple(dict.fromkeys(pairs))


def held_back_synthetic(settings: Settings, limit: int) -> list[Pair]:
    """Synthetic rows that never train. No training row has the same passage, but it may share sentences with one."""
    pairs = synthetic_pairs(settings.documents, settings.data / "train", settings.seed)
    return [pair for pair in pairs if is_held_back(pair)][:limit]


def counts(pairs: Sequence[Pair]) -> dict[str, tuple[int, int]]:
    """Per kind, how many pairs are supported and how many are not."""
    table: dict[str, list[int]] = {}
    for pair in pairs:
        table.setdefault(pair.source, [0, 0])[pair.label != SUPPORTED] += 1
    return {kind: (yes, no) for kind, (yes, no) in sorted(table.items())}


__all__ = ["CONTRADICTED", "counts", "held_back_synthetic", "synthetic_pairs"]
