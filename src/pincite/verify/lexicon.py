"""Words that carry meaning the overlap of words does not see. Written for this project; English.

Changing a list changes verdicts: the verifier's fingerprint covers every file of this package.
"""

from __future__ import annotations

from pincite.text.words import stem
from pincite.verify.opposites import ANTONYMS, SYNONYMS

__all__ = ["ANTONYMS", "SYNONYMS"]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words(
    """
    not no never none neither nor cannot can't don't doesn't didn't won't wouldn't shouldn't couldn't isn't aren't
    wasn't weren't hasn't haven't hadn't mustn't shan't nobody nothing nowhere without n't
    hardly scarcely barely rarely seldom
    """
)
IMPLICIT_NEGATIONS = _words(
    """
    fail fails failed refuse refuses refused deny denies denied prohibit prohibits prohibited forbid forbids forbidden
    exclude excludes excluded lack lacks lacked lacking unable ineligible prevent prevents prevented ban bans banned
    waive waives waived hardly rarely seldom barely exempt
    """
)
"""Words that say no without a particle: an explicit "not" on the other side may match them."""

MUST = _words(
    "must shall required requires require mandatory obligatory compulsory obliged obligated needs need has-to have-to"
)
MAY = _words(
    "may can could might optional optionally voluntary allowed allows permitted permits entitled eligible able"
)
SHOULD = _words("should ought recommended recommends recommend advised encouraged suggested")
HEDGES = _words(
    "may might could possibly perhaps probably likely potentially appears seems suggests suggest unclear expected"
)

ALL = _words("all every each any everyone everybody always entire whole both fully completely entirely full")
MOST = _words("most majority mostly usually generally typically normally largely mainly primarily")
SOME = _words(
    """
    some several many few certain sometimes occasionally partly partially often various part half selected
    """
)
NONE = _words("no none never nobody neither nothing")
ONLY = _words("only solely exclusively just merely alone")

REPORTING = _words(
    """
    claim claims claimed allege alleges alleged argue argues argued believe believes believed contend contends
    contended suggest suggested speculate speculated assert asserts asserted rumour rumours rumor rumors rumoured
    insist insists insisted propose proposes proposed proposal plan plans planned hope hopes hoped intend intends
    intended request requests requested demand demands demanded critics reportedly allegedly supposedly purportedly
    myth misconception hypothesis draft hypothetically consider considered considering threatened expects expected
    forecast forecasts predicts predicted projected
    """
)
DENYING = _words(
    "deny denies denied denying reject rejects rejected dispute disputes disputed refute refuted false untrue myth debunked"  # noqa: E501
)
STRONG_REPORT = _words(
    """
    allegedly reportedly supposedly purportedly rumour rumours rumor rumors rumoured myth misconception proposal
    proposed proposes draft alleged alleges allege hypothesis critics speculated threatened requested demanded
    considered considering
    """
)
"""Of these, those that never go with a fact."""
REPORT_NOUNS = _words("claim claims plan plans request requests demand demands")
"""Of the words above, those that are as often things as speech."""
ANSWERABLE_REPORT = _words(
    """
    said says say stated states according reported reports announced told explained wrote think thinks thought
    claim claims claimed
    allege alleges alleged argue argues argued believe believes believed contend contends suggest suggests
    suggested assert asserts
    insist insists reportedly allegedly supposedly rumour rumor rumoured propose proposes proposed proposal plan
    plans planned hope
    hopes intend intends request requests requested demand draft consider considered considering expect expects
    expected forecast
    forecasts predicts predicted projected deny denies denied critics myth
    """
)
"""A claim with one of these words reports too, so nothing was dropped."""

CONDITIONS = (
    "unless", "only if", "only when", "only where", "except", "provided that", "provided", "providing", "subject to",
    "as long as", "so long as", "on condition", "on the condition", "conditional on", "if", "in case", "other than", "excluding", "save for",  # noqa: E501
    "save where", "apart from", "with the exception of", "contingent on", "pending", "otherwise",
)  # fmt: skip
WEAK_CONDITIONS = ("when", "where", "until", "before", "after", "during", "while", "for those", "who", "whose")

FIRST_PERSON = _words("we us our ours")
SPEAKERS = frozenset(
    stem(word)
    for word in "company organisation organization provider firm business vendor team service".split()  # noqa: SIM905
)
"""What a document may be called that speaks of itself as "we"."""

ROLE_VERBS = _words(
    """
    acquire buy sell pay owe lend lease rent sue notify inform approve reject manage supervise lead employ hire
    insure cover replace
    precede follow supply provide own control defeat beat kill treat cause prevent indemnify reimburse compensate report
    transfer assign license send give grant appoint elect succeed support protect attack invade conquer teach
    train audit review
    inspect serve represent advise contact call help invite meet visit charge refund repay outperform exceed
    surpass overtake
    merge purchase sponsor fund finance found create invent discover write direct produce design build publish host rank
    include contain contract engage invoice bill oversee inhibit activate block bind regulate affect influence trigger
    stimulate suppress outrank depend guarantee
    """
)
ROLE_STEMS = frozenset(stem(word) for word in ROLE_VERBS)
PIVOTS = _words("than before after above below")
