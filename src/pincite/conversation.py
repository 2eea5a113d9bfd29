"""From a follow-up to a question that stands alone, by rules or by a model that is held to rewriting.

Only earlier questions are read by the rules, so no answer can steer a search. What a model rewrites may use nothing
but the words of the conversation, keep every word of the follow-up, and ask.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from pincite.text.sentences import sentences
from pincite.text.words import content_terms, tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pincite.types import Turn

MAX_REWRITTEN_CHARS = 600
"""A longer rewriting is no question."""

_AGAIN = re.compile(
    r"(?:please\s+)?(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?(?:"
    r"(?:summari[sz]e|sum\s+up|shorten|rephrase|repeat|simplify|explain|list|give\s+me|say)\s+"
    r"(?:that|this|it|them|(?:your|the)\s+(?:last\s+)?answer|the\s+above)(?:\s+up)?"
    r"|shorter|simpler|briefer|more\s+(?:briefly|simply)|in\s+(?:short|brief)|tl;?dr|once\s+more|again"
    r"|make\s+(?:it|that)\s+(?:shorter|simpler|briefer)"
    r"|(?:in|as)\s+(?:one|two|a|simple|simpler|plain|bullet|short|fewer)\s+\w+"
    r")(?:[,\s]+(?:please|again|briefly|shortly|more\s+(?:simply|briefly)|for\s+me"
    r"|(?:in|as)\s+(?:one|two|a|simple|simpler|plain|bullet|short|fewer)\s+\w+))*\s*[.?!]*",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:(?:ok|okay|thanks|thank\s+you|and|but|so|also|then|or|plus)\b[,.!\s]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"(?:(?:what|how)\s+about|what\s+of|same\s+for)\s+", re.IGNORECASE)
_BARE = re.compile(
    r"(?:why|since\s+when|until\s+when|from\s+when|when|where|who|how(?:\s+(?:so|come|much|many|long|often))?"
    r"|which\s+ones?|says\s+who|according\s+to\s+what)(?:\s+(?:not|exactly|so|is\s+that|that))?\s*[?.!]*",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:(?:for|within|in|by|at|on|to|from|under|after|before|until|since)\s+)?"
    r"(?:what|how|when|where|which|who|whom|whose|why|is|are|was|were|do|does|did|can|could|may|might|must|shall|should"
    r"|will|would|has|have|had|tell|list|show|name|explain|describe|give|summari[sz]e|compare)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs)\b"
    r"|\b(?:that|this|these|those)\b(?=\s*(?:[?.!,]|$|(?:is|are|was|were|does|do|did|can|may|must|will|would|apply"
    r"|applies|change[ds]?|mean|means|for|to|in|by|with|at|on|from|still|too|also|always|never|allowed|include)\b))"
    r"|\bthe\s+same\b",
    re.IGNORECASE,
)
_DUMMY_IT = re.compile(
    r"\b(?:is|was)\s+it\s+(?:\w+\s+){1,2}(?:to|that|if)\b|\b(?:does|did|will)\s+it\s+(?:take|cost)\b", re.IGNORECASE
)
_OWN_CLAUSE = re.compile(r"\s*(?:if|when|once|after|before|unless|while|where|because|although)\b[^?]*,", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|they|them|that|this|these|those)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:what|how\s+(?:long|much|many|high|large|big|old|often))\s+(?:is|are|was|were)\s+"
    r"(?P<subject>(?:the|a|an|our|my|your)\s+[^?]+?)\s*\??\s*",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"(?:for|in|on|at|to|from|with|by|under|during|since|after|before|without|outside|inside|within|as\s+of)\s+",
    re.IGNORECASE,
)
_LAST_PHRASE = re.compile(
    r"(?P<governor>[\w-]+)\s+(?P<preposition>for|in|on|at|under|during)\s+"
    r"(?P<object>(?:(?:the|a|an|our|my)\s+)?[\w-]+(?:\s+[\w-]+)?)\s*\??\s*\Z",
    re.IGNORECASE,
)
_GOVERNS = frozenset(
    re.findall(
        r"\w+",
        "ask asks asked apply applies applied pay pays paid wait look search qualify eligible responsible claim claims "
        "use used park work live stay report reported come go begin start end engage",
    )
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_DETERMINER = re.compile(r"(?:the|a|an|our|my)\s+", re.IGNORECASE)
_NEGATIVE = frozenset(
    re.findall(r"\S+", "not no never without cannot can't don't doesn't didn't isn't aren't mustn't won't nor none")
)
_OF_ASKING = frozenset(content_terms("apply concern regarding case reason mean happen long many much often"))


class Rewriter(Protocol):
    """Makes a follow-up stand alone. What it gives is checked before it is used."""

    @property
    def name(self) -> str:
        """Name and version."""

    def rewrite(self, question: str, turns: Sequence[Turn]) -> str:
        """The question in full; ``turns`` are earlier ones, oldest first.

        Raises:
            GeneratorError: nothing came back.
        """


def asks_again(text: str) -> bool:
    """Whether this wants the last answer once more, in another form ("summarise that", "shorter please")."""
    return _AGAIN.fullmatch(text.strip()) is not None


def leans_on_earlier(text: str) -> bool:
    """Whether the question cannot be understood without an earlier one."""
    said = text.strip()
    rest = said[_end(_LEAD.match(said)) :]
    if not rest:
        return False
    if _BARE.fullmatch(rest) or _ABOUT.match(rest) or not _ASKS.match(rest):
        return bool(_BARE.fullmatch(rest) or _ABOUT.match(rest) or rest != said or _is_fragment(rest))
    pointing = _POINTS_BACK.search(rest)
    return pointing is not None and not _DUMMY_IT.search(rest) and not _OWN_CLAUSE.match(rest[: pointing.start()])


def by_rules(text: str, before: str) -> str:
    """The follow-up as a question that stands alone, in the words of both; ``before`` is the earlier one in full.

    A text that needs nothing comes back without its "and". Where the rules see no place for what is new, it is put
    beside the earlier question: a search then finds both, and nothing is guessed.
    """
    said = text.strip()
    rest = said[_end(_LEAD.match(said)) :]
    if not leans_on_earlier(text) or not before.strip():
        return rest or said
    if _BARE.fullmatch(rest):
        return f"{_bare(rest)}: {before.strip()}"
    about = _ABOUT.match(rest)
    if about is not None or not _ASKS.match(rest):
        return _with_fragment(before.strip(), _bare(rest[_end(about) :]))
    subject = _SUBJECT.fullmatch(before.strip())
    if subject is not None and len(_IT.findall(rest)) == 1:
        return _IT.sub(lambda _: subject["subject"], rest, count=1)
    return f"{_bare(rest)} (about: {before.strip()})"


def fault_of(rewritten: str, text: str, turns: Sequence[Turn]) -> str | None:
    """Why a model's rewriting may not be used; None when it may. English words are compared by their stems."""
    if not rewritten.strip():
        return "it is empty"
    if len(rewritten) > MAX_REWRITTEN_CHARS or len(sentences(rewritten)) > 1:
        return "it is more than one question"
    if not rewritten.rstrip().endswith(("?", "？")):
        return "it does not ask"
    told = {word for turn in turns for part in (turn.question, turn.answer) for word in content_terms(part)}
    asked, new = _words(text), _words(rewritten)
    added = sorted(word for stem, word in new.items() if stem not in told | asked.keys() | _OF_ASKING)
    if added:
        return f"it brings in {added[0]!r}"
    lost = sorted(word for stem, word in asked.items() if stem not in new)
    if lost:
        return f"it leaves out {lost[0]!r}"
    return "it turns the question round" if _negatives(rewritten) != _negatives(text) else None


