"""Which sentences need no support, and that none of them can carry a fact past the gate."""

from __future__ import annotations

import pytest

from pincite.cite import cite
from pincite.types import ClaimKind

META = [
    "Hello!",
    "Hi there,",
    "Hello, thank you for your question.",
    "Good morning.",
    "Sure!",
    "Of course.",
    "Great question!",
    "Thanks for asking.",
    "Thank you for your question.",
    "I am happy to help.",
    "I hope this helps!",
    "Let me know if you have any other questions.",
    "Please let me know if you need anything else.",
    "Here is what I found:",
    "Here's what I found.",
    "Here is a summary:",
    "Based on the provided documents, here is what I found:",
    "In summary:",
    "I could not find this in the documents.",
    "I couldn't find any information about this in the provided documents.",
    "I could not find an answer to your question in the documents.",
    "I'm sorry, but I could not find that in the sources.",
    "I am sorry, I cannot answer this question.",
    "Unfortunately, I could not find information on the dental plan in the documents.",
    "I cannot find whether MFA is optional in the documents.",
    "I could not determine when the policy starts.",
    "I don't know.",
    "IDK",
    "Nothing found.",
    "I do not have information about parental leave.",
    "I was unable to find this in the documents.",
    "I wasn't able to find that in the provided sources.",
    "The documents do not mention a multi-policy discount.",
    "The provided documents do not contain information about this.",
    "The documents do not say anything about parental leave.",
    "There is no information about parental leave in the documents.",
    "No relevant information was found in the documents.",
    "Hallo!",
    "Guten Tag.",
    "Vielen Dank.",
    "Leider konnte ich dazu nichts finden.",
    "Ich konnte dazu in den Dokumenten keine Informationen finden.",
    "Die Dokumente enthalten dazu keine Angaben.",
    "Hier ist, was ich gefunden habe:",
    "Bonjour !",
    "Merci.",
    "Je suis désolé, je ne peux pas répondre à cette question.",
    "Voici ce que j'ai trouvé :",
    "¡Hola!",
    "Lo siento, no puedo responder a esta pregunta.",
    "Gracias.",
    "你好！",
    "抱歉，我无法回答这个问题。",
    "文档中没有相关信息。",
    "नमस्ते।",
    "क्षमा करें, मुझे दस्तावेज़ों में यह जानकारी नहीं मिली।",
]
GUIDANCE = [
    "Please contact HR.",
    "Contact HR.",
    "Please contact the HR department for more information.",
    "Please reach out to your manager.",
    "Ask your manager before booking.",
    "You should speak with your supervisor.",
    "For more information, please contact the support team.",
    "For further details, see the travel policy.",
    "If you have questions, contact the IT help desk.",
    "Please check with Legal.",
    "Please refer to the employee handbook.",
    "I recommend contacting HR directly.",
    "Please consult your doctor or lawyer.",
    "Bitte wenden Sie sich an die Personalabteilung.",
    "Bei Fragen wenden Sie sich bitte an die Personalabteilung.",
    "Pour plus d'informations, veuillez contacter le service client.",
    "如有疑问，请联系人力资源部。",
    "Veuillez contacter le service client.",
    "Por favor, contacte con el departamento de recursos humanos.",
    "请联系人力资源部。",
    "कृपया एचआर से संपर्क करें।",
]
QUESTION = [
    "Would you like more detail?",
    "Which plan are you on?",
    "Could you clarify your question?",
    "Can I help with anything else?",
    "What is your country?",
    "Möchten Sie mehr wissen?",
]
FACTUAL = [
    "Please note that the refund window is 45 days.",
    "The limit is 20.",
    "Yes.",
    "No.",
    "Paris",
    "MFA is optional.",
    "Absolutely.",
    "Hello, the limit is 5,000.",
    "Hello and the cap is gone.",
    "Hi there, MFA is optional.",
    "Sure, MFA is optional!",
    "Thanks, the answer is yes.",
    "I could not find X, but the limit is 20.",
    "I could not find it, but MFA is optional.",
    "I could not find this in the documents, however MFA is optional.",
    "I could not find that MFA is required.",
    "We can't have them dancing around forever.",
    "I can provide a refund to members.",
    "I can find the limit in the documents.",
    "We do provide insurance to staff.",
    "I was able to confirm the discount.",
    "I could not find this in the documents; MFA is optional.",
    "I could not find this in the documents because MFA is optional.",
    "I could not find this in the documents, which say MFA is optional.",
    "I could not find any limit of 20 days.",
    "I could not find the twelve rules.",
    "Unfortunately, refunds are closed.",
    "I am sorry, but refunds take ten days.",
    "I cannot say that MFA is required.",
    "I can confirm that MFA is optional.",
    "I can tell you the fee is waived.",
    "The documents do not say MFA is required.",
    "The documents do not cover water damage, so it is excluded.",
    "The documents do not mention a limit of 20 days.",
    "The documents say that MFA is optional.",
    "There is no limit.",
    "There is no discount.",
    "There is no information desk in the lobby.",
    "There is no information requirement; refunds are free.",
    "Contact HR, which must reply within 3 days.",
    "Contact HR, who must reply quickly.",
    "Contact HR within 3 days.",
    "Please contact HR because refunds are closed.",
    "Please contact HR at 555-1234.",
    "Please contact HR for your unlimited leave.",
    "Please contact HR before Friday.",
    "Please contact HR about the free travel.",
    "Please contact HR if you want MFA disabled, as it is optional.",
    "Ask your manager before booking, since economy is mandatory.",
    "Ask your manager before booking flights over eight hours.",
    "See the travel policy, which allows business class.",
    "See the travel policy for Acme Holdings.",
    "Submit the form to finance.",
    "Pay the fee to the office.",
    "Refunds are made by the support team.",
    "As an AI I can say that MFA is optional.",
    "As an AI, I cannot give legal advice, but MFA is optional.",
    "Here is what I found: the limit is 20.",
    "Here is what I found: MFA is optional.",
    "In summary, MFA is optional.",
    "In short: no refunds.",
    "Based on the documents, MFA is optional.",
    "According to the documents, refunds take ten days.",
    "Did you know that MFA is optional?",
    "Did you know the limit is 20?",
    "Do you want the free upgrade?",
    "MFA is optional, right?",
    "Isn't MFA optional?",
    "I hope this helps, as MFA is optional.",
    "Let me know if you have any questions about the 45 day window.",
    "Great question, MFA is optional.",
    "Hallo, die Frist endet.",
    "Leider ist die Frist abgelaufen.",
    "Bitte beachten Sie, dass die Frist abgelaufen ist.",
    "Bitte wenden Sie sich an die Personalabteilung, die kostenlos hilft.",
    "Die Dokumente enthalten dazu nichts, aber MFA ist freiwillig.",
    "Bonjour, la limite est atteinte.",
    "Hola, el límite es alto.",
    "抱歉，限额为20。",
    "你好，不需要审批。",
    "नमस्ते, सीमा समाप्त है।",
    "It does not cover water damage.",
    "Alice reports to Bob.",
    "30 days",
]


