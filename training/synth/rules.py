"""Short rule texts in the manner of handbooks, contracts, plans and leaflets, filled with values drawn at random.

Real policies are few; these give every edit sentences to work on in the registers that matter: insurance, staff rules,
contracts, medicine, software manuals.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from training.synth import values as v
from training.synth.sources import Text

if TYPE_CHECKING:
    import random

_SLOTS: dict[str, tuple[str, ...]] = {
    "who": ("Employees", "Part-time staff", "Contractors", "Managers", "Members", "Customers", "Tenants", "Patients",
            "Policyholders", "Applicants", "Students", "Suppliers", "Account owners", "Visitors"),
    "one": ("the employee", "the manager", "the customer", "the supplier", "the insurer", "the policyholder", "the tenant",
            "the landlord", "the buyer", "the seller", "the administrator", "the auditor", "the agency", "the client"),
    "two": ("the employer", "the HR team", "the claims office", "the licensor", "the licensee", "the lender",
            "the borrower", "the contractor", "the data protection officer", "the help desk", "the board", "the regulator"),
    "thing": ("the claim form", "the expense report", "the incident report", "the application", "the renewal notice",
              "the signed contract", "the medical certificate", "the final invoice", "the travel request", "the audit file"),
    "day": ("business days", "calendar days", "working days", "days", "days", "weeks", "months", "hours"),
    "plan": ("Basic", "Plus", "Premium", "Family", "Team", "Enterprise", "Silver", "Gold"),
    "good": ("parental leave", "remote work", "dental treatment", "physiotherapy", "a hotel upgrade", "overtime pay",
             "a training allowance", "a company car", "relocation support", "priority support", "a refund", "data export"),
    "when": ("if the manager agrees in writing", "if the account has been active for a year", "unless the contract says otherwise",
             "provided that the form is signed", "if the treatment was approved in advance", "unless a doctor objects",
             "if the invoice is not disputed", "as long as the fee has been paid"),
    "drug": ("Amoxan", "Belorin", "Cardex", "Dolmet", "Enalin", "Fexor"),
    "how": ("by email", "in writing", "through the portal", "by registered mail", "by phone"),
    "modal": ("must", "may", "must not", "may not", "should", "will", "can"),
    "every": ("month", "quarter", "year", "week"),
    "some": ("All", "Some", "Most of the", "Many", "No"),
    "item": ("receipts", "passwords", "backups", "complaints", "invoices", "records", "devices", "log files"),
    "act": ("be kept for {n} years", "be approved by {two}", "be deleted after {n} months", "be reviewed every {every}",
            "be encrypted", "be sent to {two}"),
}  # fmt: skip

_SHAPES: tuple[str, ...] = (
    "{who} {modal} submit {thing} to {two} within {n} {day}.",
    "{who} are entitled to {good} {when}.",
    "{who} are entitled to {n} days of paid leave per year.",
    "{One} {modal} notify {two} {how} at least {n} {day} before the start.",
    "{One} pays {two} a fee of {money} per {every}.",
    "{Two} will reimburse up to {money} per {every} for {good}.",
    "{The} {plan} plan includes {good} and costs {money} per month.",
    "{The} {plan} plan covers {pct}% of the cost of {good} after a waiting period of {n} months.",
    "{The} recommended dose of {drug} is {mg} mg every {h} hours.",
    "Do not take more than {mg} mg of {drug} in {h} hours.",
    "{some} {item} must {act}.",
    "If {one} does not respond within {n} {day}, {two} may end the agreement.",
    "{One} may end the agreement with {n} {day} of notice {when}.",
    "The agreement begins on {date} and ends on {date2}.",
    "The rule takes effect on {date} and replaces the version of {date2}.",
    "The server allows {big} requests per hour and stores backups for {n} days.",
    "A late payment is charged interest of {pct}% per year from the due date.",
    "{One} must inform {two} about any incident within {h} hours.",
    "{Two} approves {thing} before {one} receives payment.",
    "{who} with more than {n} years of service receive a bonus of {money}.",
    "Children under {n} travel free of charge when they are with an adult.",
    "The deposit of {money} is refunded within {n} {day} after the end of the lease.",
    "{who} usually receive an answer within {n} {day}.",
    "Up to {n} guests are allowed, and visits should end before {h} pm.",
    "In {year}, {big} claims were filed and {pct}% of them were accepted.",
    "The probation period lasts {n} months and can be extended once {when}.",
    "{drug} is approved for adults but not for children under {n}.",
    "{who} are not allowed to share {item} with anyone outside the company.",
)


def _fill(shape: str, rng: random.Random) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        low = name.lower()
        if name == "The":
            return "The"
        if low in _SLOTS:
            chosen = _fill(rng.choice(_SLOTS[low]), rng)
            return chosen[0].upper() + chosen[1:] if name[0].isupper() else chosen
        return _number(name, rng)

    return re.sub(r"\{(\w+)\}", value, shape)


def _number(name: str, rng: random.Random) -> str:
    if name.startswith("date"):
        month, day, year = rng.choice(v.MONTHS), rng.randint(1, 28), rng.randint(2015, 2027)
        return rng.choice((f"{month} {day}, {year}", f"{day} {month} {year}"))
    if name == "money":
        amount = rng.choice((rng.randrange(5, 100, 5), rng.randrange(100, 1000, 50), rng.randrange(1000, 20000, 500)))
        return f"{rng.choice('$$€£')}{amount:,}"
    low, high, step = {"n": (2, 60, 1), "pct": (5, 95, 5), "mg": (5, 800, 5), "h": (2, 12, 2), "big": (1000, 90000, 100),
                       "year": (2012, 2025, 1)}[name]  # fmt: skip
    number = rng.randrange(low, high + 1, step)
    return f"{number:,}" if name == "big" else str(number)


def rule_texts(count: int, rng: random.Random) -> list[Text]:
    """``count`` texts of five rules each; no rule comes twice in a text."""
    return [
        Text(name="rules", sentences=tuple(_fill(shape, rng) for shape in rng.sample(_SHAPES, 5))) for _ in range(count)
    ]
