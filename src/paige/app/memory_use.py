"""The person of an application as memory and the context graph know them."""

from paige.app.application import App
from paige.base.rights import allows
from paige.guard.graph.graph import ContextGraph
from paige.memory.access import Reader
from paige.memory.event import AgentRef
from paige.memory.intake.admission import Writer
from paige.memory.intake.project_identity import project_of

NOBODY = AgentRef()


def reader_of(app: App) -> Reader:
    """The signed-in person, as a reader; to be called in a thread, like `writer_of`.

    With accounts, memories of projects are for those who work in the project: everyone's desk is
    one of its own, besides the project of this machine for those who may use it.
    """
    projects: frozenset[str] | None = None
    if app.settings.many:
        here = project_of(app.settings)
        projects = frozenset({here.id} if here else ())
    return Reader(person=app.actor.person, roles=app.actor.roles, projects=projects)


def writer_of(app: App, agent: AgentRef = NOBODY) -> Writer:
    """The signed-in person as a writer, in the project the server was started for.

    With accounts only those who work with the coach put something before everyone: it turns up in
    the sessions of coding agents. To be called in a thread: it looks at the project's folder.
    """
    here = project_of(app.settings)
    return Writer(
        person=app.actor.person,
        roles=app.actor.roles,
        project=here.id if here else None,
        projects=reader_of(app).projects,
        shares=not app.settings.many or allows(app.actor.roles, "coach"),
        agent=agent,
    )


def open_graph(app: App) -> ContextGraph:
    """The graph; traces that name no project belong to the one that is open."""
    return ContextGraph(app.database, app.actor, app.now, project=project_id(app))


def project_id(app: App) -> str:
    """The project that is open, as traces name it; empty where there is none."""
    found = project_of(app.settings)
    return "" if found is None else found.id
