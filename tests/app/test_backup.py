import json
import os
import stat
import sys
import zipfile
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import text

from paige.app.application import open_app
from paige.app.backup.tables import declared, strangers
from paige.app.places import workspace_documents
from paige.base.errors import BadInput, Conflict, NotFound, PaigeError
from paige.base.settings import Settings
from paige.doors.data.backup import back_up
from paige.doors.data.move import move
from paige.doors.data.restore import Wish, restore, verify_backup
from paige.memory.access import Reader
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.search_values import Ask
from paige.store.document_table import TableDocuments
from paige.store.engine import Database, open_database, open_sqlite
from paige.store.migrate import head_revision, upgrade
from tests.app.keeping import (
    ELSEWHERE,
    SECRET,
    ask,
    fill_tables,
    make_installation,
    quiet,
    remember,
    settings_in,
    sums,
)
from tests.conftest import NOON
from tests.postgres import temp_database
from tests.processes import line, python, run_python
from tests.store.dump_schema import declare_all_tables


def noon():
    return NOON


def backed_up(settings: Settings, target: Path):
    return back_up(settings, target, now=NOON, told=quiet)


def put_back(settings: Settings, source: Path, **wish):
    return restore(settings, source, Wish(**wish), now=noon, told=quiet)


def rows_in(settings: Settings) -> dict[str, tuple[int, str]]:
    with closing(open_database(settings)) as database:
        return sums(database)


@pytest.fixture
def home(db_engine: str, tmp_path: Path, empty_settings: Settings) -> Settings:
    return make_installation(tmp_path / "home", empty_settings.database_url)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    settings = make_installation(tmp_path / "home")
    backed_up(settings, tmp_path / "b.zip")
    return tmp_path / "b.zip"


def changed(archive: Path, change) -> Path:
    """The archive with members changed by a function of name and bytes."""
    target = archive.with_name("changed.zip")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            found = change(info.filename, old.read(info))
            for name, data in found if isinstance(found, list) else [(info.filename, found)]:
                new.writestr(name, data)
    return target


@pytest.mark.db
def test_every_table_of_a_new_database_is_declared_or_known_to_be_made_again(
    db: Database,
) -> None:
    before = {each.name for each in declared()}
    declare_all_tables()
    assert {each.name for each in declared()} == before
    with db.system.transaction(write=False) as connection:
        assert strangers(connection) == []


@pytest.mark.db
def test_what_was_backed_up_is_there_again_with_the_same_sums(
    home: Settings, tmp_path: Path
) -> None:
    manifest = backed_up(home, tmp_path / "b.zip")
    done = put_back(home, tmp_path / "b.zip", into=tmp_path / "new")
    assert manifest.rows > 60
    before, after = rows_in(home), rows_in(done.settings)
    assert after == before
    again = backed_up(done.settings, tmp_path / "again.zip")
    assert again.tables == manifest.tables
    with open_app(done.settings, strict=False, now=noon) as app:
        memory = app.memory.open()
        found = memory.search(Ask(query="garden water"), Reader())
        assert [each.text for each in found.results] == ["The school garden needs water on Mondays"]
        assert memory.verify(app.actor) == []
        remember(memory, "The log goes on")
        text = workspace_documents(app).read("lessons/bread.md").text
        assert text == "Bread and yeast\n"
    assert (done.settings.teaching_dir / "courses/malay/course.md").exists()
    assert (tmp_path / "new/config/ai/guards/no-rm.json").exists()
    assert (done.settings.data_dir / "research-salt").exists()


def test_the_archive_is_private_and_holds_no_key(archive: Path) -> None:
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    with zipfile.ZipFile(archive) as found:
        manifest = json.loads(found.read("manifest.json"))
        everything = b"".join(found.read(name) for name in found.namelist())
        names = found.namelist()
    for planted in (SECRET, "k" * 32, "e" * 64, "made again"):
        assert planted.encode() not in everything
    assert not [name for name in names if name.endswith(".key") or "paige.db" in name]
    assert {"cookie.key", "guard/evidence.key", "paige.toml: anthropic_api_key"} <= set(
        manifest["secrets"]
    )
    assert manifest["schema"] == head_revision()
    assert b"3210" in everything
    assert list(archive.parent.glob(".*")) == []