def _words(text: str) -> dict[str, str]:
    return {token.stem: token.folded for token in tokens(text) if not token.is_stop}


def _negatives(text: str) -> int:
    return sum(token.folded.replace("’", "'") in _NEGATIVE for token in tokens(text))


def _is_fragment(rest: str) -> bool:
    """A few words that do not ask: "for contractors?". A statement or a list of key words stands alone."""
    return _PREPOSITION.match(rest) is not None and len(rest.split()) <= 6  # noqa: PLR2004 - a phrase, not a clause


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match is not None else 0


def _bare(text: str) -> str:
    return text.strip().rstrip("?.! ")


def _with_fragment(before: str, fragment: str) -> str:
    """The earlier question with the fragment in place of its like: year for year, head for head, last phrase."""
    bare = _PREPOSITION.sub("", fragment, count=1) if _PREPOSITION.match(fragment) else fragment
    if _YEAR.fullmatch(bare) and len(_YEAR.findall(before)) == 1:
        return _YEAR.sub(bare, before)
    swapped = _swapped_head(before, bare) or _swapped_phrase(before, bare)
    if swapped is not None:
        return swapped
    phrase = fragment if _PREPOSITION.match(fragment) else f"for {fragment}"
    return f"{_bare(before)}, {phrase}?"


def _swapped_head(before: str, bare: str) -> str | None:
    """Put "the Starter plan" into "... on the Enterprise plan ...": the same last word, as many words before it."""
    words = _DETERMINER.sub("", bare, count=1).split()
    if len(words) < 2:  # noqa: PLR2004 - a word and what it is of
        return None
    modifiers = r"\s+".join(
        [r"(?!(?:the|a|an|our|my|for|in|on|at|of|to|is|are|may|do|does|can)\b)[\w-]+"] * (len(words) - 1)
    )
    found = list(re.finditer(rf"\b{modifiers}\s+{re.escape(words[-1])}\b", before, re.IGNORECASE))
    if len(found) != 1:
        return None
    return f"{before[: found[0].start()]}{' '.join(words)}{before[found[0].end() :]}"


def _swapped_phrase(before: str, bare: str) -> str | None:
    """Put "contractors" into "... for employees?", unless a verb asks for that phrase ("apply for leave")."""
    found = _LAST_PHRASE.search(before)
    if found is None or found["governor"].casefold() in _GOVERNS or bool(_YEAR.search(bare)):
        return None
    return f"{before[: found.start('object')]}{bare}?"
