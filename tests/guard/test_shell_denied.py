import pytest

from paige.guard.shell.judging import DENY
from tests.guard.shell_place import denied_commands, judged


@pytest.mark.parametrize("command", denied_commands())
def test_what_was_denied_once_stays_denied(command: str):
    assert judged(command).decision == DENY, judged(command)


def test_the_list_of_denied_commands_only_grows():
    commands = denied_commands()
    assert len(commands) == len(set(commands))
    assert len(commands) >= 347