def test_keys_of_the_environment_are_named_and_left_out(tmp_path: Path) -> None:
    settings = make_installation(tmp_path / "home")
    environ = {**settings.environ, "OPENAI_API_KEY": SECRET, "PORT": "4567"}
    environ["CHROMADB_URL"] = "http://me:pass@127.0.0.1:1"
    manifest = backed_up(replace(settings, environ=environ), tmp_path / "b.zip")
    assert {"OPENAI_API_KEY", "CHROMADB_URL"} <= set(manifest.secrets)
    assert manifest.settings == {"PORT": "4567"}


def test_a_backup_while_someone_writes_is_one_moment(tmp_path: Path) -> None:
    settings = make_installation(tmp_path / "home")
    script = """
import sys
from sqlalchemy import text
from pathlib import Path
from paige.store.document_table import TableDocuments
from paige.store.engine import open_sqlite
database = open_sqlite(Path(sys.argv[1]))
print("ready", flush=True)
for n in range(100_000):
    with database.transaction(write=True) as c:
        for t in ("a", "b"):
            c.execute(text("INSERT INTO blobs (tenant, hash, text) VALUES ('local', :h, :h)"),
                      {"h": f"{t}{n:06d}"})
"""
    with python(script, settings.data_dir / "paige.db") as writer:
        assert line(writer) == "ready"
        for number in range(3):
            backed_up(settings, tmp_path / f"{number}.zip")
        assert writer.poll() is None
        writer.kill()
    counts = []
    for number in range(3):
        done = put_back(settings, tmp_path / f"{number}.zip", into=tmp_path / f"into{number}")
        which = "FROM blobs WHERE length(hash) = 7 GROUP BY 1"
        both = dict(ask(done.settings, f"SELECT substr(hash, 1, 1), count(*) {which}"))
        assert len(set(both.values())) <= 1
        counts.append(both.get("a", 0))
    assert counts == sorted(counts)


def test_a_project_with_its_own_memory_comes_along(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".ai/memory").mkdir(parents=True)
    (project / ".ai/guards").mkdir()
    (project / ".ai/guards/g.json").write_text("{}")
    (project / ".git").mkdir()
    settings = replace(make_installation(tmp_path / "home"), project_dir=project)
    with open_app(settings, strict=False, now=noon) as app:
        memory = app.memory.open()
        [identity] = list(memory.projects._roots)
        memory.remember(
            [Draft(text="Tests run with make", scope="project", project=identity)],
            Writer(project=identity),
        )
    assert (project / ".ai/memory/events.jsonl").exists()
    manifest = backed_up(settings, tmp_path / "b.zip")
    assert [each.id for each in manifest.projects] == [identity]
    done = put_back(settings, tmp_path / "b.zip", into=tmp_path / "new")
    restored = replace(done.settings, project_dir=None, cwd=tmp_path / "new")
    with open_app(restored, strict=False, now=noon) as app:
        texts = [each.text for each in app.memory.open().all_events()]
    assert "Tests run with make" in texts
    assert (tmp_path / "new/projects/project-0/.ai/guards/g.json").exists()


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_a_torn_archive_is_refused_and_nothing_is_written(archive: Path, share: float) -> None:
    data = archive.read_bytes()
    torn = archive.with_name("torn.zip")
    torn.write_bytes(data[: int(len(data) * share)])
    with pytest.raises(BadInput):
        put_back(settings_in(archive.parent / "x"), torn, into=archive.parent / "new")
    assert not (archive.parent / "new").exists()


