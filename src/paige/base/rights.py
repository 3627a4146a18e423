"""Who may do what: one table, roles by right, and nothing else decides it.

Without accounts there is one person, who may do everything; then nobody asks here.
"""

from collections.abc import Iterable
from typing import Literal, get_args

from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import Refused

Role = Literal["teacher", "learner", "developer", "researcher", "admin"]
Right = Literal[
    "plan",  # the workspace of lessons, and the runs that plan them
    "classes",  # how the learners of one's own classes get on
    "study",  # courses and sessions
    "memory",  # what Paige remembers of oneself
    "tools",  # the tools for agents, over MCP
    "coach",  # the project folder, its terminal and its coach
    "guard",  # rules, guards and hooks of coding agents, and the traces of their work
    "orchestra",  # agents that build and merge
    "research",  # exports without names
    "people",  # accounts, roles and limits
    "settings",  # the settings of the installation
    "audit",  # who did what
]
ROLES: tuple[Role, ...] = get_args(Role)
RIGHTS: tuple[Right, ...] = get_args(Right)

_TABLE: dict[Role, frozenset[Right]] = {
    "teacher": frozenset({"plan", "classes", "study", "memory", "tools"}),
    "learner": frozenset({"study", "memory", "tools"}),
    "developer": frozenset({"coach", "guard", "orchestra", "memory", "tools"}),
    "researcher": frozenset({"research"}),
    "admin": frozenset({"classes", "people", "settings", "audit", "coach", "guard", "orchestra"}),
}
_DOING: dict[Right, str] = {
    "plan": "plan lessons",
    "classes": "see how a class gets on",
    "study": "study courses",
    "memory": "use the memory",
    "tools": "use the tools for agents",
    "coach": "work in the project of this server",
    "guard": "use the guard",
    "orchestra": "let agents build",
    "research": "export research data",
    "people": "look after accounts",
    "settings": "see or change the settings of this installation",
    "audit": "read the audit log",
}


def allows(roles: Iterable[str], right: Right) -> bool:
    """Whether somebody with these roles may do something."""
    return any(right in _TABLE[role] for role in ROLES if role in frozenset(roles))


def rights_of(roles: Iterable[str]) -> tuple[Right, ...]:
    """Everything that somebody with these roles may do, in the order of the table."""
    held = frozenset(roles)
    return tuple(right for right in RIGHTS if allows(held, right))


def warning_of(roles: Iterable[str], tenant: str) -> str:
    """What whoever gives these roles must know; empty where there is nothing to fear."""
    if tenant != LOCAL_TENANT or not allows(roles, "coach"):
        return ""
    return (
        "This gives them a shell on this machine: they can run any command as the user that Paige "
        "runs as, and read and change every file and database that this user can."
    )


def check_right(actor: Actor, right: Right) -> None:
    """Let somebody do something. Raises: Refused, naming the roles that may."""
    if allows(actor.roles, right):
        return
    able = [role for role in ROLES if right in _TABLE[role]]
    raise Refused(
        f"Your account may not {_DOING[right]}",
        hint=f"Ask an admin for the role {' or '.join(f'`{role}`' for role in able)}.",
    )
