"""The context graph of an application, as doors use it: synchronous, to be called in a thread."""

from paige.app.application import App
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import Around, Facets
from paige.memory.intake.project_identity import project_of


def open_graph(app: App) -> ContextGraph:
    """The graph; traces that name no project belong to the one that is open."""
    return ContextGraph(app.database, app.actor, app.now, project=project_id(app))


def project_id(app: App) -> str:
    """The project that is open, as traces name it; empty where there is none."""
    found = project_of(app.settings)
    return "" if found is None else found.id


def around(app: App, id: str, depth: int = 3, most: int = 2000) -> Around:
    """A trace with what led to it and what came of it. Raises: NotFound, BadInput."""
    return open_graph(app).around(id, depth, most)


def facets(app: App) -> Facets:
    """What there is to choose from, over all projects."""
    return open_graph(app).facets()
