"""Near misses: each function changes one thing in a sentence so that it is no longer what was said.

An edit takes the sentence, other sentences of the same document and a source of randomness, and returns the changed
sentence, or None where it does not apply. ``EDITS`` gives each its label: what the sentence says of the edit, and the
edit of the sentence. Most edits work both ways, so that nothing in the claim alone gives the label away; ``Way`` says
which do not.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from training.records import CONTRADICTED, NEITHER, UNSUPPORTED
from training.synth import values as v

Edit = Callable[[str, Sequence[str], random.Random], str | None]


def _swap_words(pairs: Sequence[tuple[str, str]]) -> tuple[re.Pattern[str], dict[str, list[str]]]:
    """A pattern for all words of the pairs, and what each may become."""
    table: dict[str, list[str]] = {}
    for one, two in pairs:
        table.setdefault(one, []).append(two)
        table.setdefault(two, []).append(one)
    words = sorted(table, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, words))})\b", re.IGNORECASE), table


def _cased(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[:1].isupper() else new


def _swap_one(text: str, pattern: re.Pattern[str], table: dict[str, list[str]], rng: random.Random) -> str | None:
    match = v.sub_one(pattern, text, rng)
    if match is None:
        return None
    return v.splice(text, match, _cased(rng.choice(table[match.group(1).lower()]), match.group(1)))


# --- values ----------------------------------------------------------------------------------------------------
def number(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Another number; half the time one that stands elsewhere in the document."""
    match = v.sub_one(v.NUMBER, text, rng)
    if match is None:
        return _number_word(text, rng)
    old = match.group()
    near = [
        m.group() for other in others for m in v.NUMBER.finditer(other) if v.number_of(m.group()) != v.number_of(old)
    ]
    near = [n for n in near if ("." in n) == ("." in old) and (len(n) == 4) == (len(old) == 4)]
    return v.splice(text, match, rng.choice(near) if near and rng.random() < 0.5 else v.other_number(old, rng))


def _number_word(text: str, rng: random.Random) -> str | None:
    match = v.sub_one(v.NUMBER_WORD, text, rng)
    if match is None:
        return None
    value = v.WORD_VALUE[match.group(1).lower()]
    other = rng.choice([n for n in (value + 1, value - 1, value * 2, value + 3) if 2 <= n < 100 and n != value])
    return v.splice(text, match, _cased(v.spell(other), match.group()))


_UNITS, _UNIT_TABLE = _swap_words([
    ("days", "weeks"), ("days", "months"), ("days", "hours"), ("weeks", "months"), ("months", "years"),
    ("hours", "minutes"), ("minutes", "seconds"), ("million", "billion"), ("thousand", "million"),
    ("miles", "kilometers"), ("feet", "meters"), ("pounds", "kilograms"), ("mg", "g"), ("ml", "liters"),
    ("MB", "GB"), ("GB", "TB"), ("km", "m"), ("kg", "g"), ("monthly", "yearly"), ("weekly", "monthly"),
    ("daily", "weekly"), ("per month", "per year"), ("per day", "per week"), ("per hour", "per day"),
])  # fmt: skip
_COUNTED = re.compile(
    rf"(?<=\d )({_UNITS.pattern[3:-3]})\b|\b(monthly|yearly|weekly|daily|per month|per year|per day)\b"
)


