import json
import random

import pytest

from paige.guard.shell.parser import parse
from tests.guard.shell_place import DATA, KNOWN, denied_commands
from tests.guard.shell_rewording import reworded
from tests.guard.shell_shfmt import commands_by_shfmt

BASES = (["rm", "-rf", "/x"], ["git", "status"], ["ls", "-la"], ["cat", "a", "b"])


def lost(scripts: list[str]) -> list[tuple[str, str, bool]]:
    """What shfmt finds and the parse does not: script, name, whether the parse calls it clean."""
    found = []
    for script, calls in zip(scripts, commands_by_shfmt(scripts), strict=True):
        if calls is None:
            continue
        read, _ = parse(script, dict(KNOWN), (), [])
        names = {"$"}
        for words in (simple.words for simple in read.simples if simple.words):
            # What stands behind these two is taken off later.
            names |= set(words) if words[0] in ("time", "coproc") else {words[0]}
        found += [
            (script, call[0], read.clean)
            for call in calls
            # `1A=2` is the name of a command for a shell, and no program is called so.
            if call[0] not in names and "=" not in call[0]
        ]
    return found


def judgeable(scripts: list[str]) -> list[str]:
    """Scripts that are parsed at all: without signs that are refused before."""
    return [each for each in scripts if each.isprintable() or ("\n" in each and "\r" not in each)]


def test_every_command_that_another_parser_finds_is_found():
    dice = random.Random(3)
    scripts = [reworded(dice.choice(BASES), dice, layers=3) for _ in range(400)]
    missing = lost(scripts)
    assert not [each for each in missing if each[2]], missing
    assert len(missing) <= 2, missing


def test_every_command_of_the_denied_ones_is_found():
    missing = lost(judgeable(denied_commands()))
    assert not [each for each in missing if each[2]], missing


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data is not here")
def test_nothing_is_lost_in_commands_of_other_people():
    rows = (DATA / "peer_cases_dev.jsonl").read_text("utf-8").splitlines()
    scripts = [json.loads(row)["command"] for row in rows]
    scripts += (DATA / "everyday_dev.txt").read_text("utf-8").splitlines()
    scripts = [each for each in judgeable(scripts) if each.strip()]
    missing = lost(scripts)
    assert not [each for each in missing if each[2]], missing
    assert len(missing) <= len(scripts) / 200, missing
