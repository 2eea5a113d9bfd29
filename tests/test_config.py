"""Settings from a file: what is known is read, what is not is refused by name."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from pincite.config import (
    CascadeSettings,
    OnConflict,
    OnUncertain,
    OnUnsupported,
    Policy,
    Prices,
    RetrieveSettings,
    Settings,
    load_settings,
)
from pincite.errors import ConfigError


def written(folder: Path, text: str) -> Path:
    path = folder / "pincite.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_no_file_means_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "pincite.toml") == Settings()


def test_a_file_changes_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    path = written(tmp_path, '[retrieve]\nlimit = 5\n[policy]\non_unsupported = "hand_over"\nmin_kept_fraction = 1\n')
    settings = load_settings(path)
    assert settings.retrieve == RetrieveSettings(limit=5)
    assert settings.policy == Policy(on_unsupported=OnUnsupported.HAND_OVER, min_kept_fraction=1.0)
    assert isinstance(settings.policy.min_kept_fraction, float)
    assert settings.passages == Settings().passages


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour = 1", "colour"),
        ("[retrieve]\nlimti = 5", "retrieve.limti"),
        ("retrieve = 5", "retrieve must be a table"),
        ('[retrieve]\nlimit = "5"', "retrieve.limit must be int, not str"),
        ("[retrieve]\nlimit = true", "retrieve.limit must be int, not bool"),
        ("[retrieve]\nlimit = 5.5", "retrieve.limit must be int, not float"),
        ('[policy]\non_uncertain = "shrug"', "policy.on_uncertain is 'shrug'"),
        ("[policy", "not valid TOML"),
        ('[retrieve]\nprecedence = "country"', "retrieve.precedence must be a list of words"),
        ("[retrieve]\nprecedence = [1]", "retrieve.precedence must be a list of words"),
        ('[retrieve]\nprecedence = ["plan", "plan"]', "retrieve.precedence names one word twice"),
    ],
)
def test_what_is_unknown_or_of_the_wrong_kind_is_named(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(ConfigError, match=r"pincite\.toml.*") as caught:
        load_settings(written(tmp_path, text))
    assert named in str(caught.value)
    assert caught.value.hint


def test_a_choice_that_is_not_one_is_answered_with_the_choices(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_settings(written(tmp_path, '[policy]\non_uncertain = "shrug"'))
    assert all(member.value in caught.value.hint for member in OnUncertain)


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_bytes(b"[policy]\nnext_step = '\xff'\n")
    with pytest.raises(ConfigError, match=r"pincite\.toml cannot be read"):
        load_settings(tmp_path / "pincite.toml")


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").mkdir()
    with pytest.raises(ConfigError, match=r"pincite\.toml cannot be read"):
        load_settings(tmp_path / "pincite.toml")


def test_every_setting_changes_the_fingerprint_and_nothing_else_does() -> None:
    assert Settings().fingerprint() == Settings().fingerprint()
    seen = {Settings().fingerprint()}
    for table in dataclasses.fields(Settings):
        inner = getattr(Settings(), table.name)
        for field in dataclasses.fields(inner):
            value = getattr(inner, field.name)
            match value:
                case OnUnsupported():
                    other: object = OnUnsupported.ABSTAIN
                case OnUncertain():
                    other = OnUncertain.HAND_OVER
                case Prices():
                    other = Prices(input_usd=1.0)
                case CascadeSettings():
                    other = CascadeSettings(on=True)
                case OnConflict():
                    other = OnConflict.HAND_OVER
                case str():
                    other = f"{value}."
                case tuple():
                    other = ("country",)
                case _:
                    other = value + 1
            changed = dataclasses.replace(Settings(), **{table.name: dataclasses.replace(inner, **{field.name: other})})
            seen.add(changed.fingerprint())
    assert len(seen) == 1 + sum(
        len(dataclasses.fields(getattr(Settings(), t.name))) for t in dataclasses.fields(Settings)
    )


@pytest.mark.parametrize(
    "text",
    [
        "[retrieve]\nlimit = 0",
        "[retrieve]\ncandidates = -1",
        "[verify]\naccept_prob = 1.5",
        "[policy]\nmin_kept_fraction = -0.1",
        "[policy]\nmax_related = -1",
        "[verify]\nreject_prob = nan",
    ],
)
def test_a_number_out_of_range_is_named_with_the_range(tmp_path: Path, text: str) -> None:
    (tmp_path / "pincite.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path / "pincite.toml")
    assert "number" in caught.value.hint


def test_no_related_documents_is_a_choice(tmp_path: Path) -> None:
    (tmp_path / "pincite.toml").write_text("[policy]\nmax_related = 0", encoding="utf-8")
    assert load_settings(tmp_path / "pincite.toml").policy.max_related == 0


def test_a_model_is_chosen_by_settings_and_its_key_only_by_the_name_of_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "pincite.toml"
    file.write_text(
        '[generate]\ngenerator = "openai"\nmodel = "m"\nform = "schema"\ntimeout_s = 120\napi_key_env = "MY_KEY"\n'
        "[generate.prices]\ninput_usd = 2.5\n",
        encoding="utf-8",
    )
    generate = load_settings(file).generate
    assert (generate.generator, generate.form, generate.timeout_s) == ("openai", "schema", 120.0)
    assert (generate.prices.input_usd, generate.prices.output_usd) == (2.5, None)


@pytest.mark.parametrize("line", ['api_key = "sk-1"', "timeout_s = -1", "temperature = 3.0", 'generator = "gpt"'])
def test_a_model_setting_that_makes_no_sense_is_refused(line: str, tmp_path: Path) -> None:
    file = tmp_path / "pincite.toml"
    file.write_text(f"[generate]\n{line}\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        load_settings(file)


def test_the_precedence_of_attributes_is_read_in_its_order(tmp_path: Path) -> None:
    settings = load_settings(written(tmp_path, '[retrieve]\nprecedence = ["plan", "country"]\n'))
    assert settings.retrieve.precedence == ("plan", "country")
