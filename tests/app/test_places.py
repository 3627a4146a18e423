"""Where the workspace is: a folder of one machine, or a table that servers share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from paige.app.application import App, open_app
from paige.app.places import (
    existing_workspace,
    export_workspace,
    import_workspace,
    workspace,
    workspace_documents,
)
from paige.app.plan_files import PlanFiles
from paige.base.actor import Actor
from paige.base.errors import NotFound, PaigeError
from paige.base.paths import shipped
from paige.base.settings import Settings
from paige.doors.search.files import WorkspaceFiles
from paige.doors.search.finder import Query
from paige.doors.settings.sample import add_sample, look_at_sample, remove_sample
from paige.plan.files import list_files
from paige.plan.messages import PlanFileChanged
from paige.plan.workspace import read_classes
from paige.store.document_table import TableDocuments
from paige.store.documents import NEW, DirectoryDocuments
from paige.store.queries import events_after
from tests.conftest import NOON
from tests.store.running import read


@contextmanager
def opened(settings: Settings) -> Iterator[App]:
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        yield app


@pytest.fixture
def own(db_settings: Settings, tmp_path: Path) -> Settings:
    return replace(db_settings, environ={"HOME": str(tmp_path)})


def told(app: App) -> list[tuple[str, str]]:
    events = read(app.database.system, events_after, 0)
    mine = [each.payload for each in events if each.topic == PlanFileChanged.topic]
    return [(each["path"], each["action"]) for each in mine]


@pytest.mark.db
def test_a_workspace_begins_with_the_sample_wherever_it_is(own: Settings) -> None:
    with opened(own) as app:
        assert existing_workspace(app) is None
        documents = workspace_documents(app)
        kind = TableDocuments if app.database.kind == "postgresql" else DirectoryDocuments
        assert isinstance(documents, kind)
        assert len(read_classes(documents).profiles) >= 1
        assert "soul.md" in documents.paths()
        assert own.workspace.exists() == (kind is DirectoryDocuments)
        for path in documents.paths():
            documents.delete(path, base=documents.read(path).version)
        again = workspace_documents(app)
        assert again.paths() == []  # what a person removed stays away


@pytest.mark.db
def test_a_folder_of_ones_own_stays_a_folder_and_that_of_a_desk_does_not(
    own: Settings, tmp_path: Path
) -> None:
    given = replace(own, given_workspace=tmp_path / "mine")
    assert isinstance(workspace(given), DirectoryDocuments)
    folder = own.data_dir / "people" / "school" / "anna"
    desk = replace(own, given_data_dir=folder, given_workspace=folder / "workspace")
    with opened(own) as app:
        anna = replace(app, settings=desk, actor=Actor("school", "anna"))
        in_table = app.database.kind == "postgresql"
        assert isinstance(workspace_documents(anna), TableDocuments) == in_table
        workspace_documents(anna).write("hers.md", "text", base=NEW)
        assert "hers.md" not in workspace_documents(app).paths()


@pytest.mark.db
def test_commands_without_an_application_see_the_same_workspace(own: Settings) -> None:
    with opened(own) as app:
        workspace_documents(app).write("lessons/new.md", "# New", base=NEW)
        assert workspace(own).read("lessons/new.md").text == "# New"


@pytest.mark.db
@pytest.mark.anyio
async def test_a_change_is_told_once_whoever_made_it(own: Settings) -> None:
    with opened(own) as app:
        files = PlanFiles(app)
        async with files.running():
            made = await files.write("notes.md", "one", None)
            await files.delete("notes.md", made.version)
        expected = [("notes.md", "written"), ("notes.md", "deleted")]
        assert [each for each in told(app) if each[0] == "notes.md"] == expected
        if app.database.kind == "postgresql":
            workspace(own).write("by-a-command.md", "x", base=NEW)
            workspace(own).write("memory/x.md", "x", base=NEW)
            assert told(app)[2:] == [("by-a-command.md", "written")]


@pytest.mark.db
def test_files_are_listed_and_found_with_their_size(own: Settings) -> None:
    with opened(own) as app:
        finder = WorkspaceFiles(lambda: existing_workspace(app))
        assert finder.search(Query("marmalade", ("marmalade",), 5)) == []
        documents = workspace_documents(app)
        documents.write("lessons/jam.md", "# Jam\n\nMarmalade für alle.", base=NEW)
        listed = {each.path: each for each in list_files(documents)}
        assert listed["lessons/jam.md"].size == len("# Jam\n\nMarmalade für alle.".encode())
        assert listed["lessons/jam.md"].version == documents.read("lessons/jam.md").version
        found = finder.search(Query("marmalade", ("marmalade",), 5))
        assert [each.title for each in found] == ["Jam"]
        base = documents.read("lessons/jam.md").version
        documents.write("lessons/jam.md", "# Jam\n\nHoney.", base=base)
        assert finder.search(Query("marmalade", ("marmalade",), 5)) == []


@pytest.mark.db
def test_the_sample_is_put_back_and_taken_away(own: Settings) -> None:
    with opened(own):
        assert look_at_sample(own).files == ()
        documents = workspace(own)
        sample = look_at_sample(own)
        assert len(sample.files) == sample.all_files > 1
        assert not sample.mixed
        soul = documents.read("soul.md")
        documents.write("soul.md", "my own", base=soul.version)
        gone = next(path for path in sample.files if path != "soul.md")
        documents.delete(gone, base=documents.read(gone).version)
        assert look_at_sample(own).changed == ("soul.md",)
        assert gone in add_sample(own).files
        assert documents.read(gone).text == (shipped("workspace") / gone).read_text("utf-8")
        left = remove_sample(own)
        assert left.files == ()
        assert documents.paths() == ["soul.md"]


@pytest.mark.db
def test_a_workspace_goes_to_a_folder_and_back(own: Settings, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with opened(own) as app:
        documents = workspace_documents(app)
        if app.database.kind == "sqlite":
            for attempt in (export_workspace, import_workspace):
                with pytest.raises(PaigeError) as caught:
                    attempt(own, folder)
                assert caught.value.message
            return
        done = export_workspace(own, folder)
        assert list(done.taken) == documents.paths()
        (folder / "soul.md").write_text("edited in an editor")
        (folder / "memory").mkdir()
        (folder / "memory" / "MEMORY.md").write_text("made from the log")
        assert import_workspace(own, folder).taken == ["soul.md"]
        assert documents.read("soul.md").text == "edited in an editor"
        with pytest.raises(NotFound, match="no folder"):
            import_workspace(own, tmp_path / "nowhere")
