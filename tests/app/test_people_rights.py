"""The table of who may do what, every cell of it."""

import pytest

from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.base.rights import RIGHTS, ROLES, Right, Role, allows, check_right, rights_of

# Written out once more by hand: whoever changes the table must change both.
TABLE: dict[Role, set[Right]] = {
    "teacher": {"plan", "classes", "study", "memory", "tools"},
    "learner": {"study", "memory", "tools"},
    "developer": {"coach", "guard", "orchestra", "memory", "tools"},
    "researcher": {"research"},
    "admin": {"classes", "people", "settings", "audit", "coach", "guard", "orchestra"},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("right", RIGHTS)
def test_each_role_may_do_exactly_what_the_table_says(role: Role, right: Right) -> None:
    assert allows({role}, right) is (right in TABLE[role])


def test_every_role_and_every_right_is_in_the_table() -> None:
    assert TABLE.keys() == set(ROLES)
    assert set().union(*TABLE.values()) == set(RIGHTS)


@pytest.mark.parametrize("one", ROLES)
@pytest.mark.parametrize("other", ROLES)
def test_two_roles_may_do_what_either_may(one: Role, other: Role) -> None:
    assert set(rights_of({one, other})) == TABLE[one] | TABLE[other]


@pytest.mark.parametrize("roles", [(), ("server",), ("Admin",), ("root", "")])
def test_somebody_without_a_known_role_may_do_nothing(roles: tuple[str, ...]) -> None:
    assert rights_of(roles) == ()


@pytest.mark.parametrize("right", RIGHTS)
def test_a_refusal_names_every_role_that_may(right: Right) -> None:
    with pytest.raises(Refused) as caught:
        check_right(Actor(), right)
    able = {role for role in ROLES if right in TABLE[role]}
    assert caught.value.hint is not None
    assert {role for role in ROLES if f"`{role}`" in caught.value.hint} == able
