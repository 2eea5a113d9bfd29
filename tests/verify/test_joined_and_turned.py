"""Facts joined crosswise, and statements turned round: each false claim beside a true one in the same words."""

from __future__ import annotations

import pytest

from pincite.types import Pair, Passage, VerdictLabel
from pincite.verify import AlignmentVerifier

_SHIFTS = "Parcels are sorted in Leeds, while letters are sorted in Bristol."
_COAT = "A man wearing a green coat and black boots is leaving the old shop."
_RATES = "Seed trays cost 4 euros, and clay pots cost 9 euros."
_NOTICE = ("Tutors work on Monday.", "Coaches work on Thursday.")
_RELEASES = (
    "Release 2 added dark mode. Release 3 dropped the toolbar.",
    "Release 2 shipped in March 2021 and release 3 in May 2022.",
)
_CARD = "Member: Lena Brandt\nJoining fee: 40 euros\nDeposit: 90 euros\nRenewal: 5 May 2026\nClosing: 9 August 2026"
_TRIAL = "The gym is free within the first 10 days. After that, a charge of 15 euros is due."
_COPY = "The script copies invoices from the ledger to the vault each night."
_PAID = "Repairs to the roof are paid by the landlord."
_LAMP = "The museum used to sell posters but now sells prints."
_NEWS = "Researchers observed faster growth, but this was not replicated. The mayor denies accepting gifts."
_GUESTS = "Guests are not entitled to parking during their first week. Members may park for two hours."
_EXTRAS = "Optional extras are heated seats and a tow bar. A sunroof is standard."
_SIGN = "Moving a wall requires the permission of the architect. The tenant pays the plumber."

FALSE = [
    (_SHIFTS, "Parcels are sorted in Bristol and letters are sorted in Leeds."),
    (_RATES, "Seed trays cost 9 euros, and clay pots cost 4 euros."),
    (_NOTICE, "Tutors work on Thursday and coaches work on Monday."),
    (_RELEASES, "The toolbar was dropped in March 2021."),
    (_RELEASES, "Dark mode was added in May 2022."),
    (_CARD, "The deposit is 40 euros."),
    (_CARD, "The joining fee is 90 euros."),
    (_TRIAL, "Within the first 10 days, a charge of 15 euros is due."),
    (_COPY, "The script copies invoices from the vault to the ledger."),
    (_COPY, "Invoices are copied from vault to ledger each night."),
    (_PAID, "Tenants pay repairs to the roof."),
    (_LAMP, "The museum sells posters."),
    (_NEWS, "The faster growth was replicated."),
    (_NEWS, "The mayor accepted gifts."),
    (_GUESTS, "Guests can park from their first week."),
    (_EXTRAS, "A sunroof is an optional extra."),
    (_SIGN, "Moving a wall requires the permission of the plumber."),
]
TRUE = [
    (_RATES, "Clay pots cost 9 euros, and seed trays cost 4 euros."),
    (_NOTICE, "Coaches work on Thursday and tutors work on Monday."),
    (_COAT, "A man in black boots and a green coat leaves the old shop."),
    (_RELEASES, "The toolbar was dropped in May 2022."),
    (_RELEASES, "Dark mode was added in March 2021."),
    (_CARD, "The deposit is 90 euros."),
    (_CARD, "The joining fee is 40 euros."),
    (_COPY, "The script copies invoices from the ledger to the vault."),
    (_COPY, "Invoices are copied from ledger to vault each night."),
    (_PAID, "The landlord pays repairs to the roof."),
    (_LAMP, "The museum now sells prints."),
    (_NEWS, "The mayor denies accepting gifts."),
    (_EXTRAS, "A tow bar is an optional extra."),
    (_SIGN, "Moving a wall requires the permission of the architect."),
]


@pytest.mark.parametrize(("texts", "claim"), FALSE)
def test_what_is_joined_crosswise_or_turned_round_does_not_stand(texts: str | tuple[str, ...], claim: str) -> None:
    assert _label(texts, claim) is not VerdictLabel.SUPPORTED


@pytest.mark.parametrize(("texts", "claim"), TRUE)
def test_the_same_words_in_their_own_places_stand(texts: str | tuple[str, ...], claim: str) -> None:
    assert _label(texts, claim) is VerdictLabel.SUPPORTED


def _label(texts: str | tuple[str, ...], claim: str) -> VerdictLabel:
    parts = (texts,) if isinstance(texts, str) else texts
    passages = tuple(Passage(passage_id=f"p{i}", text=text, end=len(text)) for i, text in enumerate(parts))
    return AlignmentVerifier().judge([Pair(claim=claim, passages=passages)])[0].label