def unit(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    del others
    match = v.sub_one(_COUNTED, text, rng)
    if match is None or match.group().lower() not in _LOWER_UNITS:
        return None
    return v.splice(text, match, rng.choice(_LOWER_UNITS[match.group().lower()]))


_LOWER_UNITS = {key.lower(): value for key, value in _UNIT_TABLE.items()}


def currency(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    del others
    match = v.sub_one(re.compile(r"[$€£](?=\d)|\b(?:USD|EUR|GBP|dollars|euros)\b"), text, rng)
    if match is None:
        return None
    for kind in (["$", "€", "£"], ["USD", "EUR", "GBP"], ["dollars", "euros", "pounds"]):
        if match.group() in kind:
            return v.splice(text, match, rng.choice([k for k in kind if k != match.group()]))
    return None


def calendar(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Business against calendar days."""
    del others
    match = v.sub_one(re.compile(r"\b(business|working|calendar) (days?)\b"), text, rng)
    if match is None:
        return None
    new = "calendar" if match.group(1) != "calendar" else rng.choice(("business", "working"))
    return v.splice(text, match, new, 1)


def date(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Another day, month or year."""
    del others
    match = v.sub_one(v.DATE, text, rng)
    if match is None:
        lone = v.sub_one(v.MONTH, text, rng)
        return None if lone is None else v.splice(text, lone, rng.choice([m for m in v.MONTHS if m != lone.group()]))
    month, day, year = v.date_parts(match)
    part = rng.randrange(3)
    if part == 0:
        month = rng.choice([m for m in v.MONTHS if m != month])
    elif part == 1:
        day = rng.choice([d for d in range(1, 29) if d != day])
    else:
        year += rng.choice((-2, -1, 1, 2))
    return v.splice(text, match, f"{month} {day}, {year}" if match.group(1) else f"{day} {month} {year}")


# --- words that turn the meaning ---------------------------------------------------------------------------------
_AUXILIARY = re.compile(
    r"\b(will|can|must|should|may|is|are|was|were|has been|have been|does|do|would|could)( not)? (?=[a-z])(?!only\b)"
)
_CONTRACTED = {"can't": "can", "won't": "will", "don't": "do", "isn't": "is", "aren't": "are", "doesn't": "does",
               "cannot": "can", "wasn't": "was", "weren't": "were"}  # fmt: skip


def negation(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Put a "not" in, or take one out, at the first auxiliary of the main clause."""
    del others
    short = re.search(rf"\b({'|'.join(_CONTRACTED)})\b", text)
    if short:
        return v.splice(text, short, _CONTRACTED[short.group(1)])
    start = text.find(", ") + 2 if re.match(r"(If|When|Where|Unless|While|Although|As|Once)\b", text) else 0
    match = _AUXILIARY.search(text, max(0, start))
    if match is None or re.search(r"\b(never|no|none|nor|neither|nothing|only)\b", text):
        return None
    if match.group(2):
        return text[: match.start(2)] + text[match.end(2) :]
    short_forms = {"can": "cannot", "will": rng.choice(("will not", "won't")), "is": rng.choice(("is not", "isn't"))}
    return v.splice(text, match, short_forms.get(match.group(1), match.group(1) + " not"), 1)


_ANTONYMS, _ANTONYM_TABLE = _swap_words([
    ("before", "after"), ("more than", "less than"), ("at least", "at most"), ("increase", "decrease"),
    ("increased", "decreased"), ("include", "exclude"), ("includes", "excludes"), ("included", "excluded"),
    ("including", "excluding"), ("allowed", "prohibited"), ("permitted", "forbidden"), ("accept", "reject"),
    ("public", "private"), ("internal", "external"), ("minimum", "maximum"), ("lowest", "highest"),
    ("first", "last"), ("always", "never"), ("enabled", "disabled"), ("voluntary", "mandatory"),
    ("optional", "required"), ("temporary", "permanent"), ("temporarily", "permanently"), ("full", "partial"),
    ("in full", "in part"), ("paid", "unpaid"), ("covered", "not covered"), ("eligible", "ineligible"),
    ("free", "paid"), ("above", "below"), ("older", "younger"), ("earlier", "later"), ("begins", "ends"),
    ("start", "end"), ("starts", "ends"), ("opened", "closed"), ("higher", "lower"), ("larger", "smaller"),
    ("majority", "minority"), ("upper", "lower"), ("northern", "southern"), ("eastern", "western"),
    ("north", "south"), ("east", "west"), ("win", "lose"), ("won", "lost"), ("approved", "rejected"),
    ("direct", "indirect"), ("directly", "indirectly"), ("positive", "negative"), ("buy", "sell"),
    ("employer", "employee"), ("landlord", "tenant"), ("buyer", "seller"), ("borrower", "lender"),
    ("customer", "supplier"), ("inside", "outside"), ("true", "false"), ("male", "female"),
    ("father", "mother"), ("sister", "brother"), ("son", "daughter"), ("early", "late"), ("best", "worst"),
    ("some", "no"), ("common", "rare"), ("possible", "impossible"), ("legal", "illegal"), ("safe", "unsafe"),
    ("valid", "invalid"), ("refundable", "non-refundable"), ("written", "oral"), ("up to", "more than"),
    ("no later than", "no earlier than"), ("immediately", "eventually"), ("monthly", "annual"),
])  # fmt: skip


def antonym(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    del others
    return _swap_one(text, _ANTONYMS, _ANTONYM_TABLE, rng)


_STRONGER = {
    "may": ("must", "will", "is required to"), "can": ("must",), "might": ("will",), "could": ("will",),
    "should": ("must",), "is expected to": ("will",), "are expected to": ("will",), "usually": ("always",),
    "often": ("always",), "sometimes": ("always", "usually"), "generally": ("always",), "typically": ("always",),
    "approximately": ("exactly",), "about": ("exactly",), "some": ("all",), "many": ("all",), "most of": ("all of",),
    "several": ("all",), "recommended": ("required",), "encouraged": ("required",), "possibly": ("certainly",),
    "some of": ("all of",),
}  # fmt: skip
_WEAK = re.compile(
    rf"(?<!-)\b({'|'.join(sorted(_STRONGER, key=len, reverse=True))})\b(?! not| \d| half|-)", re.IGNORECASE
)
_STRONG = re.compile(
    r"(?<!lmost )(?<!not )(?<!and )\b(must|will|all|always|every|required|entire|whole|only)\b(?! not)"
)
_WEAKER = {
    "must": ("may", "should", "can"), "will": ("may", "might", "could"), "all": ("some", "most", "many"),
    "always": ("usually", "sometimes"), "every": ("almost every",),
    "required": ("encouraged", "recommended"), "entire": ("first part of the",), "whole": ("second half of the",),
    "only": ("mainly",),
}  # fmt: skip


def strengthen(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Permission to duty, some to all, hedge to certainty: more than was said."""
    del others
    match = v.sub_one(_WEAK, text, rng)
    if match is None or (match.group(1) == "May") or re.match(r"\w+ about", text[match.start() - 8 : match.end()]):
        return None
    if match.group(1).lower() == "about" and not re.match(r" (?:\d|\$|one|two|half)", text[match.end() :]):
        return None
    return v.splice(text, match, _cased(rng.choice(_STRONGER[match.group(1).lower()]), match.group(1)))


def weaken(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """The reverse; the weaker sentence is the passage then, never the claim."""
    del others
    match = v.sub_one(_STRONG, text, rng)
    return None if match is None else v.splice(text, match, rng.choice(_WEAKER[match.group(1)]))


# --- clauses and roles ---------------------------------------------------------------------------------------------
_CONDITION = re.compile(r",? (?:only )?(if|unless|provided that|except|as long as|subject to|until) [^,;.]+(?=\.?$)")
_LEADING = re.compile(r"^(If|When|Unless|Once|Where|Except|During|For|In|After|Before) [^,;.]{8,70}, (?=[a-zA-Z])")


def drop_condition(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """The rule without its condition (read the other way: with one that nobody stated)."""
    del others, rng
    tail = _CONDITION.search(text)
    if (
        tail
        and tail.start() > 20
        and not re.search(r"\b(?:and|or|whether|ask|see|know|check|as|not|even)$", text[: tail.start()])
    ):
        return text[: tail.start()] + "."
    lead = re.match(r"^(If|Unless|Except|When) [^,;.]{8,90}, (?=[a-zA-Z])", text)
    return text[lead.end()].upper() + text[lead.end() + 1 :] if lead else None


_PRONOUN_ROLE = re.compile(
    r"\b(we|you) ((?:will |may |can |must |should )?(?:\w+ly )?[a-z]+) (you|us)\b", re.IGNORECASE
)
_FROM_TO = re.compile(r"\bfrom ([\w$€£.,% -]{2,30}?) to ([\w$€£.,% -]{2,30}?)(?=[.,;)]| (?:in|on|for|by|at|and)\b)")
_NAMES = r"((?:[A-Z][\w'-]+ ?){1,3})"
_ACTED = re.compile(
    rf"^{_NAMES}\b((?:was |were |is |has )?(?:acquired|bought|sold|founded|married|defeated|beat|succeeded|replaced|"
    rf"followed|directed|joined|wrote|created|supported|influenced|inspired|met|sued|hired|preceded|owns|controls|"
    rf"older than|larger than|part of|the capital of|named after)(?: by)?) (?:the )?{_NAMES}"
)


def role_swap(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Who did it to whom, turned round."""
    del others, rng
    pronoun = _PRONOUN_ROLE.search(text)
    if pronoun and pronoun.group(1).lower() != {"us": "we", "you": "you"}[pronoun.group(3).lower()]:
        subject = {"you": "you", "us": "we"}[pronoun.group(3).lower()]
        target = {"we": "us", "you": "you"}[pronoun.group(1).lower()]
        return v.splice(text, pronoun, f"{_cased(subject, pronoun.group(1))} {pronoun.group(2)} {target}")
    between = _FROM_TO.search(text)
    if between and between.group(1) != between.group(2) and not v.MONTH.search(between.group()):
        return v.splice(text, between, f"from {between.group(2)} to {between.group(1)}")
    acted = _ACTED.match(text)
    if acted and acted.group(1).strip() != acted.group(3).strip():
        one, two = acted.group(1).strip(), acted.group(3).strip()
        end = acted.start(3) + len(two)
        return f"{two} {acted.group(2)} {one}{text[end:]}"
    return None


_NAME = re.compile(r"(?<=[a-z,] )(?:the )?([A-Z][a-z'-]+(?: [A-Z][a-z'-]+){0,2})\b")
_NO_NAME = frozenset(
    [
        "I",
        "The",
        "A",
        "An",
        "In",
        "On",
        "At",
        "By",
        "It",
        "He",
        "She",
        "They",
        "We",
        "You",
        "This",
        "That",
        "These",
        "If",
        "When",
    ]
) | set(v.MONTHS)


def entity(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """Another name of the same document in place of one."""
    match = v.sub_one(_NAME, text, rng)
    if match is None or match.group(1) in _NO_NAME:
        return None
    size = len(match.group(1).split())
    pool = {m.group(1) for other in others for m in _NAME.finditer(other)} - _NO_NAME
    pool = {name for name in pool if name not in text and len(name.split()) == size and match.group(1) not in name}
    return v.splice(text, match, rng.choice(sorted(pool)), 1) if pool else None


_DETAIL = re.compile(
    r" ((?:within|after|before|during|until|since|for|by|through|under|because of|due to|as part of|without|via) "
    r"(?:the |a |an |their |your |our )?[\w$€£%-]+(?: [\w$€£%-]+){0,4})(?=[.,;])"
)


def detail(text: str, others: Sequence[str], rng: random.Random) -> str | None:
    """A phrase from another sentence added (read the other way: the claim has a detail that was never stated)."""
    pool = [m.group(1) for other in others for m in _DETAIL.finditer(other) if m.group(1) not in text]
    if not pool or not text.endswith(".") or len(text.split()) > 30:
        return None
    return f"{text[:-1]} {rng.choice(pool)}."


class Way(Enum):
    """How an edit may be used: which of sentence and edit may be the passage, and what the reverse pair is."""

    BOTH = "both"
    FORWARD = "the edit is only ever the claim"
    BACKWARD = "the edit is only ever the passage"
    REVERSE_IS_TRUE = "the edit says more: as the passage it supports the sentence"


@dataclass(frozen=True, kw_only=True, slots=True)
class Kind:
    """One phenomenon: its edit, the label of the pair, and its directions."""

    edit: Edit
    label: int
    way: Way = Way.BOTH


EDITS: dict[str, Kind] = {
    "number": Kind(edit=number, label=CONTRADICTED),
    "unit": Kind(edit=unit, label=CONTRADICTED),
    "currency": Kind(edit=currency, label=CONTRADICTED),
    "calendar": Kind(edit=calendar, label=CONTRADICTED),
    "date": Kind(edit=date, label=CONTRADICTED),
    "negation": Kind(edit=negation, label=CONTRADICTED),
    "antonym": Kind(edit=antonym, label=UNSUPPORTED),
    "modality": Kind(edit=strengthen, label=NEITHER, way=Way.FORWARD),
    "modality_reverse": Kind(edit=weaken, label=NEITHER, way=Way.BACKWARD),
    "condition": Kind(edit=drop_condition, label=NEITHER),
    "role": Kind(edit=role_swap, label=UNSUPPORTED),
    "entity": Kind(edit=entity, label=UNSUPPORTED),
    "detail": Kind(edit=detail, label=NEITHER, way=Way.REVERSE_IS_TRUE),
}
