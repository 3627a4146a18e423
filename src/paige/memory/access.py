"""Who may read a memory: one rule, as a decision about an event and as marks for the indexes.

The owner of a memory may always read it. Beyond that the scope decides: `global` is for everyone,
`project` for everyone who may look into that project, `session` and `agent` for that session and
that agent, `teacher`, `class` and `learner` for nobody else. An access list adds readers by name:
`person:anna`, `role:researcher`, `agent:coder-1`, or `*` for everyone.

Indexes cannot call a function on a million rows, so the rule is also written as marks: an event
carries some, a reader holds some, and whoever holds one the event carries may read it.
"""

from dataclasses import dataclass
from hashlib import blake2b

from paige.base.errors import BadInput
from paige.memory.event import Event

EVERYONE = "*"
KINDS = ("person", "role", "agent")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who asks. A person may look into every project unless `projects` says which."""

    person: str | None = "me"
    roles: frozenset[str] = frozenset()
    agent: str | None = None
    session: str | None = None
    projects: frozenset[str] | None = None


def read_reader(text: str) -> Reader:
    """The reader someone names: `anna`, `person:anna`, `agent:coder-1`, `role:researcher`."""
    kind, colon, name = text.strip().rpartition(":")
    match kind, bool(name):
        case "" | "person", True if kind or not colon:
            return Reader(person=name)
        case "agent", True:
            return Reader(person=None, agent=name, projects=frozenset())
        case "role", True:
            return Reader(person=None, roles=frozenset({name}), projects=frozenset())
    raise BadInput(f"`{text}` is not a reader", hint="Write a name, `agent:NAME` or `role:NAME`.")


def may_read(reader: Reader, event: Event) -> bool:
    """Whether the rule lets a reader see an event."""
    return not marks_of(event).isdisjoint(marks_held(reader))


def marks_of(event: Event) -> frozenset[str]:
    """The marks an event carries: one for each kind of reader that may see it."""
    marks = {mark("person", event.owner), *(_listed(name) for name in event.acl)}
    match event.scope:
        case "global":
            marks.add(_listed(EVERYONE))
        case "project":
            marks |= {mark("project", event.project or ""), ANY_PROJECT}
        case "session":
            marks.add(mark("session", event.session or ""))
        case "agent":
            marks.add(mark("agent", event.agent.id or ""))
    return frozenset(marks)


def marks_held(reader: Reader) -> frozenset[str]:
    """The marks a reader holds."""
    marks = {_listed(EVERYONE), *(mark("role", role) for role in reader.roles)}
    if reader.person:
        marks.add(mark("person", reader.person))
    if reader.agent:
        marks.add(mark("agent", reader.agent))
    if reader.session:
        marks.add(mark("session", reader.session))
    if _everywhere(reader):
        marks.add(ANY_PROJECT)
    else:
        marks |= {mark("project", project) for project in reader.projects or ()}
    return frozenset(marks)


def mark(kind: str, name: str) -> str:
    """A short word that a full-text index keeps whole; two names never share one in practice."""
    digest = blake2b(f"{kind}:{name}".encode(errors="surrogatepass"), digest_size=8)
    return f"{kind[0]}{digest.hexdigest()}"


ANY_PROJECT = mark("project", EVERYONE)


def _everywhere(reader: Reader) -> bool:
    return reader.person is not None and reader.projects is None


def is_person(name: str) -> bool:
    """Whether an entry of an access list names one person."""
    kind, _, rest = name.partition(":")
    return name != EVERYONE and (kind == "person" or kind not in KINDS or not rest)


def _listed(name: str) -> str:
    if name == EVERYONE:
        return mark("everyone", "")
    kind, _, rest = name.partition(":")
    return mark(kind, rest) if kind in KINDS and rest else mark("person", name)
