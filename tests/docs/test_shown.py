"""How commands, clicks and outputs are read from a page, and how output is compared."""

import pytest

from tests.docs.clicks import clicks_of
from tests.docs.executing import unsafe
from tests.docs.shown import missing
from tests.docs.steps import split

CAME = """\
Taken from your list: 12 features.
ok    database: `/home/ada/.paige/paige.db` is whole, schema 0013
run editor   5.4 s  4,440 in, 60 out  $0.0036  success
"""


@pytest.mark.parametrize(
    "shown",
    [
        "Taken from your list: 2 features.",
        "ok database: `/tmp/x/paige.db` is whole, schema 0003",
        "run editor        28 ms  1 in, 2 out  $1.00  success",
        "Taken from …",
        "Taken from your list: 2 features.\n…\nrun editor … success",
    ],
)
def test_numbers_paths_and_days_may_differ(shown: str) -> None:
    assert missing(shown, CAME) == []


@pytest.mark.parametrize(
    "shown",
    [
        "Taken from my list: 2 features.",
        "ok database: `/tmp/x/paige.db` is broken, schema 0003",
        "run editor … success\nTaken from your list: 2 features.",
    ],
)
def test_words_and_the_order_of_lines_may_not(shown: str) -> None:
    assert missing(shown, CAME) == shown.splitlines()[-1:]


def test_a_block_is_split_into_commands_with_their_lines() -> None:
    script = "# why\na <this one> \\\n  b | c\nd <<'END'\n- x\nEND\n\nE=1 f && g # h\n"

    assert list(split(script)) == [
        ("a <this one> \\\n  b | c", 1),
        ("d <<'END'\n- x\nEND", 3),
        ("E=1 f && g", 7),
    ]


@pytest.mark.parametrize(
    ("command", "safe"),
    [
        ("paige up", True),
        ("PORT=1 .venv/bin/paige up 2>&1 | tee paige.log", True),
        ("echo '{\"a\": 1}' | paige hook claude-code", True),
        ("systemctl enable --now paige", False),
        ("paige up && sudo reboot", False),
        ('echo "$(rm -rf ~)"', False),
        ("cp paige.service /etc/systemd/system/", False),
    ],
)
def test_only_what_stays_at_home_is_run(command: str, safe: bool) -> None:
    assert (unsafe(command) == "") is safe


def test_sentences_of_a_tutorial_are_clicks() -> None:
    line = (
        "Open **Plan**. Press **Send** and choose nothing. Choose **Revise** under **Starter…**. "
        "Write `shorter` into **What…**. Choose `3B` in **Class**. You see **Saved**."
    )

    assert [(c.do, c.name, c.text, c.part) for c in clicks_of(line, 7)] == [
        ("Open", "Plan", "", ""),
        ("Press", "Send", "", ""),
        ("Choose", "Revise", "", "Starter…"),
        ("Fill", "What…", "shorter", ""),
        ("Select", "Class", "3B", ""),
        ("You see", "Saved", "", ""),
    ]