def test_a_changed_byte_anywhere_is_noticed(archive: Path) -> None:
    data = bytearray(archive.read_bytes())
    for place in range(100, len(data), len(data) // 40):
        broken = bytearray(data)
        broken[place] ^= 0x55
        archive.with_name("broken.zip").write_bytes(broken)
        try:
            verify_backup(archive.with_name("broken.zip"), told=quiet)
        except PaigeError:
            continue
        # A byte of a date or of a padding says nothing about what is in the archive.
        with zipfile.ZipFile(archive) as one, zipfile.ZipFile(archive.with_name("broken.zip")) as b:
            assert {n: one.read(n) for n in one.namelist()} == {n: b.read(n) for n in b.namelist()}


@pytest.mark.parametrize(
    "name",
    [
        "files/data/../../escaped",
        "/etc/escaped",
        "files/data/a\\..\\..\\escaped",
        "files/data//escaped",
        "database/../escaped.jsonl",
        "files/data/./escaped",
        "other/escaped",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(archive: Path, name: str) -> None:
    def add(member: str, data: bytes):
        if member != "manifest.json":
            return data
        manifest = json.loads(data)
        manifest["members"][name] = {"size": 1, "sha256": sha256(b"x").hexdigest()}
        return [(name, b"x"), (member, json.dumps(manifest))]

    with pytest.raises(BadInput, match="not a path of a backup"):
        put_back(
            settings_in(archive.parent / "x"), changed(archive, add), into=archive.parent / "n"
        )
    assert not (archive.parent / "n").exists()


def test_a_link_in_the_archive_is_refused(archive: Path) -> None:
    target = archive.with_name("link.zip")
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename == "files/workspace/lessons/bread.md":
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            new.writestr(info, data)
    with pytest.raises(BadInput, match="not a plain file"):
        verify_backup(target, told=quiet)


def test_rows_that_were_changed_with_their_hash_do_not_add_up(archive: Path) -> None:
    told: dict[str, bytes] = {}

    def change(member: str, data: bytes):
        if member == "database/sessions.jsonl":
            told["new"] = data = data.replace(b'"coach"', b'"study"').replace(b"000001", b"000009")
        if member == "manifest.json":
            manifest = json.loads(data)
            manifest["members"]["database/sessions.jsonl"] = {
                "size": len(told["new"]),
                "sha256": sha256(told["new"]).hexdigest(),
            }
            return json.dumps(manifest).encode()
        return data

    with pytest.raises(BadInput, match="do not add up"):
        verify_backup(changed(archive, change), told=quiet)


def test_a_newer_schema_is_refused(archive: Path) -> None:
    def newer(member: str, data: bytes):
        if member == "manifest.json":
            return data.replace(f'"{head_revision()}"'.encode(), b'"9999"')
        return data

    with pytest.raises(Conflict, match="newer Paige"):
        put_back(
            settings_in(archive.parent / "x"), changed(archive, newer), into=archive.parent / "n"
        )


@pytest.mark.db
def test_an_older_schema_is_upgraded_after_restoring(
    tmp_path: Path, empty_settings: Settings
) -> None:
    old = settings_in(tmp_path / "old")
    with closing(open_sqlite(old.data_dir / "paige.db")) as database:
        upgrade(database, "0009")
        fill_tables(database, 2)
    manifest = backed_up(old, tmp_path / "b.zip")
    assert manifest.schema == "0009"
    url = empty_settings.database_url
    done = put_back(settings_in(tmp_path / "n"), tmp_path / "b.zip", into=tmp_path / "x", to=url)
    after = rows_in(done.settings)
    assert {name: after[name][0] for name in manifest.tables} == dict.fromkeys(manifest.tables, 2)
    found = ask(done.settings, "SELECT version_num FROM alembic_version")
    assert found == [(head_revision(),)]


@pytest.mark.db
def test_a_target_with_something_in_it_is_refused_or_kept_aside(
    home: Settings, tmp_path: Path
) -> None:
    backed_up(home, tmp_path / "b.zip")
    home.workspace.mkdir(exist_ok=True)
    (home.workspace / "later.md").write_text("written after the backup")
    with (
        closing(open_database(home)) as database,
        database.system.transaction(write=True) as connection,
    ):
        connection.execute(text("DELETE FROM blobs"))
    before = rows_in(home)
    with pytest.raises(Conflict, match="There is something already"):
        put_back(home, tmp_path / "b.zip")
    assert rows_in(home) == before
    done = put_back(home, tmp_path / "b.zip", replace=True)
    assert rows_in(home)["blobs"][0] == 3
    assert not (home.workspace / "later.md").exists()
    [old] = [path for path in map(Path, done.aside) if path.name.startswith("data.before-")]
    assert (old / "workspace/later.md").exists()
    assert (home.data_dir / "cookie.key").read_text() == "k" * 32
    assert "cookie.key" in done.carried
    assert SECRET in (tmp_path / "home/config/ai/paige.toml").read_text()
    if home.database_url:
        [schema] = [name.removeprefix("schema ") for name in done.aside if "schema " in name]
        assert ask(home, f"SELECT count(*) FROM {schema}.sessions") == [(3,)]


def test_a_running_server_keeps_a_restore_away(tmp_path: Path) -> None:
    home = make_installation(tmp_path / "home")
    backed_up(home, tmp_path / "b.zip")
    with closing(open_database(home)) as database:
        with database.transaction(write=False) as connection:
            connection.execute(text("SELECT 1 FROM events"))
        with pytest.raises(Conflict, match="open"):
            put_back(home, tmp_path / "b.zip", replace=True)
    assert not list(tmp_path.glob("home/*before*"))
    assert not list(tmp_path.glob("home/.*restoring*"))


@pytest.mark.db
def test_a_backup_of_one_engine_restores_into_the_other(
    home: Settings, tmp_path: Path, postgres_server: str
) -> None:
    backed_up(home, tmp_path / "b.zip")
    with temp_database(postgres_server, template="template0") as url:
        to = "" if home.database_url else url
        done = put_back(settings_in(tmp_path / "x"), tmp_path / "b.zip", into=tmp_path / "n", to=to)
        assert bool(done.settings.database_url) != bool(home.database_url)
        before, after = rows_in(home), rows_in(done.settings)
        # Files of the one are rows of the other, and writing documents is told as events.
        for name in ("events", *ELSEWHERE):
            before.pop(name), after.pop(name)
        assert after == before
        with open_app(done.settings, strict=False, now=noon) as app:
            texts = [each.text for each in app.memory.open().all_events()]
            documents = workspace_documents(app)
            assert documents.read("lessons/bread.md").text == "Bread and yeast\n"
    assert texts == ["The school garden needs water on Mondays"]


def test_only_looking_writes_nothing(archive: Path) -> None:
    before = sorted(archive.parent.rglob("*"))
    assert verify_backup(archive, told=quiet).rows > 60
    assert sorted(archive.parent.rglob("*")) == before


def test_a_backup_inside_what_it_backs_up_is_refused(tmp_path: Path) -> None:
    settings = make_installation(tmp_path / "home")
    for place in (settings.data_dir / "b.zip", settings.workspace / "b.zip"):
        with pytest.raises(BadInput, match="every backup would hold the one before"):
            backed_up(settings, place)
    with pytest.raises(NotFound):
        backed_up(settings, tmp_path / "no" / "b.zip")
    with pytest.raises(NotFound, match="no database"):
        backed_up(settings_in(tmp_path / "empty"), tmp_path / "b.zip")


def test_a_link_out_of_the_workspace_is_not_followed(tmp_path: Path) -> None:
    settings = make_installation(tmp_path / "home")
    (tmp_path / "outside.txt").write_text("planted outside")
    (settings.workspace / "link.md").symlink_to(tmp_path / "outside.txt")
    (settings.workspace / "up").symlink_to(tmp_path)
    manifest = backed_up(settings, tmp_path / "b.zip")
    assert len([each for each in manifest.left_out if "link" in each]) == 2
    assert not [name for name in manifest.members if "link.md" in name or "/up/" in name]


KILLED = """
import sys
from pathlib import Path
from datetime import datetime, UTC
from paige.doors.data.backup import back_up
from tests.app.keeping import settings_in
def told(what, done, of):
    print(what, done, of, flush=True)
    input()
back_up(settings_in(Path(sys.argv[1])), Path(sys.argv[2]), now=datetime.now(UTC), told=told)
"""


@pytest.mark.parametrize("steps", [1, 6, 20, 34])
def test_a_killed_backup_leaves_the_old_one_and_the_next_tidies_up(
    tmp_path: Path, steps: int
) -> None:
    settings = make_installation(tmp_path / "home")
    target = tmp_path / "out" / "b.zip"
    target.parent.mkdir()
    backed_up(settings, target)
    before = target.read_bytes()
    with python(KILLED, tmp_path / "home", target) as process:
        assert process.stdin is not None
        for _ in range(steps):
            line(process)
            process.stdin.write("\n")
            process.stdin.flush()
        line(process)
        process.kill()
        process.wait()
    assert target.read_bytes() == before
    assert len(list(target.parent.iterdir())) >= 2
    backed_up(settings, target)
    assert list(target.parent.iterdir()) == [target]


FULL = """
import json, os, resource, subprocess, sys
from pathlib import Path
from datetime import datetime, UTC
from paige.doors.data.backup import back_up
from paige.base.errors import Unavailable
from tests.app.keeping import settings_in, quiet
way, home, out, size = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
out.mkdir()
if way == "tmpfs":
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "none", out], check=True)
else:
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
try:
    back_up(settings_in(home), out / "b.zip", now=datetime.now(UTC), told=quiet)
except Unavailable as error:
    print(json.dumps([error.message, error.hint, os.listdir(out)]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small file system")
@pytest.mark.parametrize("size", [8_192, 1_000_000])
@pytest.mark.parametrize("way", ["tmpfs", "limit"])
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, way: str, size: int) -> None:
    settings = make_installation(tmp_path / "home")
    (settings.workspace / "large.bin").write_bytes(os.urandom(1_500_000))
    prefix = ("unshare", "--map-root-user", "--mount") if way == "tmpfs" else ()
    said = run_python(FULL, way, tmp_path / "home", tmp_path / "out", size, prefix=prefix)
    message, hint, names = json.loads(said)
    assert "The disk is full" in message
    assert hint == "Free some space and try again."
    assert names == []


def test_a_full_disk_while_restoring_leaves_the_target_as_it_was(archive: Path) -> None:
    script = """
import json, resource, sys
from pathlib import Path
from datetime import datetime, UTC
from paige.doors.data.move import move
from paige.app.places import workspace_documents
from paige.doors.data.restore import Wish, restore
from paige.base.errors import PaigeError
from tests.app.keeping import settings_in, quiet
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, resource.RLIM_INFINITY))
try:
    restore(settings_in(Path(sys.argv[1]) / "x"), Path(sys.argv[2]),
            Wish(into=Path(sys.argv[1]) / "new"), now=lambda: datetime.now(UTC), told=quiet)
except PaigeError as error:
    print(json.dumps(error.message))
"""
    said = json.loads(run_python(script, archive.parent, archive))
    assert "disk" in said
    assert not (archive.parent / "new").exists()
    assert not list(archive.parent.glob(".*"))


def test_what_a_move_left_behind_does_not_come_back(tmp_path: Path, postgres_server: str) -> None:
    home = make_installation(tmp_path / "home")
    (home.workspace / "gone.md").write_text("deleted after the move")
    with temp_database(postgres_server, template="template0") as url:
        move(home, url, restart=False, now=noon, told=quiet)
        there = replace(home, database_url=url)
        with open_app(there, strict=False, now=noon) as app:
            documents = TableDocuments(app.database, app.actor, "workspace", now=noon)
            bread = documents.read("lessons/bread.md")
            documents.write("lessons/bread.md", "Better bread", base=bread.version)
            documents.delete("gone.md", base=documents.read("gone.md").version)
            remember(app.memory.open(), "Said after the move")
        manifest = backed_up(there, tmp_path / "b.zip")
        assert not [name for name in manifest.members if "workspace" in name or "/memory/" in name]
        assert len([each for each in manifest.left_out if "in the database" in each]) == 2
        done = put_back(there, tmp_path / "b.zip", replace=True)
        with open_app(there, strict=False, now=noon) as app:
            documents = TableDocuments(app.database, app.actor, "workspace", now=noon)
            assert documents.read("lessons/bread.md").text == "Better bread"
            assert "gone.md" not in documents.paths()
            assert len(list(app.memory.open().all_events())) == 2
        assert done.notes == ()
        here = put_back(settings_in(tmp_path / "x"), tmp_path / "b.zip", into=tmp_path / "new")
    assert (here.settings.workspace / "lessons/bread.md").read_text() == "Better bread"
    assert not (here.settings.workspace / "gone.md").exists()
    with open_app(here.settings, strict=False, now=noon) as app:
        assert len(list(app.memory.open().all_events())) == 2
