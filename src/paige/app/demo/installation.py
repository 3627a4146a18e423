"""The demo: an installation of its own, below the data folder, with a term behind every door.

It has its own home, database, workspace, memory, teaching files and project, so that nothing in it
is anybody's. It is filled by a process of its own (`fill.py`). Its paths are in what is
stored, so it cannot be made elsewhere and moved; instead a file says that it is whole, and that
file comes last. Whatever lies there without it is half a demo, and goes before the next one.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from paige import __version__
from paige.base import platform
from paige.base.errors import BadInput, Conflict, PaigeError, Unavailable
from paige.base.files import make_private, write_atomic, write_error
from paige.base.settings import Settings, read_settings

FOLDER = "demo"
WHOLE = "demo.json"
"""The file that says what the demo is; it is written when everything else is there."""
BEGUN = ".being-made"
LOCK = "demo.lock"
SEED = 1
PARTS = ("study", "others")
"""What is filled at the same time, each by a process."""
# What a demo takes from the person's own settings: where it listens, and who may come in.
_KEPT = {
    "PAIGE_HOST": "host",
    "PAIGE_PASSCODE": "passcode",
    "PAIGE_LOG_FORMAT": "log_format",
    "PAIGE_METRICS_TOKEN": "metrics_token",
}
_SYSTEM = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TEMP", "SYSTEMROOT", "SHELL", "TERM", "PYTHONPATH")
_FULL = ("No space left on device", "is full", "File too large", "Disk quota exceeded")
Told = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo that is whole: which version filled it, up to which day, from which seed."""

    version: str
    day: date
    seed: int


def demo_folder(data_dir: Path) -> Path:
    """Where the demo of an installation lies, if there is one."""
    return data_dir / FOLDER


def demo_settings(settings: Settings) -> Settings:
    """The settings of the demo: everything below its folder, no key, no model, no network."""
    place = demo_folder(settings.data_dir)
    environ = {name: settings.environ[name] for name in _SYSTEM if name in settings.environ}
    given = {variable: getattr(settings, key) for variable, key in _KEPT.items()}
    environ |= {name: str(value) for name, value in given.items() if value}
    environ |= {
        "PAIGE_ALLOWED_HOSTS": ",".join(settings.allowed_hosts),
        "PAIGE_ALLOWED_ORIGINS": ",".join(settings.allowed_origins),
        "PORT": str(settings.port),  # 0 is a port too: any that is free
        "HOME": str(place / "home"),
        "DATA_DIR": str(place),
        "PROJECT_DIR": str(place / "project"),
        "PAIGE_TEACHING_DIR": str(place / "teaching"),
        "AI_MEMORY_PATH": str(place / "memory-log" / "events.jsonl"),
        "PAIGE_PROVIDER": "local",
    }
    return read_settings(environ, place / "project")


def read_demo(data_dir: Path) -> Demo | None:
    """The demo of an installation; nothing when there is none, or only half of one."""
    return _read(demo_folder(data_dir) / WHOLE)


def is_demo(settings: Settings) -> bool:
    """Whether these settings are those of a demo."""
    return settings.data_dir.name == FOLDER and _read(settings.data_dir / WHOLE) is not None


def ensure_demo(settings: Settings, day: date, told: Told, lock: int) -> Demo:
    """The demo, filled first where it is missing or was made by another version.

    `lock` is what `alone` gave. Raises: Unavailable, Refused.
    """
    found = read_demo(settings.data_dir)
    if found is not None and found.version == __version__:
        return found
    return _fill(settings, Demo(__version__, day, SEED), told, lock)


def reset_demo(settings: Settings, day: date, seed: int, told: Told) -> Demo:
    """Remove the demo and fill it again. Raises: Conflict while a server shows it."""
    with alone(settings.data_dir) as lock:
        return _fill(settings, Demo(__version__, day, seed), told, lock)


def remove_demo(settings: Settings) -> bool:
    """Remove the demo and nothing else; whether there was one. Raises: Conflict."""
    if not demo_folder(settings.data_dir).exists():
        return False
    with alone(settings.data_dir):
        _clear(settings.data_dir)
    return True


@contextmanager
def alone(data_dir: Path) -> Iterator[int]:
    """Keep other processes from the demo; gives the handle. Raises: Conflict when one has it."""
    make_private(data_dir)
    path = data_dir / LOCK
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        if not _taken(handle):
            raise Conflict(
                "Another process of Paige uses the demo",
                hint="Stop the server that shows it (Ctrl+C where it runs), then try again.",
            )
        yield handle
    finally:
        os.close(handle)  # the lock goes with it


