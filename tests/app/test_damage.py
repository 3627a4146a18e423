"""Whatever file is damaged, `paige doctor` says so: which one, and what to do."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from paige.app.application import open_app
from paige.base.checks import Check
from paige.base.modes import own_places, shut_tree
from paige.base.paths import SHIPPED
from paige.base.settings import Settings
from paige.doors.setup.cli_doctor import doctor
from paige.doors.setup.doctor import examine, run_checks
from paige.guard.compiler import write_rules
from paige.guard.fast.place import place_of
from paige.guard.fast.spool import note
from paige.memory.access import Reader
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.search_values import Ask
from paige.memory.setup import project_of
from tests.app.keeping import settings_in
from tests.conftest import NOON

Damage = Callable[[bytes], bytes | None]
GARBAGE = b"\xff\xfe\x00\x80garbage\x9c"


def garbled(data: bytes) -> bytes:
    half = len(data) // 2
    return data[:half] + GARBAGE * 200 + data[half + len(GARBAGE) * 200 :]


def pages_garbled(data: bytes) -> bytes:
    pages = [data[at : at + 4096] for at in range(0, len(data), 4096)]
    return pages[0] + b"".join(GARBAGE + page[len(GARBAGE) :] for page in pages[1:])


def beginning_garbled(data: bytes) -> bytes:
    return GARBAGE + data[len(GARBAGE) :]


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def cut_between_lines(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-3])


def emptied(data: bytes) -> bytes:
    return b""


def gone(data: bytes) -> None:
    return None


def a_word_changed(data: bytes) -> bytes:
    return data.replace(b"day 7", b"day 6", 1)


def a_line_less(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:4] + lines[5:])


def a_line_twice(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:4], lines[3], *lines[4:]])


def a_line_of_garbage(data: bytes) -> bytes:
    return GARBAGE + b"\n" + data


LOG, OWN_LOG = "config/ai/memory/events.jsonl", "project/.ai/memory/events.jsonl"
COURSE = ".claude/teaching/courses/how-memory-works"
LOG_DAMAGE: tuple[Damage, ...] = (
    garbled, beginning_garbled, cut, cut_between_lines, emptied, gone, a_word_changed, a_line_less,
    a_line_twice,
)  # fmt: skip
ROWS: list[tuple[str, str, Damage]] = [
    *((LOG, "memory log", each) for each in LOG_DAMAGE),
    *((OWN_LOG, "memory log of", each) for each in (garbled, cut, emptied, a_word_changed)),
    ("data/paige.db", "database", beginning_garbled),
    ("data/paige.db", "database", pages_garbled),
    ("data/paige.db", "database", cut),
    ("data/paige.db", "database", emptied),
    ("data/memory/*/index.db", "memory index", beginning_garbled),
    ("data/memory/*/index.db", "memory index", pages_garbled),
    ("data/memory/*/index.db", "memory index", cut),
    ("data/memory/*/index.db", "memory index", emptied),
    ("data/memory/*/projects.json", "memory projects", garbled),
    ("data/spool/codex-s1.jsonl", "lines of hooks", a_line_of_garbage),
    ("data/spool/codex-s1.jsonl.bad", "lines of hooks", a_line_of_garbage),
    ("data/guard/decisions.jsonl", "lines of hooks", a_line_of_garbage),
    ("data/guard/graph-waiting.jsonl", "lines of hooks", a_line_of_garbage),
    ("data/guard/guard-*.bin", "compiled rules", garbled),
    ("data/guard/guard-*.bin", "compiled rules", cut),
    ("data/guard/guard-*.bin", "compiled rules", emptied),
    ("config/ai/guards/no-rm.json", "guard rules", garbled),
    ("config/ai/guard/rules/own.toml", "guard rules", garbled),
    ("data/workspace/classes/1B.md", "class profile", garbled),
    ("data/workspace/curriculum/cfe-maths.md", "curriculum", garbled),
    ("data/workspace/teacher.md", "workspace", garbled),
    ("data/workspace/lessons/bread.md", "workspace", garbled),
    (f"{COURSE}/concepts.json", "study files", garbled),
    (f"{COURSE}/concepts.json", "study files", cut),
    (f"{COURSE}/concepts.json", "study files", emptied),
    (".claude/teaching/learner/profile.json", "study files", garbled),
    (".claude/teaching/learner/profile.json", "study files", emptied),
    (".claude/teaching/learner/malay/progress.json", "study files", cut),
    (".claude/teaching/learner/malay/sessions/1.json", "study files", garbled),
]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """An installation with a file of every kind, all of them whole."""
    folder = tmp_path_factory.mktemp("whole")
    project = folder / "project"
    for each in (".git", ".ai/memory"):
        (project / each).mkdir(parents=True)
    settings = replace(settings_in(folder), project_dir=project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(folder))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        _fill(settings, project)
        yield settings


def _fill(settings: Settings, project: Path) -> None:
    data = str(settings.data_dir)
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        memory, here = app.memory.open(), project_of(settings)
        assert here is not None
        for scope in ("global", "project"):
            drafts = [Draft(text=f"Water on day {day}", scope=scope) for day in range(20)]
            memory.remember(drafts, Writer(person="me", project=here.id))
        memory.search(Ask(query="water"), Reader(person="me"))
    write_rules(place_of("/", data))
    for number in range(3):
        note(data, "codex", "s1", {"event": "prompt_submit", "prompt": str(number)})
    shutil.copytree(SHIPPED / "workspace", settings.workspace, dirs_exist_ok=True)
    shutil.copytree(SHIPPED / "courses/how-memory-works", settings.cwd / COURSE)
    learner = settings.teaching_dir / "learner"
    texts = {
        settings.workspace / "lessons/bread.md": "# Bread\n",
        learner / "profile.json": '{"name": "Me"}\n',
        learner / "malay/progress.json": '{"concepts": {}}\n',
        learner / "malay/sessions/1.json": '{"course": "malay", "results": []}\n',
        settings.data_dir / "guard/decisions.jsonl": '{"id": "1"}\n',
        settings.data_dir / "guard/graph-waiting.jsonl": '{"id": "1"}\n',
        settings.data_dir / "spool/codex-s1.jsonl.bad": "",
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for place in own_places(settings):
        shut_tree(place)


def test_nothing_is_wrong_with_what_is_whole(settings: Settings) -> None:
    assert not [each for each in examine(settings) if each.status != "ok"]


def test_the_page_of_checks_sees_a_damaged_log_too(settings: Settings) -> None:
    path = settings.cwd / LOG
    before = path.read_bytes()
    path.write_bytes(a_word_changed(before))
    found = [each for each in run_checks(settings) if each.name == "memory log"]
    path.write_bytes(before)

    assert [each.status for each in found] == ["fail"]


def test_doctor_says_which_line_of_the_settings_file_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    for data in (b"port = \n", GARBAGE, b"port = 3210\n" + GARBAGE):
        path = tmp_path / "config/ai/paige.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

        done = CliRunner().invoke(doctor)

        assert done.exit_code != 0
        assert "paige.toml" in str(done.exception)


def _said(settings: Settings, name: str) -> list[Check]:
    return [
        check for check in examine(settings) if check.status != "ok" and check.name.startswith(name)
    ]


@pytest.mark.parametrize(
    ("place", "name", "damage"), ROWS, ids=lambda each: getattr(each, "__name__", str(each))
)
def test_doctor_says_what_is_damaged_and_what_to_do(
    settings: Settings, place: str, name: str, damage: Damage
) -> None:
    path = next(settings.cwd.glob(place), settings.cwd / place)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_bytes() if path.exists() else b""
    assert not [check for check in _said(settings, name) if path.stem in check.message]
    after = damage(before)
    try:
        path.unlink() if after is None else path.write_bytes(after)
        found = _said(settings, name)
    finally:
        if before:
            path.write_bytes(before)
            path.chmod(0o600)
        else:
            path.unlink()

    assert found
    assert all(check.fix for check in found)
