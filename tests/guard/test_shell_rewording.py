import os
import random
import shutil
import subprocess
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from paige.guard.shell.judge import ALLOW, DENY
from tests.depth import examples
from tests.guard.shell_place import judged, said
from tests.guard.shell_rewording import reworded

BASES = (
    ["rm", "-rf", "/home/u"],
    ["rm", "-rf", "/"],
    ["rm", "-r", "-f", "/etc"],
    ["git", "reset", "--hard"],
    ["git", "clean", "-fdx"],
    ["git", "push", "--force", "origin", "main"],
    ["cat", "/home/u/.ssh/id_rsa"],
    ["cat", "/etc/shadow"],
    ["dd", "if=/dev/zero", "of=/dev/sda"],
    ["mkfs.ext4", "/dev/sda1"],
    ["chmod", "-R", "777", "/"],
    ["find", "/home/u", "-delete"],
)
RECORDER = '#!/bin/sh\nfor word in "$@"; do printf "%s\\n" "$word"; done >> "$RECORD"\n'


@given(st.sampled_from(BASES), st.integers(0, 2**32))
@settings(max_examples=examples(400))
def test_no_rewording_turns_a_denied_command_into_an_allowed_one(words: list[str], seed: int):
    command = reworded(words, random.Random(seed), layers=3)
    assert said(command) != ALLOW, command


def test_almost_every_rewording_of_a_denied_command_is_denied_itself():
    dice = random.Random(11)
    commands = [reworded(dice.choice(BASES), dice) for _ in range(600)]
    asked = [each for each in commands if said(each) != DENY]
    assert len(asked) <= 12, asked


@given(st.integers(0, 2**32))
def test_what_reads_only_is_not_denied_however_it_is_written(seed: int):
    command = reworded(["ls", "-la", "src"], random.Random(seed))
    assert said(command) != DENY, (command, judged(command))


def test_a_real_shell_runs_the_same_words_for_every_rewording(tmp_path: Path):
    recorder = tmp_path / "recorder"
    recorder.write_text(RECORDER, "utf-8")
    recorder.chmod(0o755)
    (tmp_path / "sh").symlink_to(shutil.which("bash") or "/bin/bash")  # others have no $'…'
    record = tmp_path / "record"
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "RECORD": str(record)}
    words = ["recorder", "-rf", "some/place"]
    dice = random.Random(7)
    for _ in range(150):
        command = reworded(words, dice)
        record.unlink(missing_ok=True)
        done = subprocess.run(
            ["bash", "-c", command],
            env=environment, capture_output=True, check=False, cwd=tmp_path, timeout=60,
        )  # fmt: skip
        got = record.read_text("utf-8").splitlines() if record.exists() else []
        assert got == words[1:], (command, done.stderr)
