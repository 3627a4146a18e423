"""Which project a folder belongs to, without asking git.

The identity of a project is the folder git keeps its history in (the common directory): all work
trees of one repository share it, two folders of the same name do not, and a submodule has its own.
A clone elsewhere is another project on purpose: a remote's address is shared by forks and clones
that people keep apart, and it changes when a project moves to another host. Where an identity must
survive moving the folder, or several clones shall share one, a file `.ai/project-id` in the project
names it and wins. Without git the identity is the folder itself, resolved.

The home folder and the folder for temporary files are not projects.
"""

import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from paige.base.settings import Settings

ID_FILE = Path(".ai/project-id")
_POINTER = "gitdir:"
_MOST = 4096  # no pointer and no id is longer
_ID = re.compile(r"[\w.:@/+-]{1,200}")


@dataclass(frozen=True, slots=True)
class Identity:
    """A project: its opaque and stable id, its root folder, its name for people."""

    id: str
    root: Path
    name: str


def identify(
    folder: Path, *, home: Path | None = None, temporary: Path | None = None, apart: bool = False
) -> Identity | None:
    """The project a folder is in; `None` where there is none.

    A folder that stands `apart` is one by itself, whatever lies around or in it.
    """
    start = folder.resolve()
    if apart:
        return Identity(_made_id(start.name, start), start, start.name)
    outside = _resolved([home, temporary or Path(tempfile.gettempdir())])
    root = _stored_root(start, outside) or _git_root(start, outside)
    if root is not None:
        stored = _stored_id(root)
        if stored is not None:
            return Identity(stored, root, root.name)
        common = common_dir(root)
        if common is not None:
            named = _name_of(common, root)
            return Identity(_made_id(named, common), root, named)
    if _is_nowhere(start, outside):
        return None
    return Identity(_made_id(start.name, start), start, start.name)


def identify_at(settings: Settings, folder: Path, *, apart: bool = False) -> Identity | None:
    """The project a folder is in, on the machine that the settings are of."""
    home = settings.environ.get("HOME")
    return identify(folder, home=Path(home) if home else None, apart=apart)


def project_of(settings: Settings) -> Identity | None:
    """The project someone is in, as memories name it.

    With accounts, somebody's own folder is a project by itself, wherever the data folder lies.
    """
    apart = settings.many and settings.project_dir is None and settings.cwd == settings.data_dir
    return identify_at(settings, settings.project_dir or settings.cwd, apart=apart)


def common_dir(root: Path) -> Path | None:
    """The folder that all work trees of a repository share, read from `.git`."""
    git = root / ".git"
    if git.is_dir():
        found = git
    else:
        text = _read(git)
        if text is None or not text.startswith(_POINTER):
            return None
        found = (root / text.removeprefix(_POINTER).strip()).resolve()
    shared = _read(found / "commondir")
    # A pointer that leads nowhere (a work tree whose repository moved) still tells them apart.
    return (found / shared.strip()).resolve() if shared else found.resolve()


def _git_root(start: Path, outside: frozenset[Path]) -> Path | None:
    for folder in (start, *start.parents):
        if folder in outside:
            return None  # dot files of a home under git do not make everything in it one project
        if (folder / ".git").exists() and common_dir(folder) is not None:
            return folder
    return None


def _stored_root(start: Path, outside: frozenset[Path]) -> Path | None:
    for folder in (start, *start.parents):
        if folder in outside:
            return None
        if _stored_id(folder) is not None:
            return folder
        if (folder / ".git").exists():
            return None  # what is above belongs to another repository
    return None


def _stored_id(root: Path) -> str | None:
    text = (_read(root / ID_FILE) or "").strip()
    return text if _ID.fullmatch(text) else None


def _name_of(common: Path, root: Path) -> str:
    """The repository's name, so that its work trees show the same one."""
    return common.parent.name if common.name == ".git" and common.parent.name else root.name


def _made_id(name: str, place: Path) -> str:
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-") or "project"
    digest = blake2b(str(place).encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return f"{plain}-{digest}"


def _is_nowhere(folder: Path, outside: frozenset[Path]) -> bool:
    return folder in outside or folder == Path(folder.anchor)


def _resolved(folders: Iterable[Path | None]) -> frozenset[Path]:
    return frozenset(folder.resolve() for folder in folders if folder is not None)


def _read(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(_MOST).decode(errors="surrogateescape")
    except OSError:
        return None
