"""The project's files as whoever thinks sees them: their paths, and the text of some."""

import logging
from collections.abc import Callable
from pathlib import Path

from paige.base.errors import PaigeError
from paige.coach.files.values import TreeNode

logger = logging.getLogger(__name__)
Reads = Callable[[str], str | None]
"""The text of a file by its path in the project; nothing when it cannot be read or is no text."""


def files_of(root: Path | None) -> tuple[str, ...]:
    """The paths of the project's files; none when there is no project or it cannot be read."""
    if root is None:
        return ()
    # The rules of `.gitignore` take a while to import; a server starts without them.
    from paige.coach.files.project import ProjectFiles  # noqa: PLC0415

    try:
        return tuple(_paths(ProjectFiles(root).tree().root))
    except PaigeError as error:
        logger.warning("The project's files are not known: %s", error.message)
        return ()


def reader_of(root: Path | None) -> Reads:
    """What reads files of the project, safely; to be called in a thread."""

    def read(path: str) -> str | None:
        if root is None:
            return None
        from paige.coach.files.project import ProjectFiles  # noqa: PLC0415 - as above

        try:
            found = ProjectFiles(root).read(path)
        except PaigeError:
            return None
        return None if found.binary else found.content

    return read


def _paths(node: TreeNode) -> list[str]:
    if node.type == "file":
        return [node.path]
    return [path for child in node.children for path in _paths(child)]
