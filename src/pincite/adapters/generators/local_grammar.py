"""The schema form as a grammar for the llama.cpp runtime, tighter than what a JSON schema can say.

A small model that is held to a bare schema fills its tokens with white space, names the same handle for ever, says
that nothing was found and then states something. Here there is no white space between the parts, each handle comes at
most once a statement, "not found" has no statements, and a statement is one sentence that begins with
a capital (or in a script that has none) and has ended.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pincite.adapters.generators.forms import NOT_IN_CONTEXT

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_STATEMENTS = 4
_MIN_CHARS = 12
_BEFORE_A_STOP = ("Mr", "Mrs", "Ms", "Dr", "St", "No", "Art", "Sec", "Inc", "Ltd", "Co", "vs", "e.g", "i.e", "U.S")
"""Words after which a full stop and a capital do not begin a new sentence; so does a single capital letter."""


def statements_grammar(handles: Sequence[str], *, may_abstain: bool = True) -> str:
    """GBNF of a reply in the schema form over these handles (at least one).

    Without ``may_abstain`` the model has to state something: only for measuring what becomes of it.
    """
    abbreviations = " | ".join(_quoted(word) for word in _BEFORE_A_STOP)
    rules = [
        "root ::= found | absent" if may_abstain else "root ::= found",
        f'found ::= {_FOUND} statement ("," statement){{0,{MAX_STATEMENTS - 1}}} "]}}"',
        f"absent ::= {_ABSENT}",
        f'statement ::= {_TEXT} start piece{{{_MIN_CHARS},}} stop {_HANDLES} handles "]}}"',
        r'start ::= [^a-z0-9_"\\.!?<>{}\[\] \x00-\x1F\x7F]',
        'piece ::= plain | stop inside | short ". " | stop " " [0-9]',
        r'plain ::= [^"\\.!?\x00-\x1F\x7F] | "\\" ["\\/]',
        r'inside ::= [^"\\ .!?\x00-\x1F\x7F]',
        "stop ::= [.!?]",
        f"short ::= {abbreviations} | [A-Z]",
        f"handles ::= {_subsets(handles)}",
    ]
    return "\n".join(rules if may_abstain else [rule for rule in rules if not rule.startswith("absent")])


def _subsets(handles: Sequence[str]) -> str:
    """Every non-empty choice, in the order given."""
    choices = []
    for index, first in enumerate(handles):
        rest = [f"({_quoted(',' + json.dumps(later))})?" for later in handles[index + 1 :]]
        choices.append(" ".join([_quoted(json.dumps(first)), *rest]))
    return " | ".join(choices)


def _quoted(text: str) -> str:
    """A literal of the grammar."""
    return json.dumps(text, ensure_ascii=False)


_FOUND = _quoted('{"found":true,"reason":null,"statements":[')
_ABSENT = _quoted('{"found":false,"reason":"' + NOT_IN_CONTEXT + '","statements":[]}')
_TEXT, _HANDLES = _quoted('{"text":"'), _quoted('","handles":[')
