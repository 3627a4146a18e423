"""What `paige doctor` asks about the workspace: documents that are no text any more."""

from paige.base.checks import Check
from paige.base.errors import NotFound, PaigeError
from paige.base.settings import Settings
from paige.plan.classes import FOLDER as CLASSES
from paige.plan.curriculum.values import FOLDER as CURRICULUM
from paige.store.documents import DirectoryDocuments

MOST_SHOWN = 10


def checks(settings: Settings) -> list[Check]:
    """Every markdown file, but those that the other checks of the workspace read already."""
    if settings.in_tables(settings.given_workspace) or not settings.workspace.is_dir():
        return []
    documents = DirectoryDocuments(settings.workspace)
    found: list[Check] = []
    for path in documents.paths():
        if path.startswith((f"{CLASSES}/", f"{CURRICULUM}/")) or not path.endswith(".md"):
            continue
        try:
            documents.read(path)
        except NotFound:
            continue  # gone meanwhile
        except PaigeError as error:
            fix = error.hint or "Restore the file from a backup."
            found.append(Check("workspace", "warn", f"`{path}`: {error.message}", fix))
    return found[:MOST_SHOWN]
