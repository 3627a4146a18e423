"""Who may read a file: looking at permissions, and putting them right without touching content.

Only what belongs to the person who runs Paige is looked at. On Windows permissions work in another
way, so there is nothing to find.
"""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from paige.base.errors import BadInput, Refused, Unavailable
from paige.base.files import write_error
from paige.base.settings import Settings

_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_FOLDER, _FILE = stat.S_IRWXU, stat.S_IRUSR | stat.S_IWUSR


def open_to_others(path: Path) -> bool:
    """Whether people besides the owner may read or write it; never for what is not ours."""
    found = _own(path)
    return found is not None and bool(stat.S_IMODE(found.st_mode) & _OTHERS)


def missing_rights(folder: Path) -> list[Path]:
    """The folder and the files directly in it that their owner, who asks, may not use."""
    found = _own(folder)
    if found is None:
        return []
    if not _usable(found):
        return [folder]
    try:
        with os.scandir(folder) as entries:
            inside = sorted(Path(entry.path) for entry in entries if not entry.is_symlink())
    except OSError:  # no folder, or gone again
        return []
    return [path for path in inside if (each := _own(path)) is not None and not _usable(each)]


def shut_for_others(path: Path) -> None:
    """Take every right from everybody but the owner. Raises: Refused."""
    _change(path, lambda mode: mode & ~_OTHERS)


def own_places(settings: Settings) -> list[Path]:
    """The folders that are Paige's alone: those somebody named may hold other things too."""
    places: list[Path] = []
    with contextlib.suppress(BadInput):  # without a home there are none
        if settings.given_data_dir is None:
            places.append(settings.data_dir)
        if settings.given_teaching_dir is None:
            places.append(settings.teaching_dir)
        if settings.given_memory_path is None:
            places.append(settings.memory_path.parent)
    return places


def open_below(top: Path) -> Iterator[Path]:
    """What others may read or write of a folder and everything in it; links are not followed."""
    if not top.is_symlink() and open_to_others(top):
        yield top
    waiting = [str(top)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as found:
                entries = [each for each in found if not each.is_symlink()]
        except OSError:  # gone meanwhile, or none of ours
            continue
        waiting += [each.path for each in entries if each.is_dir(follow_symlinks=False)]
        yield from (path for each in entries if open_to_others(path := Path(each.path)))


def shut_tree(top: Path) -> None:
    """Take every right from everybody but the owner, all the way down."""
    for path in open_below(top):
        with contextlib.suppress(Refused, Unavailable):  # it may be gone; the others count
            shut_for_others(path)


def open_up_for_owner(paths: Iterable[Path]) -> None:
    """Give the owner the right to use each of them. Raises: Refused."""
    for path in paths:
        wanted = _FOLDER if path.is_dir() else _FILE
        _change(path, lambda mode, wanted=wanted: mode | wanted)


def _own(path: Path) -> os.stat_result | None:
    if os.name == "nt":
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found if found.st_uid == os.geteuid() else None


def _usable(found: os.stat_result) -> bool:
    if stat.S_ISDIR(found.st_mode):
        return found.st_mode & _FOLDER == _FOLDER
    return not stat.S_ISREG(found.st_mode) or found.st_mode & _FILE == _FILE


def _change(path: Path, change: Callable[[int], int]) -> None:
    try:
        path.chmod(change(stat.S_IMODE(path.stat().st_mode)))
    except OSError as error:
        raise write_error(path, error) from error
