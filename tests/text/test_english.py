from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.text.english import looks_english


@pytest.mark.parametrize(
    "text",
    ["How long is the refund window?", "VPN session length", "POL-55012", "", "??", "Is the Über policy still on?"],
)
def test_english_and_bare_keywords_pass(text: str) -> None:
    assert looks_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Wie viele Tage Urlaub gibt es im Jahr?",
        "¿Cuántos días de vacaciones hay?",
        "Combien de jours de congé pour les employés ?",
        "退款期限是多久？",
        "वापसी की अवधि कितनी है?",
        "كم مدة الاسترداد؟",
    ],
)
def test_other_languages_do_not(text: str) -> None:
    assert not looks_english(text)


@given(st.text())
def test_any_text_gets_a_verdict(text: str) -> None:
    assert looks_english(text) in {True, False}
