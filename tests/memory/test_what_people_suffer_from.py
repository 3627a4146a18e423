"""What users of other memories complain about most, once each, through the whole program."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

from paige.memory.access import Reader
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from paige.memory.memory import Memory
from paige.memory.search_values import Ask
from paige.memory.setup import index_folder, project_of
from tests import nursery
from tests.live import PAIGE, environment, run_paige
from tests.memory.opened import opened, settings_in

ME = Reader()
MINE = Writer()
WRITERS, LINES = 4, 60


def texts(memory: Memory, query: str, **more: object) -> list[str]:
    return [each.text for each in memory.search(Ask(query=query, **more), ME).results]  # type: ignore[arg-type]


def said(folder: Path, *arguments: str) -> str:
    done = run_paige(folder, "memory", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_many_processes_write_at_once_and_nothing_is_damaged(tmp_path: Path) -> None:
    command = [PAIGE, "memory", "import", "--jsonl"]
    writers = [
        nursery.start(
            command,
            env=environment(tmp_path),
            cwd=tmp_path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(WRITERS)
    ]
    for number, writer in enumerate(writers):
        assert writer.stdin is not None
        for line in range(LINES):
            text = f"writer {number} said sentence {line} about the harbour"
            writer.stdin.write(json.dumps({"text": text, "project": "port"}) + "\n")
        writer.stdin.close()
    for writer in writers:
        assert writer.stdout is not None
        assert json.loads(writer.stdout.read()) == {"added": LINES}
        writer.stdout.close()
        assert writer.wait(60) == 0
    checked = json.loads(said(tmp_path, "verify", "--json"))
    assert checked == {"ok": True, "events": WRITERS * LINES, "problems": []}
    asked = json.dumps({"query": "harbour", "project": "port", "k": WRITERS * LINES})
    found = run_paige(tmp_path, "memory", "search", "--jsonl", stdin=asked + "\n")
    assert len(json.loads(found.stdout)["results"]) == WRITERS * LINES


def test_what_was_said_to_be_saved_is_found_by_the_next_process(tmp_path: Path) -> None:
    said(tmp_path, "add", "The lighthouse keeper is called by radio", "--scope", "global")
    assert "lighthouse" in said(tmp_path, "search", "who keeps the lighthouse")


def test_a_memory_that_cannot_be_saved_is_not_said_to_be(tmp_path: Path) -> None:
    log = tmp_path / "no" / "events.jsonl"
    log.parent.mkdir()
    log.mkdir()  # a folder where the log should be
    done = run_paige(tmp_path, "memory", "add", "lost?", AI_MEMORY_PATH=str(log))
    assert done.returncode == 2
    assert "events.jsonl` is not a file" in done.stderr
    assert done.stdout == ""


def test_an_index_that_lost_memories_is_noticed_and_made_again(tmp_path: Path) -> None:
    said(tmp_path, "add", "Ferries leave at seven", "--scope", "global")
    with opened(tmp_path) as memory:
        assert texts(memory, "ferries") == ["Ferries leave at seven"]
        with memory.index.writing() as connection:
            connection.execute("DELETE FROM memories")
    broken = run_paige(tmp_path, "memory", "verify", "--json")
    assert broken.returncode == 1
    assert json.loads(broken.stdout)["ok"] is False
    said(tmp_path, "rebuild")
    assert "Ferries" in said(tmp_path, "search", "ferries")


def test_nothing_is_overwritten_a_correction_keeps_the_old_text(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        first = memory.remember([Draft(text="The key is under the mat", scope="global")], MINE)
        changed = memory.edit(first[0].id or "", "The key is at the neighbour's", MINE)
        shown = memory.show(changed.id or "", ME)
        assert [each.text for each in shown.earlier] == ["The key is under the mat"]
        assert texts(memory, "where is the key") == ["The key is at the neighbour's"]
        assert len(texts(memory, "where is the key", history=True)) == 2


def test_two_folders_of_one_name_are_two_projects(tmp_path: Path) -> None:
    names = []
    for home in ("work", "play"):
        project = tmp_path / home / "api"
        project.mkdir(parents=True)
        found = project_of(replace(settings_in(tmp_path), cwd=project))
        assert found is not None
        names.append(found.id)
    assert names[0] != names[1]
    with opened(tmp_path) as memory:
        for name, text in zip(names, ("Deploy on Monday", "Deploy on Friday"), strict=True):
            memory.remember([Draft(text=text, project=name)], MINE)
        assert texts(memory, "deploy", project=names[0]) == ["Deploy on Monday"]
        agent = Reader(person=None, agent="coder", projects=frozenset({names[1]}))
        seen = memory.search(Ask(query="deploy"), agent).results
        assert [each.text for each in seen] == ["Deploy on Friday"]


def test_recalled_text_is_not_stored_again(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.remember([Draft(text="The class likes short starters", scope="global")], MINE)
        session = Writer(session="s1")
        block = memory.recall(Ask(query="starters"), ME, session)
        assert "short starters" in block
        echoed = Draft(text=f"Thanks. {block} I will plan a game.", scope="session", session="s1")
        whole = Draft(text="The class likes short starters", scope="session", session="s1")
        stored, again = memory.remember([echoed, whole], session)
        assert stored.event is not None
        assert stored.event.text.split() == ["Thanks.", "I", "will", "plan", "a", "game."]
        assert again.status == "recalled"


def test_an_old_fact_is_not_shown_as_current(tmp_path: Path) -> None:
    key = {"key": "room"}
    with opened(tmp_path) as memory:
        for text in ("The room is B12", "The room is C3"):
            memory.remember([Draft(text=text, type="fact", scope="global", payload=key)], MINE)
        assert texts(memory, "which room") == ["The room is C3"]
        block = memory.recall(Ask(query="which room"), ME, Writer(session="s"))
        assert "C3" in block
        assert "B12" not in block


def test_an_index_that_is_deleted_or_damaged_while_it_is_used_is_made_again(
    tmp_path: Path,
) -> None:
    with opened(tmp_path) as memory:
        memory.remember([Draft(text="Lanterns are in the shed", scope="global")], MINE)
        assert texts(memory, "lanterns") == ["Lanterns are in the shed"]
        file = next(index_folder(settings_in(tmp_path)).glob("index.db"))
        file.unlink()
        assert texts(memory, "lanterns") == ["Lanterns are in the shed"]
        data = bytearray(file.read_bytes())
        data[4096:20480] = b"\xff" * len(data[4096:20480])
        file.write_bytes(data)
        assert texts(memory, "lanterns") == ["Lanterns are in the shed"]


def test_forgotten_words_are_nowhere_any_more(tmp_path: Path) -> None:
    secret = "Zanzibarquartz"
    with opened(tmp_path) as memory:
        [kept] = memory.remember([Draft(text=f"The word is {secret}", scope="global")], MINE)
    forgot = run_paige(tmp_path, "memory", "forget", kept.id or "", "--yes")
    assert forgot.returncode == 0, forgot.stderr
    assert said(tmp_path, "search", secret) == ""
    assert json.loads(said(tmp_path, "verify", "--json"))["ok"]
    search = ["grep", "-rla", secret, str(tmp_path)]
    assert subprocess.run(search, capture_output=True, text=True).stdout == ""
