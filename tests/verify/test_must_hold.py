"""Cases that must never go wrong, whatever else is tuned. A claim here is judged against the passages it cites."""

from __future__ import annotations

import pytest

from pincite import check
from pincite.types import VerdictLabel

REFUND = "Enterprise customers may ask for a refund within 30 days. Starter customers have 7 days."
SUPPORTED = VerdictLabel.SUPPORTED


def label(claim: str, *passages: str) -> VerdictLabel:
    markers = "".join(f"[{n}]" for n in range(1, len(passages) + 1))
    checked = check(f"{claim.rstrip('.')} {markers}.", list(passages))
    assert len(checked.claims) == 1
    return checked.claims[0].verdict.label


FALSE = [
    # a wrapped line hides nothing, and a part of a sentence is not the sentence
    ("API keys expire after 90 days.", "API keys expire after 90 days unless\nrotation is enabled."),
    ("The contract is void.", "The contract is not\nvoid."),
    ("The contract is void.", "The court rejected the argument that the contract is void."),
    ("The contract is void.", "Nobody said that the contract is void."),
    ("The contract is void.", "The judge asked whether the contract is void."),
    ("The contract is void.", "Only the annex to the contract is void."),
    ("Employees receive a bonus.", "Some employees receive a bonus."),
    ("Employees receive a bonus.", "Former employees receive a bonus."),
    ("Employees may work from home.", "Employees who have completed their probation may work from home."),
    ("Refunds are paid.", "Refunds are paid only to customers in Norway."),
    ("The Bronze plan has a deductible of $500.", "Gold plan: deductible $500\nBronze plan: deductible $900"),
    ("The dose is 2 mg.", "The dose is **2** g."),
    # a window or limit is not "within" a wider one: it is another rule
    ("Enterprise customers may ask for a refund within 45 days.", REFUND),
    ("Enterprise customers may ask for a refund within 20 days.", REFUND),
    ("Claims must be reported within 90 days.", "Claims must be reported within 60 days of the loss."),
    ("The hotel limit is at most USD 300.", "The hotel limit is at most USD 210 per night."),
    ("Remote work is limited to 30 days.", "Remote work from abroad is limited to 20 days a year."),
    ("The notice period is at least two months.", "The notice period is at least three months."),
    # the right value of the wrong subject
    ("Starter customers may ask for a refund within 30 days.", REFUND),
    ("Enterprise customers have 7 days.", REFUND),
    ("The Delft office closes at 18:00.", "The Rotterdam office closes at 18:00. The Delft office closes at 20:00."),
    ("Birth parents receive eight weeks.", "Birth parents receive 26 weeks. Other parents receive eight weeks."),
    # order of roles
    ("Bob reports to Alice.", "Alice reports to Bob."),
    ("Harbour bought Quay.", "Quay bought Harbour in 2021."),
    # polarity, modality, quantity, condition
    ("The policy covers water damage.", "The policy does not cover water damage."),
    ("Employees must work remotely.", "Employees may work remotely up to three days a week."),
    ("All claims are paid within ten days.", "Some claims are paid within ten days."),
    ("No refund is paid after the window.", "No refund is paid after the window, unless the service failed."),
    ("Sales increased by 20 %.", "Sales decreased by 20 %."),
    ("The fee is USD 50 million.", "The fee is USD 50."),
    ("The deadline is 3 April 2026.", "The deadline is 4 March 2026."),
    ("Refunds take ten calendar days.", "Refunds take ten business days."),
    ("The company denied that the data was lost, so the data was lost.", "The company denied that data was lost."),
]


@pytest.mark.parametrize(("claim", "passage"), FALSE)
def test_a_near_miss_is_never_supported(claim: str, passage: str) -> None:
    assert label(claim, passage) is not SUPPORTED


DEDUCTIBLE = "The deductible is USD 1,000 per claim. Water damage is covered up to USD 50,000."
TRUE = [
    ("Employees receive a bonus.", "Employees receive a bonus, and some managers get a car."),
    ("Anna bought a house.", "Anna bought a house in Oslo in 2012."),
    ("Employees in Berlin may work from home.", "Employees in Berlin may work from home on Fridays."),
    ("The deductible is one thousand dollars per claim.", DEDUCTIBLE),
    ("The deductible is $1000.", DEDUCTIBLE),  # "claim" is a noun here, not reported speech
    ("The deductible for each claim is USD 1,000.", DEDUCTIBLE),
    ("Enterprise customers may ask for a refund within 30 days.", REFUND),
    ("Starter customers have seven days.", REFUND),
    ("Quay bought Harbour.", "Quay bought Harbour in 2021."),
    ("Harbour was bought by Quay in 2021.", "Quay bought Harbour in 2021."),
    ("The policy does not cover water damage.", "The policy doesn't cover water damage."),
    ("The session lasts 720 minutes.", "The session lasts 12 hours."),
    ("Employees may work remotely up to 3 days a week.", "Employees may work remotely up to three days a week."),
    ("The deadline is April 3, 2026.", "The deadline is 3 April 2026."),
    ("The fee is $1.2 million.", "The fee is USD 1,200,000."),
]


@pytest.mark.parametrize(("claim", "passage"), TRUE)
def test_a_true_claim_in_other_words_is_supported(claim: str, passage: str) -> None:
    assert label(claim, passage) is SUPPORTED