def _kinds(text: str) -> set[ClaimKind]:
    return {claim.kind for claim in cite(text, {}).claims}


@pytest.mark.parametrize("sentence", META)
def test_a_courtesy_a_refusal_or_an_announcement_needs_no_support(sentence: str) -> None:
    assert _kinds(sentence) == {ClaimKind.META}


@pytest.mark.parametrize("sentence", GUIDANCE)
def test_a_pointer_to_a_person_or_place_is_guidance(sentence: str) -> None:
    assert _kinds(sentence) == {ClaimKind.GUIDANCE}


@pytest.mark.parametrize("sentence", QUESTION)
def test_a_question_back_is_a_question(sentence: str) -> None:
    assert _kinds(sentence) == {ClaimKind.QUESTION}


@pytest.mark.parametrize("sentence", FACTUAL)
def test_a_statement_is_factual_however_it_is_dressed(sentence: str) -> None:
    assert ClaimKind.FACTUAL in _kinds(sentence)


@pytest.mark.parametrize("sentence", [s for s in FACTUAL if len(s.split()) > 2 and not s.endswith(("?", "!"))])
@pytest.mark.parametrize(
    "opening", ["Hello! ", "I could not find this in the documents. ", "Please contact HR. ", "**Note:** "]
)
def test_a_fact_stays_factual_behind_a_courtesy(opening: str, sentence: str) -> None:
    assert ClaimKind.FACTUAL in _kinds(opening + sentence)


@pytest.mark.parametrize("sentence", [*META, *GUIDANCE])
def test_a_known_form_that_goes_on_with_a_fact_is_factual(sentence: str) -> None:
    assert ClaimKind.FACTUAL in _kinds(f"{sentence.rstrip('.!:。！।')} but the limit is 20.")
    assert ClaimKind.FACTUAL in _kinds(f"{sentence.rstrip('.!:。！।')}, and MFA is optional.")


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Refunds", ClaimKind.META),
        ("1. Refunds", ClaimKind.META),
        ("Step 2: Refunds", ClaimKind.META),
        ("Refund policy for members", ClaimKind.META),
        ("The refund window is 45 days", ClaimKind.FACTUAL),
        ("MFA is optional", ClaimKind.FACTUAL),
        ("No refunds allowed", ClaimKind.FACTUAL),
        ("No refunds", ClaimKind.FACTUAL),
        ("Unlimited leave", ClaimKind.FACTUAL),
        ("45 days", ClaimKind.FACTUAL),
        ("Refunds take ten days", ClaimKind.FACTUAL),
    ],
)
def test_a_heading_is_meta_unless_it_states_something(heading: str, kind: ClaimKind) -> None:
    assert _kinds(f"# {heading}") == {kind}


@pytest.mark.parametrize(
    ("lead", "kind"),
    [
        ("The rules are:", ClaimKind.META),
        ("The following rules apply:", ClaimKind.META),
        ("Refund rules:", ClaimKind.META),
        ("The rules are as follows:", ClaimKind.META),
        ("The limit is 20 for these:", ClaimKind.FACTUAL),
        ("MFA is optional for:", ClaimKind.FACTUAL),
        ("Refunds are never possible, except:", ClaimKind.FACTUAL),
        ("You need approval from HR:", ClaimKind.FACTUAL),
        ("There are three kinds of leave:", ClaimKind.FACTUAL),
    ],
)
def test_a_line_that_introduces_a_list_is_meta_only_when_it_announces(lead: str, kind: ClaimKind) -> None:
    assert cite(f"{lead}\n\n- one item here", {}).claims[0].kind is kind
