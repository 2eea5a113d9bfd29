"""Cases that must never go wrong, whatever else is tuned. A claim here is judged against the passages it cites."""

from __future__ import annotations

import pytest

from pincite import check
from pincite.types import Pair, Passage, VerdictLabel
from pincite.verify import AlignmentVerifier

REFUND = "Enterprise customers may ask for a refund within 30 days. Starter customers have 7 days."
SUPPORTED = VerdictLabel.SUPPORTED


def label(claim: str, *passages: str) -> VerdictLabel:
    markers = "".join(f"[{n}]" for n in range(1, len(passages) + 1))
    checked = check(f"{claim.rstrip('.')} {markers}.", list(passages))
    assert len(checked.claims) == 1
    return checked.claims[0].verdict.label


PLANS = (
    "| Plan | Monthly premium | Annual deductible | Out-of-pocket maximum |\n|---|---|---|---|\n"
    "| Bronze | $310 | $6,500 | $9,100 |\n| Gold | $560 | $1,200 | $7,000 |"
)
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
    ("It is a myth that the contract is void.", "The contract is void."),
    ("False: the contract is void.", "The contract is void."),
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
    # one word or one preposition exchanged, one word put in, an exception or a denial told as the rule
    (
        "The notice period is three months during probation.",
        "The notice period is four weeks during probation and three months afterwards.",
    ),
    ("The commute counts as working time.", "Travel time counts as working time except for the commute."),
    (
        "The policyholder may cancel the policy with 30 days' written notice.",
        "The insurer may cancel the policy with 30 days' written notice.",
    ),
    ("Storm damage is covered up to EUR 250,000 per year.", "Storm damage is covered up to EUR 250,000 per event."),
    (
        "Sick notes are required after the third day of absence.",
        "Sick notes are required from the third day of absence.",
    ),
    ("Coverage starts on the day of payment.", "Coverage starts on the day after payment."),
    ("Coverage ends before 31 March.", "Coverage ends on 31 March."),
    ("LOG_LEVEL may be set to debug in production.", "Set LOG_LEVEL to debug only in staging."),
    (
        "Claims must be reported within seven days of discovery of the damage.",
        "Claims must be reported within seven days of the damage.",
    ),
    ("Kestrel runs on MySQL.", "Kestrel depends on PostgreSQL 13 or newer; MySQL is not supported."),
    (
        "By default the API server accepts connections from any host on port 8080.",
        "By default the API server accepts connections from localhost only, on port 8080.",
    ),
    ("The --legacy flag was added in version 3.2.", "Version 3.2 removed the --legacy flag."),
    ("The tenant may enter the flat with 24 hours' notice.", "The landlord may enter the flat with 24 hours' notice."),
    ("Parking costs EUR 5 per day.", "Parking costs EUR 5 per hour."),
    ("The guarantee begins on the day after delivery.", "The guarantee begins on the day of delivery."),
    ("Applications are accepted after 1 May.", "Applications are accepted until 1 May."),
    ("Dogs are admitted.", "All animals are admitted except for dogs."),
    ("Members pay 15 euros on weekdays.", "Members pay 10 euros on weekdays and 15 euros on weekends."),
    ("The service listens on port 80.", "The service listens on port 443; port 80 is closed."),
    ("The cache option was dropped in version 2.", "Version 2 introduced the cache option."),
    ("Flood damage is covered up to EUR 10,000.", "Fire damage is covered up to EUR 10,000."),
    ("The director approves travel.", "The manager approves travel."),
    ("Backups are kept for 30 days in Dublin.", "Backups are kept for 30 days in Frankfurt."),
    ("Invoices are due within 14 days of dispatch.", "Invoices are due within 14 days of receipt."),
    ("The pool opens at 9:00 on weekdays.", "The pool opens at 7:00 on weekdays and at 9:00 on Sundays."),
    ("A badge is mandatory for guests.", "A badge is mandatory for staff and optional for guests."),
    ("Data is processed in Ireland.", "Data is stored in Ireland and processed in Germany."),
    ("The report was reviewed by Weber.", "The report was written by Weber and reviewed by Schmidt."),
    ("Dogs are allowed in the dining room.", "Dogs are allowed except in the dining room."),
    ("Free parking applies during events.", "Free parking applies unless an event is on."),
    ("The fee is EUR 50 in the first year.", "The first year is free; afterwards the fee is EUR 50."),
    ("Alcohol is served until 18:00.", "Alcohol is served from 18:00."),
    ("The Bronze plan has an annual deductible of $9,100.", PLANS),
    ("The Gold plan has an annual deductible of $6,500.", PLANS),
    # crossed clauses, sentences, rows; left out: who it is for, who says so, that it is over
    ("The mileage rate is 45 pence.", "Before June 2024 the mileage rate was 45 pence."),
    (
        "Version 3.2 requires Python 3.11 or later.",
        "Version 3.2 dropped Python 3.8. Version 4.0 requires Python 3.11 or later.",
    ),
    ("Members can invite guests.", "Only owners can invite guests; members can view them."),
    (
        "The credit is 20% when uptime falls below 99.5%.",
        "The credit is 5% when uptime falls below 99.5%, and 20% when it falls below 98.0%.",
    ),
    ("Staff may drive the van.", "Staff who have passed the exam may drive the van."),
    ("The app runs on Windows, macOS and Linux.", "The app runs on Windows and macOS. Linux support is planned."),
    ("The bridge is safe.", "The minister believes that the bridge is safe."),
    ("Most complaints are upheld.", "Hardly any complaints are upheld."),
    ("The job runs nightly at 02:00 EST.", "The job runs nightly at 02:00 UTC."),
    ("The Gold plan has a fee of $425.", "| Plan | Fee |\n|---|---|\n| Silver | $425 |\n| Gold | $560 |"),
    (
        "The Customer may terminate if the Supplier becomes insolvent.",
        "The Supplier may terminate if the Customer becomes insolvent.",
    ),
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
    ("The limit can be raised to at most 40 seconds.", "The limit can be raised to a maximum of 40 seconds."),
    ("Data is processed in Germany.", "Data is stored in Ireland and processed in Germany."),
    ("Schmidt reviewed the report.", "The report was written by Weber and reviewed by Schmidt."),
    ("Dogs are not allowed in the dining room.", "Dogs are allowed except in the dining room."),
    ("On Sundays the pool opens at 9:00.", "The pool opens at 7:00 on weekdays and at 9:00 on Sundays."),
    ("After the first year the fee is EUR 50.", "The first year is free; afterwards the fee is EUR 50."),
    ("Alcohol is served after 18:00.", "Alcohol is served from 18:00."),
    ("The Gold plan has an annual deductible of $1,200.", PLANS),
    ("The annual deductible of the Bronze plan is $6,500.", PLANS),
    # passives, values in words, the other clause, the exception told as one
    ("The flag was removed in version 3.2.", "Version 3.2 removed the flag."),
    ("Storm damage is covered up to a quarter of a million euros.", "Storm damage is covered up to EUR 250,000."),
    ("The deductible is EUR 500.", "The deductible is EUR 500 per claim."),
    ("Storm damage has a deductible of EUR 500.", "The deductible is EUR 500 per claim for storm damage."),
    (
        "The notice period is four weeks during probation.",
        "The notice period is four weeks during probation and three months afterwards.",
    ),
    (
        "During probation, the notice period is four weeks.",
        "The notice period is four weeks during probation and three months afterwards.",
    ),
    ("Coverage begins on the day after payment.", "Coverage starts on the day after payment."),
    ("Cover starts the day after payment.", "Coverage starts on the day after payment."),
    (
        "Claims must be reported within seven days after the damage.",
        "Claims must be reported within seven days of the damage.",
    ),
    ("Damage must be reported within seven days.", "Claims must be reported within seven days of the damage."),
    ("Kestrel does not support MySQL.", "Kestrel depends on PostgreSQL 13 or newer; MySQL is not supported."),
    ("Kestrel needs PostgreSQL 13 or newer.", "Kestrel depends on PostgreSQL 13 or newer; MySQL is not supported."),
    ("The commute does not count as working time.", "Travel time counts as working time except for the commute."),
    (
        "For each event, storm damage is covered up to EUR 250,000.",
        "Storm damage is covered up to EUR 250,000 per event.",
    ),
    (
        "The policy may be cancelled by the insurer with 30 days' written notice.",
        "The insurer may cancel the policy with 30 days' written notice.",
    ),
    (
        "From the third day of absence a sick note is required.",
        "Sick notes are required from the third day of absence.",
    ),
    ("Members pay 15 euros on weekends.", "Members pay 10 euros on weekdays and 15 euros on weekends."),
    ("The budget was approved in March by Anna Keller.", "Anna Keller approved the budget in March."),
    ("The report was published in 2020.", "The council published the report in 2020."),
]


@pytest.mark.parametrize(("claim", "passage"), TRUE)
def test_a_true_claim_in_other_words_is_supported(claim: str, passage: str) -> None:
    assert label(claim, passage) is SUPPORTED


NOT_CONTRADICTED = [
    ("The backup runs four times a day.", "The backup runs every six hours."),
    ("The API server listens on port 8080.", "The API server accepts connections from localhost only, on port 8080."),
]


@pytest.mark.parametrize(("claim", "passage"), NOT_CONTRADICTED)
def test_a_true_claim_that_is_too_far_from_the_words_is_at_least_not_contradicted(claim: str, passage: str) -> None:
    assert label(claim, passage) is not VerdictLabel.CONTRADICTED


def test_a_text_of_thousands_of_words_is_no_claim_and_is_never_supported() -> None:
    text = " ".join(f"The fee for item {i} is {i} euros." for i in range(1000))
    passage = Passage(passage_id="p", text=text, end=len(text), document_id="d")
    judged = AlignmentVerifier().judge([Pair(claim=text.replace("fee", "charge"), passages=(passage,))])[0]
    assert judged.label is VerdictLabel.UNVERIFIED
