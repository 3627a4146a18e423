"""Research data of real runs: every kind of event, pseudonyms, names taken out, both forms."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import duckdb
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.interactions import Choices, Interaction, Reply
from paige.agent.runs import continue_run, create_run, reply_to
from paige.app.application import App, open_app
from paige.app.plugin_runs import RunOptions, open_runtime, prepare_start
from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.base.errors import Conflict, Unavailable
from paige.base.settings import Settings
from paige.doors.plan.cli_folders import research
from paige.doors.setup.eval_cases import SectionWish
from paige.doors.setup.eval_homes import make_home
from paige.models.scripted import calls
from paige.plan.evals.cases import Config, Wish
from paige.plan.research.events import (
    KINDS,
    Event,
    Masking,
    codebook,
    ids_in,
    read_salt,
    tables_of,
    write_research,
)
from paige.plan.research.traces import Span, events_in, recorded_runs
from tests.conftest import NOON
from tests.plan.evaluating import local_settings
from tests.plan.planning import WITHOUT_CONFIDENCE, lesson_text, planning

SALT = b"s" * 32
WISH = Wish(section="starter", says="Eilidh needs a starter of 9 minutes", met="Starter (9 min)")


class Teacher(SectionWish):
    """Changes what is known, and has a wish about the starter; mentions a pupil in both."""

    def __call__(self, asked: Interaction) -> Reply:
        if isinstance(asked, Choices) and asked.title.startswith("What I know"):
            first = super().__call__(asked)
            picked = replace(first.picked[""], option="modify", text="Kacper has moved to 2C")
            return Reply(picked={"": picked})
        return super().__call__(asked)


@contextmanager
def opened(settings: Settings) -> Iterator[App]:
    with open_app(settings, strict=False) as app:
        yield app


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Two lessons that local rules wrote: one judged by a teacher, one by nobody in particular."""
    folder = tmp_path_factory.mktemp("research")
    made = make_home(local_settings(folder), Config(name="base"), folder)
    with opened(made.settings) as app:

        async def run(request: str, teacher: Any) -> None:
            async with open_runtime(app, made.found, RunOptions()) as runtime:
                start = await prepare_start(app, runtime, made.found, request, RunOptions())
                row = await create_run(start.runtime, app.actor, start.new)
                state = await continue_run(start.runtime, app.actor, row.id)
                while state.waiting:
                    for gate in state.gates:
                        await reply_to(start.runtime, app.actor, gate, teacher(gate.interaction))
                    state = await continue_run(start.runtime, app.actor, row.id)
                assert state.run.status == "success", state.run.reason

        anyio.run(run, "percentages for 2A, Eilidh missed them", Teacher(WISH))
        anyio.run(run, "iteration for 3B", SectionWish(replace_wish()))
    return made.settings


def replace_wish() -> Wish:
    return Wish(section="no-such-section", says="", met="")


def read(
    settings: Settings, masking: Masking | None = None, span: Span | None = None
) -> list[Event]:
    masking = masking or Masking(SALT)
    with opened(settings) as app, app.database.transaction(write=False) as connection:
        return [
            event
            for run in recorded_runs(connection, app.actor, span or Span())
            for event in events_in(run, masking, app.actor)
        ]


@pytest.fixture(scope="module")
def events(home: Settings) -> list[Event]:
    return read(home)


def of(events: list[Event], kind: str) -> list[dict[str, Any]]:
    return [dict(event.fields) for event in events if event.kind == kind]


# --- what local runs tell -------------------------------------------------------------------------


def test_each_run_is_told_with_its_session_in_order(events: list[Event]) -> None:
    assert [row["number_in_session"] for row in of(events, "run")] == [1, 1]
    assert len({event.session for event in events}) == 2
    assert len({event.run for event in events}) == 2
    for run in {event.run for event in events}:
        times = [event.time for event in events if event.run == run]
        assert times == sorted(times)
    first = of(events, "run")[0]
    assert (first["status"], first["source"], first["class"]) == ("success", "local", "2A")
    assert first["prompt_tokens"] > first["memory_tokens"]


def test_every_event_has_the_columns_of_its_kind(events: list[Event]) -> None:
    for event in events:
        assert list(event.fields) == list(KINDS[event.kind].columns)


def test_feedforward_tells_the_response_and_what_was_shown(events: list[Event]) -> None:
    first, second = of(events, "feedforward")
    assert (first["response"], first["auto"]) == ("modified", False)
    assert second["response"] == "confirmed"
    assert first["shown_class"] > 3
    assert first["shown_memory"] == 0


def test_decisions_about_sections_tell_round_and_words(events: list[Event]) -> None:
    revised = [row for row in of(events, "adjudication") if row["decision"] == "revise"]
    assert [(row["section"], row["round"]) for row in revised] == [("starter", 1)]
    assert revised[0]["text"] == "[name] needs a starter of 9 minutes"
    assert sum(row["decision"] == "accept" for row in of(events, "adjudication")) > 20


