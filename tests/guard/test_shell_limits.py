import random
import time

import pytest

from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS
from paige.hooks.fast import SECONDS
from tests.guard.shell_place import denied_commands, judged, said
from tests.guard.shell_rewording import reworded

PIECES = (
    "$(", "`", "((", "{a,b}", '"', "'", "a|", "a&&", "a;", "<<E\n", "${a", "$((", "x=1 ", "if ",
    "for i in a; do ", "\\\n", "[[ ", "a b ", "> x ", "$a", '"$(', "é", "rm -rf ~;", "case x in ",
    "{ ", "! ", "f() { ", "$'\\x41'", "a=(", "<(", "*", "#", "\n", "~/", "eval ", "sudo ",
    'bash -c "', "echo a | sh; ", "xargs ", 'python3 -c "', "for i in {1..40}; do ", "X=$X$X; ",
    "X=a$X; ", "cd a; ", "git -c a=b ", "if a; then x=1; fi; ", "while a; do x=$x; ", "a || ",
    "cat <<E | sh\n", "echo ${x:-", "{1..9}", "a\\ ", "=", "--", "x+=(a) ", "f; ", "find . -exec ",
    "sed 's/a/b/;", "awk '{print}", "coproc ", "time ", "function f { ", "]", "}", ")", "\t", "%s",
)  # fmt: skip
SOUP = (
    *PIECES, "rm", "-rf", "~", "/", "ls", "git", "reset", "--hard", " ", " ", " ", "&", "&&", "||",
    ";", "|", ">", ">>", "<", "<<<", "2>&1", "echo", "sh", "-c", "bash", "$X", "${X}", "$HOME",
    "E\n", "do", "done", "then", "fi", "esac", "in", "env", "xargs", "find", ".", "python3", "''",
    '""', "\\", "$'", "@", "!", "(", "[", "\u3042", "\u00a0", "x=", "export", "alias",
    "trap", "cat",
)  # fmt: skip


@pytest.mark.parametrize("size", [9_900, 1_000_000])
def test_no_text_up_to_a_million_signs_takes_longer_than_the_hook_has(size: int):
    for piece in PIECES:
        command = (piece * (size // len(piece) + 1))[:size]
        begun = time.process_time()
        decision = said(command)
        assert time.process_time() - begun < SECONDS, piece
        assert size < 10_000 or decision != ALLOW, piece


def test_too_many_pipes_are_denied_unread():
    refused = judged("a|" * 2000 + "b")
    assert (refused.decision, refused.rule) == (DENY, "shell.too-much")


def fuzzed(dice: random.Random, seeds: list[str]) -> str:
    """A command somebody might have typed with a broken keyboard."""
    way = dice.randrange(4)
    if way == 0:
        return "".join(dice.choice(SOUP) for _ in range(dice.randrange(1, 40)))
    text = dice.choice(seeds)
    if way == 1:
        text = reworded(["rm", "-rf", "/home/u"], dice, layers=3)
    for _ in range(dice.randrange(1, 6)):
        at = dice.randrange(len(text) + 1)
        end = min(len(text), at + dice.randrange(0, 4))
        text = (
            text[:at] + dice.choice(("", dice.choice(SOUP), dice.choice(text or "x"))) + text[end:]
        )
    return text


def fuzz(count: int, seed: int) -> None:
    dice = random.Random(seed)
    seeds = denied_commands()
    for _ in range(count):
        command = fuzzed(dice, seeds)
        judgement = judged(command)
        assert judgement.decision in (ALLOW, PASS, ASK, DENY), command
        assert judgement.rule, command


def test_no_broken_command_stops_the_judge():
    fuzz(3_000, seed=1)


@pytest.mark.soak
def test_a_hundred_thousand_broken_commands_do_not_stop_the_judge():
    fuzz(100_000, seed=2)
