"""Changing a settings file by key, with everything else left alone."""

import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.app.settings_file import ABSENT, change_file, edited, file_version
from paige.base.errors import BadInput, Conflict, PaigeError
from paige.doors.settings.page import masked

KEYS = st.sampled_from(["provider", "model_haiku", "base_url", "fallback", "passcode"])
VALUES = st.text(max_size=60).filter(lambda text: "\0" not in text and text.isprintable())
COMMENTS = st.text(string.ascii_letters + " =[]\"'#", max_size=30)


@st.composite
def files(draw: st.DrawFn) -> tuple[str, dict[str, str]]:
    """A settings file as people write them, and what it says."""
    said = draw(st.dictionaries(KEYS, VALUES, max_size=5))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    lines: list[str] = []
    for key, value in said.items():
        lines += [f"# {draw(COMMENTS)}".rstrip()] * draw(st.integers(0, 2))
        lines += [""] * draw(st.integers(0, 1))
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        lines.append(f'{key} = "{quoted}"{draw(st.sampled_from(["", "  # why"]))}')
    return "".join(line + end for line in lines), said


@given(file=files(), changes=st.dictionaries(KEYS, st.none() | VALUES, max_size=4))
def test_only_what_was_changed_is_different(
    file: tuple[str, dict[str, str]], changes: dict[str, str | None]
) -> None:
    text, said = file
    made = edited(text, changes)

    wanted = {key: value for key, value in {**said, **changes}.items() if value is not None}
    assert tomllib.loads(made.replace("\r\n", "\n")) == wanted
    kept = [line for line in text.splitlines() if line.startswith("#")]
    after = made.splitlines()
    assert all(line in after for line in kept)
    untouched = [
        line for line in text.splitlines() if line.partition(" = ")[0] in said.keys() - changes
    ]
    assert all(line in after for line in untouched)


@given(text=st.text(max_size=200))
def test_whatever_stands_in_the_file_it_is_changed_rightly_or_left(text: str) -> None:
    try:
        made = edited(text, {"provider": "local"})
    except BadInput:
        return
    assert tomllib.loads(made.replace("\r\n", "\n"))["provider"] == "local"


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "paige.toml"
    place.write_text('provider = "local"\n')
    (tmp_path / ".paige.toml.lock").mkdir()
    with pytest.raises(PaigeError, match="could not be written"):
        change_file(place, {"provider": "openai"}, base=file_version(place))
    assert place.read_text() == 'provider = "local"\n'


def test_two_who_began_with_the_same_version_do_not_both_win(tmp_path: Path) -> None:
    place = tmp_path / "ai" / "paige.toml"
    change_file(place, {"provider": "openai"}, base=ABSENT)
    with pytest.raises(Conflict):
        change_file(place, {"provider": "local"}, base=ABSENT)

    assert place.read_text() == 'provider = "openai"\n'
    assert place.stat().st_mode & 0o777 == 0o600


@given(secret=st.text(string.ascii_letters + string.digits + "-_", max_size=120))
def test_of_a_secret_at_most_its_end_is_shown(secret: str) -> None:
    shown = masked(secret).removeprefix("••••")

    assert len(shown) <= 4
    assert len(secret) >= 20 or shown == ""
