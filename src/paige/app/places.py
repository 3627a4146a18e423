"""Where a person's documents are: in a folder, or in the database that several servers share.

This is the one place that decides it. What is a folder on one machine is a table on PostgreSQL,
unless a person gave the folder a place of their own. What programs must find as files stays in
folders: courses with their exercises, originals of imported curricula, the coached project.
"""

from pathlib import Path

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import NotFound, Refused
from paige.base.files import make_private
from paige.base.paths import shipped
from paige.base.settings import Settings
from paige.plan.messages import PlanFileChanged
from paige.plan.workspace import is_memory, open_workspace
from paige.store.document_exchange import Exchange, export_folder, import_folder
from paige.store.document_table import TableDocuments
from paige.store.documents import DirectoryDocuments, Documents
from paige.store.engine import Database, open_database
from paige.store.migrate import bring_up_to_date

WORKSPACE = "workspace"
_DATABASES: dict[str, Database] = {}


def workspace_documents(app: App) -> Documents:
    """The workspace of whoever acts; an empty one begins with the sample."""
    return _begun(app.settings, app)


def workspace(settings: Settings) -> Documents:
    """The same for commands that have settings and no application."""
    return _begun(settings)


def existing_workspace(app: App) -> Documents | None:
    """The workspace as it is, without beginning one; nothing when there is none yet."""
    return _existing(app.settings, app)


def workspace_as_it_is(settings: Settings) -> Documents | None:
    """The same for whoever has settings and no application."""
    return _existing(settings)


def workspace_in_table(settings: Settings) -> bool:
    """Whether the workspace is in the database."""
    return settings.in_tables(settings.given_workspace)


def teaching_documents(app: App) -> DirectoryDocuments:
    """Courses and what learners did in them: always a folder, for exercises are run there."""
    return DirectoryDocuments(app.settings.teaching_dir)


def shown_below(settings: Settings) -> Path:
    """What stands before a path of the workspace when it is shown to someone at this machine."""
    return Path() if workspace_in_table(settings) else settings.workspace


def export_workspace(settings: Settings, folder: Path) -> Exchange:
    """Bring a folder to what is newer in a workspace in the database. Raises: Refused."""
    return export_folder(_in_table(settings), folder)


def import_workspace(settings: Settings, folder: Path) -> Exchange:
    """Take into a workspace in the database what is newer in a folder. Raises: Refused."""
    if not folder.is_dir():
        raise NotFound(f"There is no folder `{folder}`")
    # Memory documents are made from the log; a copy of them would outlive what is forgotten.
    return import_folder(_in_table(settings), folder, without=is_memory)


def _in_table(settings: Settings) -> TableDocuments:
    if not workspace_in_table(settings):
        raise Refused(
            f"The workspace is the folder `{settings.workspace}` already",
            hint="Copy files as you like; only a workspace in a database needs this.",
        )
    return _table(settings)


def sample_texts(folder: Path) -> dict[str, str]:
    """The documents a new workspace begins with."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    paths = ((path.relative_to(folder).as_posix(), path) for path in found)
    return {
        name: path.read_text("utf-8")
        for name, path in paths
        if not any(part.startswith(".") for part in name.split("/"))
    }


def _table(settings: Settings, app: App | None = None) -> TableDocuments:
    if app is None:
        found = TableDocuments(_database_of(settings), Actor(), WORKSPACE, now=system_clock)
    else:
        found = TableDocuments(app.database, app.actor, WORKSPACE, now=app.now, bus=app.bus)
    # Windows hear of a change with the change itself, whichever process made it.
    return found.telling(_news)


def _news(path: str, gone: bool) -> PlanFileChanged | None:
    if is_memory(path):
        return None
    return PlanFileChanged(path=path, action="deleted" if gone else "written")


def _existing(settings: Settings, app: App | None = None) -> Documents | None:
    if workspace_in_table(settings):
        table = _table(settings, app)
        return None if table.is_new() else table
    return DirectoryDocuments(settings.workspace) if settings.workspace.is_dir() else None


def _begun(settings: Settings, app: App | None = None) -> Documents:
    if workspace_in_table(settings):
        table = _table(settings, app)
        if table.is_new():
            table.begin(sample_texts(shipped("workspace")))
        return table
    if settings.given_workspace is None:
        make_private(settings.data_dir)
    return open_workspace(settings.workspace, shipped("workspace"))


def _database_of(settings: Settings) -> Database:
    """One for a command, closed with its process."""
    if settings.database_url not in _DATABASES:
        database = open_database(settings)
        bring_up_to_date(settings, database)
        _DATABASES[settings.database_url] = database
    return _DATABASES[settings.database_url]