def test_reflection_evidence_capture_and_memory_are_there(events: list[Event]) -> None:
    assert all(row["question"].endswith("?") for row in of(events, "reflection"))
    stages = {row["stage"] for row in of(events, "evidence")}
    assert stages == {"draft", "saved"}
    assert all(row["valid"] for row in of(events, "evidence"))
    kept = of(events, "memory_capture")
    assert {row["decision"] for row in kept} == {"confirmed"}
    assert {row["scope"] for row in kept} == {"class"}
    used = of(events, "memory_use")
    assert {(row["event"], row["by"]) for row in used} >= {("write", "hook")}
    assert any(row["path"].startswith("classes/2A/") for row in used)


def test_the_second_run_of_a_class_would_read_what_the_first_kept(events: list[Event]) -> None:
    files = {(row["scope"], row["file"]) for row in of(events, "context")}
    assert ("workspace", "classes/2A.md") in files
    assert ("workspace", "soul.md") in files


def test_questions_tell_how_long_a_person_took(events: list[Event]) -> None:
    asked = of(events, "question")
    assert {row["hook"] for row in asked} >= {"feedforward", "teacher-adjudication"}
    assert all(row["answered"] and row["seconds"] >= 0 for row in asked)


def test_hooks_and_model_calls_are_told(events: list[Event]) -> None:
    assert {row["hook"] for row in of(events, "hook")} >= {"scope-check", "age-appropriate"}
    assert {row["provider"] for row in of(events, "model_call")} == {"local"}


# --- what a model's runs tell ---------------------------------------------------------------------


@pytest.mark.db
@pytest.mark.anyio
async def test_tools_skills_memory_sessions_and_confidence_of_a_model_are_told(
    tmp_path: Path, db_settings: Settings
) -> None:
    script = [
        calls("read_memory", path="classes/3B/MEMORY.md"),
        calls("update_memory", path="classes/3B/notes.md", text="Trace tables help."),
        calls("search_sessions", query="loops", class_id="3B"),
        lesson_text(),
    ]
    memory = {"classes/3B/MEMORY.md": "- Short starters."}
    hooks = (*WITHOUT_CONFIDENCE[:-2], "confidence", *WITHOUT_CONFIDENCE[-2:])
    url = db_settings.database_url
    with planning(tmp_path, script, memory=memory, hooks=hooks, database_url=url) as work:
        state = await work.start()
        state = await work.finish(state)
        assert state.run.status == "success", state.run.reason
        with work.app.database.transaction(write=False) as connection:
            [run] = recorded_runs(connection, work.app.actor, Span())
            events = events_in(run, Masking(SALT), work.app.actor)
    tools = of(events, "tool_call")
    assert [row["tool"] for row in tools] == ["read_memory", "update_memory", "search_sessions"]
    assert tools[0]["memory_read"] == "classes/3B/MEMORY.md"
    assert tools[1]["memory_written"] == "classes/3B/notes.md"
    [look] = of(events, "session_lookup")
    assert (look["tool"], look["query"], look["class"]) == ("search_sessions", "loops", "3B")
    assert isinstance(look["found"], list)
    used = {(row["event"], row["by"], row["path"]) for row in of(events, "memory_use")}
    assert ("read", "agent", "classes/3B/MEMORY.md") in used
    assert ("write", "agent", "classes/3B/notes.md") in used
    assert [row["rating"] for row in of(events, "confidence")] == [1]


# --- about nobody in person -----------------------------------------------------------------------


def test_no_name_and_no_id_is_in_any_file(home: Settings, tmp_path: Path) -> None:
    with opened(home) as app, app.database.transaction(write=False) as connection:
        stored = recorded_runs(connection, app.actor, Span())
    write_research(read(home), "csv", tmp_path)
    text = "".join(path.read_text() for path in tmp_path.iterdir())
    for secret in ("Eilidh", "Kacper", SALT.decode(), SALT.hex()):
        assert secret not in text
    for run in stored:
        assert run.run.id not in text
        assert run.run.session_id not in text
    assert ids_in(text) == []
    assert "[name]" in text


def test_pseudonyms_hold_in_one_installation_and_mean_nothing_in_another(home: Settings) -> None:
    one, again = read(home), read(home)
    assert [event.session for event in one] == [event.session for event in again]
    other = read(home, Masking(b"t" * 32))
    assert not {event.session for event in one} & {event.session for event in other}


def test_teachers_are_told_apart() -> None:
    masking = Masking(SALT)
    assert masking.teacher(Actor(person="a")) != masking.teacher(Actor(person="b"))
    assert masking.teacher(Actor("x", "a")) != masking.teacher(Actor("y", "a"))


def test_without_texts_nothing_that_people_wrote_is_left(home: Settings) -> None:
    for event in read(home, Masking(SALT, texts=False)):
        for name, (kind, _) in KINDS[event.kind].columns.items():
            if kind == "words":
                assert not event.fields[name]
    assert of(read(home, Masking(SALT, texts=False)), "run")[0]["request_words"] == 6


@given(st.text(max_size=60))
def test_any_text_is_masked_and_ids_never_stay(text: str) -> None:
    session = "01a1e00c-13fb-7750-b7ff-d3c6db6dd5a1"
    masked = Masking(SALT).words(f"{text} {session}")
    assert session not in masked


