"""The command line chooses the generator, and the doctor says whether it can work, without showing a key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.library import Library
from pincite.testing.wire_openai import openai_error, openai_text
from pincite.testing.wire_server import WireServer

TEXT = "# Refunds\n\nEnterprise customers may ask for a full refund within 30 days of the purchase.\n"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    (tmp_path / "refunds.md").write_text(TEXT, encoding="utf-8")
    folder = tmp_path / "library"
    with Library.open(folder, create=True) as opened:
        opened.ingest([tmp_path / "refunds.md"])
    return folder


def configure(library: Path, *lines: str) -> None:
    (library / "pincite.toml").write_text("\n".join(["[generate]", *lines, ""]), encoding="utf-8")


def test_a_supported_draft_of_a_hosted_model_is_answered_with_its_source(
    library: Path, command: Callable[..., Any]
) -> None:
    text = "Enterprise customers may ask for a full refund within 30 days of the purchase [S1]."
    with WireServer(openai_text(text)) as server:
        configure(library, 'generator = "openai"', 'model = "m"', f'base_url = "{server.url}/v1"')
        done = command("ask", "How long is the refund window?", "--library", str(library))
    assert done.code == 0
    assert "30 days" in done.out


def test_a_draft_that_the_passage_contradicts_never_shows(library: Path, command: Callable[..., Any]) -> None:
    replies = [openai_text("Enterprise customers may ask for a full refund within 90 days of the purchase [S1].")] * 3
    with WireServer(*replies) as server:
        configure(library, 'model = "m"', f'base_url = "{server.url}/v1"')
        done = command("ask", "How long is the refund window?", "--library", str(library), "--generator", "openai")
    assert done.code in {4, 5}
    assert "90" not in done.out
    assert len(server.received) >= 1


def test_a_server_that_fails_hands_the_question_over_to_a_person(library: Path, command: Callable[..., Any]) -> None:
    with WireServer(openai_error(401, "Incorrect API key")) as server:
        configure(library, 'generator = "openai"', 'model = "m"', f'base_url = "{server.url}/v1"')
        assert command("ask", "How long is the refund window?", "--library", str(library)).code == 5


def test_a_generator_nobody_knows_is_a_usage_error(library: Path, command: Callable[..., Any]) -> None:
    assert command("ask", "x", "--library", str(library), "--generator", "oracle").code == 2


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "generator: extractive composer (no model, no key)"),
        (['generator = "openai"', 'model = "m"'], "NOT READY: no key: OPENAI_API_KEY is not set"),
        (['generator = "openai"'], "NOT READY: set model"),
        (['generator = "azure"', 'model = "m"'], "NOT READY: set base_url and api_version"),
        (['generator = "openai"', 'model = "m"', 'base_url = "http://localhost:8000/v1"'], "no key (OPENAI_API_KEY is"),
        (['generator = "openai"', 'model = "m"', 'api_key_env = "MY_KEY"'], "key from MY_KEY"),
        (['generator = "local"', 'model = "/none/m.gguf"'], "NOT READY: there is no file /none/m.gguf"),
    ],
)
def test_the_doctor_says_what_the_generator_lacks_and_never_shows_a_key(
    lines: list[str], says: str, library: Path, command: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("MY_KEY", "sk-secret")
    configure(library, *lines)
    done = command("doctor", "--library", str(library))
    assert says in done.out
    assert "sk-secret" not in done.out + done.err
    assert done.code == (1 if "NOT READY" in says else 0)
