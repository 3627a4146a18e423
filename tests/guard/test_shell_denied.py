from paige.guard.shell.judge import ALLOW, ASK, DENY
from tests.guard.shell_place import commands_in, denied_commands, said


def test_what_was_denied_once_stays_denied():
    assert [each for each in denied_commands() if said(each) != DENY] == []


def test_what_changes_something_is_never_allowed():
    assert [each for each in commands_in("unallowed.txt") if said(each) == ALLOW] == []


def test_what_people_do_every_day_is_never_denied_and_hardly_ever_asked():
    decisions = {each: said(each) for each in commands_in("harmless.txt")}
    assert [each for each, decision in decisions.items() if decision == DENY] == []
    asked = sum(decision == ASK for decision in decisions.values())
    assert asked <= 0.01 * len(decisions)
    allowed = sum(decision == ALLOW for decision in decisions.values())
    assert allowed >= 0.5 * len(decisions)


def test_the_lists_only_grow():
    for name, least in (("denied.txt", 3_000), ("unallowed.txt", 3_200), ("harmless.txt", 700)):
        commands = commands_in(name)
        assert len(commands) == len(set(commands)), name
        assert len(commands) >= least, name
