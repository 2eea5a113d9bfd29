"""Making a prompt fit into a small context: counting as the model counts, and leaving out the last passage."""

from __future__ import annotations

import dataclasses
import json
import re
import urllib.request
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pincite.types import Prompt

_TIMEOUT_S = 30.0


def count_tokens(address: str, key: str, text: str) -> int:
    """Tokens of a text by the model's own tokenizer, asked of the runtime's loopback port (never through a proxy)."""
    request = urllib.request.Request(  # noqa: S310 - the address is the runtime's own, on loopback
        f"{address}/tokenize",
        data=json.dumps({"content": text}).encode(),
        headers={"Content-Type": "application/json", "Authorization": f"Bearer {key}"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=_TIMEOUT_S) as response:
        return len(json.load(response)["tokens"])


def without_last_passage(prompt: Prompt) -> Prompt | None:
    """The same prompt with its last passage and that passage's handle gone; None when it has one passage or none.

    The passage's block in ``user`` is found by the request's nonce, which no passage can contain. Where the block is
    not found the prompt is of another make, and None is the answer too.
    """
    if len(prompt.handled) < 2:  # noqa: PLR2004 - one must stay
        return None
    nonce, last = prompt.nonce or _nonce(prompt), prompt.handled[-1].handle
    opening, closing = f"<<{nonce} {last}\n", f"\n{nonce}>>"
    start = prompt.user.find(opening)
    end = prompt.user.find(closing, start)
    if start < 0 or end < 0:
        return None
    user = prompt.user[:start].rstrip("\n") + prompt.user[end + len(closing) :]
    return dataclasses.replace(prompt, user=user, handled=prompt.handled[:-1])


def _nonce(prompt: Prompt) -> str:
    """The word of the first fence: it stands before any text of a passage."""
    found = re.search(rf"<<(\S+) {re.escape(prompt.handled[0].handle)}\n", prompt.user)
    return found[1] if found else ""
