"""The same thing said otherwise: each function rewrites a sentence so that it stays true where the sentence is true."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from training.synth import values as v

Variant = Callable[[str, random.Random], str | None]


def number_form(text: str, rng: random.Random) -> str | None:
    """Digits to words and back: "30 days", "thirty days", "thirty (30) days"."""
    match = v.sub_one(re.compile(r"(?<![\w.,$€£/–-])(\d{1,2})(?= [a-z])"), text, rng)
    after_month = match is not None and text[: match.start()].rstrip().endswith(v.MONTH_ENDS)
    if match and int(match.group(1)) >= 2 and not after_month:
        word = v.spell(int(match.group(1)))
        return v.splice(text, match, rng.choice((word, word, f"{word} ({match.group(1)})")))
    worded = v.sub_one(v.NUMBER_WORD, text, rng)
    if worded is None or worded.start() == 0:
        return None
    return v.splice(text, worded, str(v.WORD_VALUE[worded.group(1).lower()]))


def percent_form(text: str, rng: random.Random) -> str | None:
    match = v.sub_one(re.compile(r"(\d+(?:\.\d+)?)(%| percent\b)"), text, rng)
    if match is None:
        return None
    named = {"50": "half", "25": "a quarter", "75": "three quarters", "10": "one tenth"}.get(match.group(1))
    if named and text[match.end() :].startswith(" of "):
        return v.splice(text, match, named)
    return v.splice(text, match, match.group(1) + (" percent" if match.group(2) == "%" else "%"))


def money_form(text: str, rng: random.Random) -> str | None:
    match = v.sub_one(v.MONEY, text, rng)
    if match is None:
        return None
    sign, amount = match.group(1), match.group(2)
    plain = amount.replace(",", "")
    names = {"$": ("USD", "dollars"), "€": ("EUR", "euros"), "£": ("GBP", "pounds")}[sign]
    options = [f"{names[0]} {amount}", f"{amount} {names[1]}", f"{sign}{plain}", f"{sign}{amount}.00"]
    if float(plain) >= 1_000_000 and float(plain) % 100_000 == 0:
        options.append(f"{sign}{float(plain) / 1e6:g} million")
    if "." in amount:
        options = options[:3]
    return v.splice(text, match, rng.choice([o for o in options if o != match.group()]))


def duration_form(text: str, rng: random.Random) -> str | None:
    """An equal duration in another unit: 14 days, two weeks."""
    match = v.sub_one(v.DURATION, text, rng)
    if match is None or "-" in match.group() or re.search(r"\b(business|working)\b", text):
        return None
    same = v.same_duration(int(match.group(1)), match.group(2))
    if not same or re.search(r"(one|a|per) $", text[: match.start()]):
        return None
    return v.splice(text, match, rng.choice(same))


def date_form(text: str, rng: random.Random) -> str | None:
    match = v.sub_one(v.DATE, text, rng)
    if match is None:
        return None
    return v.splice(text, match, rng.choice([f for f in v.date_forms(*v.date_parts(match)) if f != match.group()]))


def rounding(text: str, rng: random.Random) -> str | None:
    """A long number made round, and said to be so."""
    match = v.sub_one(re.compile(r"(?<![\w.,$€£])(\d{1,3}(?:,\d{3})+)(?![\w.,]\d)"), text, rng)
    if match is None:
        return None
    value = int(match.group(1).replace(",", ""))
    step = 10 ** (len(str(value)) - 2)
    near = round(value / step) * step
    if near == value:
        return None
    hedge = rng.choice(("about", "roughly", "approximately", "around", "just over" if near < value else "nearly"))
    if re.search(r"(about|approximately|around|over|nearly|than|roughly) $", text[: match.start()]):
        return None
    form = f"{near / 1e6:g} million" if near >= 1_000_000 else f"{near:,}"
    return v.splice(text, match, f"{hedge} {form}")


_SAME = (
    ("terminate", "end"), ("notify", "inform"), ("purchase", "buy"), ("prior to", "before"), ("at least", "no less than"),
    ("at most", "no more than"), ("must", "have to"), ("in order to", "to"), ("obtain", "get"), ("assist", "help"),
    ("commence", "begin"), ("approximately", "about"), ("in the event that", "if"), ("is able to", "can"),
    ("are able to", "can"), ("is not able to", "cannot"), ("are not allowed to", "may not"), ("cannot", "is unable to"),
    ("may not", "is not allowed to"), ("is prohibited", "is not allowed"), ("are prohibited", "are not allowed"),
    ("provide", "give"), ("provides", "gives"), ("receive", "get"), ("received", "got"),
    ("subsequently", "afterwards"), ("numerous", "many"), ("additional", "further"), ("immediately", "at once"),
    ("request", "ask for"), ("requires", "needs"), ("require", "need"), ("located in", "situated in"),
    ("is located", "lies"), ("born in", "a native of"), ("film", "movie"), ("large", "big"),
    ("began", "started"), ("begins", "starts"), ("children", "kids"), ("often", "frequently"), ("currently", "at present"),
    ("such as", "for example"), ("employees", "staff"), ("company", "firm"), ("automobile", "car"), ("physician", "doctor"),
    ("annually", "every year"), ("monthly", "every month"), ("daily", "every day"), ("within", "in no more than"),
    ("created", "made"), ("attempt", "try"), ("primarily", "mainly"), ("roughly", "about"), ("several", "a number of"),
    ("entire", "whole"), ("permitted", "allowed"), ("forbidden", "prohibited"),
    ("delete", "erase"), ("send", "submit"), ("rapidly", "quickly"), ("vacation", "holiday"), ("salary", "pay"),
    ("residence", "home"), ("sole", "only"), ("former", "previous"), ("famous", "well known"), ("injured", "hurt"),
    ("died", "passed away"), ("acquired", "bought"), ("established", "set up"), ("deadline", "due date"),
)  # fmt: skip
_ONE_WAY_WORDS = frozenset({"cannot", "must", "may not", "within", "born in", "such as", "request", "however", "send"})


def _same_table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for one, two in _SAME:
        table.setdefault(one, []).append(two)
        if one not in _ONE_WAY_WORDS and two not in {"end", "get", "to", "but", "can", "later", "lies", "if", "made", "try",
                                                      "only", "answer", "pay", "home", "hurt", "about", "further", "need", "needs", "small"}:  # fmt: skip
            table.setdefault(two, []).append(one)
    for word in ("cannot", "may not", "must", "within"):
        table.pop(word, None)
    return table


_SAME_TABLE = _same_table()
_SAME_WORDS = re.compile(
    rf"\b({'|'.join(sorted(map(re.escape, _SAME_TABLE), key=len, reverse=True))})\b", re.IGNORECASE
)


def synonym(text: str, rng: random.Random) -> str | None:
    match = v.sub_one(_SAME_WORDS, text, rng)
    if match is None or (match.group(1)[0].isupper() and match.start() > 0):
        return None
    new = rng.choice(_SAME_TABLE[match.group(1).lower()])
    return v.splice(text, match, new[0].upper() + new[1:] if match.group(1)[0].isupper() else new)


def contraction(text: str, rng: random.Random) -> str | None:
    pairs = (("will not", "won't"), ("do not", "don't"), ("does not", "doesn't"), ("is not", "isn't"), ("are not", "aren't"),
             ("cannot", "can not"), ("we will", "we'll"), ("you will", "you'll"), ("was not", "wasn't"),
             ("it is", "it's"), ("did not", "didn't"), ("we have", "we've"), ("you have", "you've"))  # fmt: skip
    options = [(a, b) for one, two in pairs for a, b in ((one, two), (two, one)) if re.search(rf"\b{a}\b", text)]
    if not options:
        return None
    old, new = rng.choice(options)
    return re.sub(rf"\b{old}\b", new, text, count=1)


def clause_order(text: str, rng: random.Random) -> str | None:
    """Turn "If X, Y." into "Y if X." and back."""
    del rng
    lead = re.match(r"^(If|When|Once|Unless|While|Because|Although|After|Before) ([^,;]{5,90}), ([^;]+)\.$", text)
    if lead:
        word, condition, main = lead.groups()
        if re.match(r"(and|or|but|which|who)\b", main) or ", " in main:
            return None
        return f"{main[0].upper() + main[1:]} {word.lower()} {condition}."
    tail = re.match(r"^([A-Z][^,;]{10,120}?),? (if|when|once|unless|because|although) ([^,;]+)\.$", text)
    if tail is None or re.search(r"\b(ask|see|know|check|determine|decide|wonder|only|even|and)$", tail.group(1)):
        return None
    main, word, condition = tail.groups()
    first = main.split()[0]
    main = main if first.isupper() or first not in _LOWERABLE else main[0].lower() + main[1:]
    return f"{word.capitalize()} {condition}, {main}."


_LOWERABLE = frozenset(
    [
        "The",
        "A",
        "An",
        "This",
        "That",
        "These",
        "Those",
        "We",
        "You",
        "It",
        "He",
        "She",
        "They",
        "Your",
        "Our",
        "His",
        "Her",
        "Their",
        "Its",
        "There",
        "Any",
        "All",
        "Some",
        "Each",
        "No",
        "Every",
    ]
)


def shorten(text: str, rng: random.Random) -> str | None:
    """Leave out what stands beside the statement: a parenthesis, an opening adverb, a "which" clause, a second clause."""
    options = []
    for pattern, new in (
        (r" \([^()]*\)", ""),
        (
            r"^(However|In addition|Additionally|Moreover|Furthermore|For example|Also|Finally|Generally|Therefore), ",
            "",
        ),
        (r", which [^,;.]+(?=[,.])", ""),
        (r", (?:including|such as) [^;.]+(?=\.$)", ""),
        (r", (?:and|but) (?:we|you|it|they|he|she|the) [^;]+\.$", "."),
        (r"^([A-Z][\w' ]{3,40}), (?:a|an|the) [^,;]{4,60}, (?=(?:is|was|are|were|has|had|will)\b)", r"\1 "),
    ):
        cut = re.sub(pattern, new, text, count=1)
        if cut != text and len(cut.split()) >= 5:
            options.append(cut[0].upper() + cut[1:])
    return rng.choice(options) if options else None


_PAST = {"send": "sent", "give": "given", "notify": "notified", "inform": "informed", "charge": "charged", "pay": "paid",
         "delete": "deleted", "review": "reviewed", "share": "shared", "use": "used", "provide": "provided",
         "process": "processed", "refund": "refunded", "cancel": "canceled", "update": "updated", "close": "closed",
         "remove": "removed", "disclose": "disclosed", "collect": "collected", "keep": "kept", "store": "stored",
         "approve": "approved", "contact": "contacted", "protect": "protected", "suspend": "suspended"}  # fmt: skip
_ACTIVE = re.compile(
    rf"^(We|You|They|GitHub|Basecamp|The [a-z]+(?: [a-z]+)?) (will|may|must|can|cannot|should)( not)? ({'|'.join(_PAST)}) "
    r"((?:the|your|our|any|all|a|an|this|personal|you|us) ?[a-z' ]{0,40}?)(?=\.$| (?:if|when|within|in|on|for|to|before|after|unless)\b)"
)


def passive(text: str, rng: random.Random) -> str | None:
    del rng
    match = _ACTIVE.match(text)
    if match is None or re.search(r"^\W*$|\b(?:with|at|as|from|of|and|or|by)\b", match.group(5)):
        return None
    doer, modal, never, verb, target = match.groups()
    doer = {"We": "us", "You": "you", "They": "them"}.get(
        doer, doer[0].lower() + doer[1:] if doer[:4] == "The " else doer
    )
    target = {"us": "we"}.get(target.strip(), target.strip())
    return f"{target[0].upper()}{target[1:]} {modal}{never or ''} be {_PAST[verb]} by {doer}{text[match.end(5) :]}"


def framing(text: str, rng: random.Random) -> str | None:
    """Say that a source says it, shout a word, or drop the full stop: the style of answers."""
    first = text.split(maxsplit=1)[0]
    low = text[0].lower() + text[1:] if first in _LOWERABLE else text
    bold = text.split()
    spot = rng.randrange(len(bold))
    bold[spot] = f"**{bold[spot].rstrip('.,;')}**" + ("." if bold[spot].endswith(".") else "")
    return rng.choice((
        f"According to the document, {low}",
        f"The policy states that {low}",
        f"Note that {low}",
        text.rstrip("."),
        text.lower(),
        " ".join(bold),
    ))  # fmt: skip


VARIANTS: dict[str, Variant] = {
    "number_form": number_form,
    "percent_form": percent_form,
    "money_form": money_form,
    "duration_form": duration_form,
    "date_form": date_form,
    "rounding": rounding,
    "synonym": synonym,
    "contraction": contraction,
    "clause_order": clause_order,
    "shorten": shorten,
    "passive": passive,
    "framing": framing,
}


def vary(text: str, rng: random.Random, times: int, unlike: str | None = None) -> tuple[str, list[str]]:
    """Up to ``times`` different rewritings one after the other; the names of those that applied.

    ``unlike`` is what ``text`` was changed from: it is rewritten alongside, and a rewriting that would make the two the
    same (for it cuts out, or rounds away, the very thing that was changed) is not used.
    """
    used: list[str] = []
    for name in rng.sample(sorted(VARIANTS), len(VARIANTS)):
        if len(used) >= times:
            break
        seed = rng.random()
        changed = VARIANTS[name](text, random.Random(seed))
        if not changed or changed == text:
            continue
        if unlike is not None:
            beside = VARIANTS[name](unlike, random.Random(seed)) or unlike
            if beside.lower() == changed.lower() or (name in LOSSY and changed.lower() in unlike.lower()):
                continue
            unlike = beside
        text = changed
        used.append(name)
    return text, used


LOSSY = frozenset({"shorten", "rounding"})