def _fill(settings: Settings, wanted: Demo, told: Told, lock: int) -> Demo:
    """Fill an empty demo in a process of its own."""
    place = demo_folder(settings.data_dir)
    keep_old_sample(settings.data_dir)
    _clear(settings.data_dir)
    try:
        place.mkdir(mode=0o700)
        (place / BEGUN).touch(mode=0o600)
        for name in ("home", "project", "teaching", "memory-log"):
            (place / name).mkdir(mode=0o700)
    except OSError as error:
        raise write_error(place, error) from error
    own = demo_settings(settings)
    _run(own, wanted, told, lock)
    _settle(own)
    made = {"paige": wanted.version, "day": wanted.day.isoformat(), "seed": wanted.seed}
    write_atomic(place / WHOLE, f"{json.dumps(made)}\n")
    with suppress(OSError):
        (place / BEGUN).unlink()
    return wanted


def keep_old_sample(data_dir: Path) -> None:
    """Before there was a demo, the copy of the sample project lay where it is now: move that."""
    place = demo_folder(data_dir)
    old, new = place / "project", data_dir / "sample" / "project"
    is_ours = (place / WHOLE).exists() or (place / BEGUN).exists()
    if is_ours or not old.is_dir() or new.exists():
        return
    try:
        new.parent.mkdir(mode=0o700, exist_ok=True)
        old.rename(new)
    except OSError as error:
        raise write_error(new, error) from error


def _read(path: Path) -> Demo | None:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
        return Demo(str(given["paige"]), date.fromisoformat(given["day"]), int(given["seed"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _clear(data_dir: Path) -> None:
    place = demo_folder(data_dir)
    if place.is_symlink():
        raise BadInput(f"`{place}` is a link", hint="Remove it yourself: it may lead anywhere.")
    if not place.exists():
        return
    try:
        (place / BEGUN).touch(mode=0o600)  # half of it is no old sample
        (place / WHOLE).unlink(missing_ok=True)  # first: what is half gone must not look whole
        shutil.rmtree(place)
    except OSError as error:
        raise write_error(place, error) from error


def _taken(handle: int) -> bool:
    """Whether the lock is ours now."""
    if platform.fcntl is None:
        return True  # a second server fails at its port there
    try:
        platform.fcntl.flock(handle, platform.fcntl.LOCK_EX | platform.fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _run(settings: Settings, wanted: Demo, told: Told, lock: int) -> None:
    """Let the filling processes work, and pass on how far they are. Raises: Unavailable.

    They hold the lock too: when this process is killed, nobody begins anew before they have
    noticed, which they do at the next word that nobody hears.
    """
    # Sets of texts must have the same order every time: what is made must be the same.
    environ: Mapping[str, str] = {**settings.environ, "PYTHONHASHSEED": "0", "TZ": "UTC"}
    words = (wanted.day.isoformat(), str(wanted.seed))
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "paige.app.demo.fill", part, *words],
            env=dict(environ),
            cwd=settings.cwd,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            pass_fds=() if os.name == "nt" else (lock,),
        )
        for part in PARTS
    ]
    with ThreadPoolExecutor(len(started)) as threads:
        try:
            for failed in threads.map(lambda each: _follow(each, told), started):
                if failed is not None:
                    raise failed
        except BaseException:
            for each in started:
                each.kill()
            raise


def _settle(settings: Settings) -> None:
    """What needs both parts to be there."""
    from paige.app.demo.study import settle_profile  # noqa: PLC0415 - it brings Study along

    settle_profile(settings)


def _follow(process: "subprocess.Popen[str]", told: Told) -> PaigeError | None:
    """Pass on what a process says; what went wrong, if something did."""
    assert process.stdout is not None
    with process:
        for line in process.stdout:
            _tell(line, told)
        _, said = process.communicate()
    return _failed(said) if process.returncode else None


def _tell(line: str, told: Told) -> None:
    given: dict[str, Any] = {}
    with suppress(ValueError):
        given = json.loads(line)
    if given:
        told(given["what"], given["done"], given["of"])


def _failed(said: str) -> PaigeError:
    if any(words in said for words in _FULL):
        return Unavailable(
            "The disk is full: the demo was not made", hint="Free some space and try again."
        )
    lines = [line for line in said.strip().splitlines() if line.strip()]
    last = lines[-1] if lines else "it ended without a word"
    return Unavailable(
        f"The demo could not be made: {last}", hint="Try again; `paige doctor` may say more."
    )