def test_the_salt_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    first = read_salt(tmp_path / "data")
    assert read_salt(tmp_path / "data") == first
    assert len(first) == 32
    if sys.platform != "win32":
        assert (tmp_path / "data" / "research-salt").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("left", ["", "not hex", "abcd"])
def test_a_salt_that_was_damaged_is_not_made_again_in_silence(tmp_path: Path, left: str) -> None:
    (tmp_path / "research-salt").write_text(left)
    with pytest.raises(Unavailable, match="holds no salt"):
        read_salt(tmp_path)


# --- files ----------------------------------------------------------------------------------------


def test_csv_and_parquet_say_the_same(events: list[Event], tmp_path: Path) -> None:
    as_csv = write_research(events, "csv", tmp_path / "csv")
    as_parquet = write_research(events, "parquet", tmp_path / "parquet")
    assert as_csv.counts == as_parquet.counts
    assert sum(as_csv.counts.values()) == len(events)
    for name, (columns, _) in tables_of(events).items():
        with (tmp_path / "csv" / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        place = str(tmp_path / "parquet" / f"{name}.parquet")
        shown = ", ".join(f'"{column}"' for column in columns if column != "time")
        found = duckdb.execute(f"SELECT {shown} FROM '{place}' ORDER BY number").fetchall()
        assert len(found) == len(rows)
        for one, two in zip(rows, found, strict=True):
            plain = [one[column] for column in columns if column != "time"]
            assert [_text(cell) for cell in two] == [_number(cell) for cell in plain], name
    assert not list((tmp_path / "parquet").glob("*.part"))


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    return _number(str(cell))


def _number(cell: str) -> str:
    try:
        return repr(float(cell))
    except ValueError:
        return cell


def test_the_fields_of_an_event_are_json(events: list[Event], tmp_path: Path) -> None:
    write_research(events, "csv", tmp_path)
    with (tmp_path / "events.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == [event.kind for event in events]
    assert [json.loads(row["fields"]) for row in rows] == [dict(event.fields) for event in events]
    assert rows[0]["time"] == to_iso(events[0].time)


@given(st.text(max_size=40))
def test_any_text_survives_a_csv_file(text: str) -> None:
    fields = Masking(SALT).fields("reflection", {"question": "q", "answer": text})
    event = Event("t", "s", "r", NOON, "reflection", fields)
    columns, rows = tables_of([event])["reflection"]
    assert rows[0][list(columns).index("answer")] == fields["answer"]


def test_an_export_goes_over_nothing(events: list[Event], tmp_path: Path) -> None:
    write_research(events[:3], "csv", tmp_path)
    before = (tmp_path / "events.csv").read_text()
    with pytest.raises(Conflict):
        write_research(events, "csv", tmp_path)
    assert (tmp_path / "events.csv").read_text() == before


def test_the_codebook_has_every_kind_and_column() -> None:
    page = codebook({"run": 2})
    assert "## run (2 rows)" in page
    for kind, found in KINDS.items():
        assert f"## {kind} (" in page
        assert all(f"| {name} |" in page for name in found.columns)


def test_only_the_runs_of_a_span_are_exported(home: Settings) -> None:
    times = [event.time for event in read(home) if event.kind == "run"]
    later = read(home, span=Span(since=times[1]))
    assert [event.time for event in later if event.kind == "run"] == [times[1]]
    assert read(home, span=Span(until=times[0])) == []
    assert read(home, span=Span(since=times[1] + timedelta(days=1))) == []


# --- the command ----------------------------------------------------------------------------------


def command(home: Settings, *arguments: str) -> Any:
    environ = {
        "HOME": str(home.cwd),
        "DATA_DIR": str(home.data_dir),
        "PAIGE_WORKSPACE": str(home.workspace),
        "AI_MEMORY_PATH": str(home.memory_path),
    }
    return CliRunner().invoke(research, ["export", *arguments], env=environ)


def test_the_command_writes_files_and_says_what(home: Settings, tmp_path: Path) -> None:
    done = command(home, "--to", "csv", "--out", str(tmp_path / "out"), "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["events"]["run"] == 2
    assert "codebook.md" in told["files"]
    assert (tmp_path / "out" / "adjudication.csv").exists()
    assert (home.data_dir / "research-salt").exists()


def test_names_cannot_be_asked_for(home: Settings, tmp_path: Path) -> None:
    done = command(home, "--to", "csv", "--out", str(tmp_path / "out"), "--names")
    assert done.exit_code == 2
    assert "No such option" in done.output
    assert not (tmp_path / "out").exists()


def test_without_duckdb_parquet_says_what_to_install(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['duckdb'] = None\n"
        "from paige.base.errors import Unavailable\n"
        "from paige.plan.research.events import write_research\n"
        "from pathlib import Path\n"
        "try:\n    write_research([], 'parquet', Path('out'))\n"
        "except Unavailable as error:\n    print(error.message, error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "paige[research]" in done.stdout
    assert not (tmp_path / "out").exists()
