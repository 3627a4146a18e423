"""What agents load and leave behind on the way to a lesson, with a model on the wire."""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.agent.crew import agent_text
from tests.cli.conftest import result
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import ServedModel
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import run_paige
from tests.plan.planning import WORKSPACE, lesson_text, write_files

Call = tuple[str, Mapping[str, Any]]
CREATE = ("plan", "create-lesson", "loops for 3B", "--yes", "--json")


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    """A folder whose workspace is the small one of the tests."""
    write_files(tmp_path / ".paige" / "workspace", WORKSPACE)
    return tmp_path


def calling(*calls: Call, then: str) -> Any:
    """A model that uses tools, one a turn, then says a text."""

    def answer(request: Recorded) -> Reply:
        done = len(tool_results(request))
        if done < len(calls):
            name, given = calls[done]
            return ANTHROPIC.tool_call(f"c{done}", name, given)
        return ANTHROPIC.answer(then)

    return answer


def tool_results(request: Recorded) -> list[str]:
    """What tools have answered in a conversation."""
    blocks = [
        block
        for message in request.body["messages"]
        if isinstance(message["content"], list)
        for block in message["content"]
    ]
    return [_text(block["content"]) for block in blocks if block["type"] == "tool_result"]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def system(request: Recorded) -> str:
    """The system prompt of a request."""
    return _text(request.body["system"])


def spans(folder: Path, trace: str) -> Sequence[dict[str, Any]]:
    """The spans of a run, as `paige plan trace` gives them."""
    [shown] = result(run_paige(folder, "plan", "trace", trace, "--json"))["traces"]
    return shown["spans"]


def memory_events(folder: Path) -> list[tuple[str, str, str | None]]:
    """What is noted of memory: what happened, to which document, in which run."""
    with sqlite3.connect(folder / ".paige" / "paige.db") as connection:
        rows = connection.execute("SELECT event_type, path, trace_id FROM memory_events")
        found = rows.fetchall()
    connection.close()
    return found


def test_a_skill_is_opened_before_its_files_and_the_trace_says_which_tier(
    teaching: Path, model: ServedModel
) -> None:
    model.answers_with(
        calling(
            ("read_skill", {"reference": "backward-design"}),
            ("read_skill", {"reference": "backward-design/examples.md"}),
            then=lesson_text(),
        )
    )

    shown = result(run_paige(teaching, *CREATE, **model.variables))

    first, *_, last = model.requests
    overview, examples = tool_results(last)
    assert "backward-design" in system(first)
    assert overview not in system(first)
    assert len(overview) > 1000
    assert examples != overview
    tools = [
        each["attributes"] for each in spans(teaching, shown["trace"]) if each["kind"] == "tool"
    ]
    assert [each["skill_tier"] for each in tools] == [2, 3]
    assert shown["status"] == "success"


def test_references_of_skills_are_put_in_place_and_a_circle_ends(
    teaching: Path, model: ServedModel
) -> None:
    front = "---\ndescription: d\n---\n"
    write_files(
        teaching / ".ai" / "plugins" / "mine",
        {
            "PLUGIN.md": "---\nname: mine\nversion: 1.0.0\ndescription: Mine.\n---\n",
            "agents/a.md": agent_text(skills="[one, two]"),
            "commands/go.md": "---\nagent: a\ndescription: Go.\n---\nGo.\n",
            "skills/one/SKILL.md": f"{front}First. [skill:two] [skill:nowhere]\n",
            "skills/two/SKILL.md": f"{front}Second. [skill:one]\n",
        },
    )
    model.answers_with(calling(("read_skill", {"reference": "one"}), then="Done."))

    done = run_paige(teaching, "plan", "mine:go", "x", "--yes", "--json", **model.variables)

    [read] = tool_results(model.requests[-1])
    assert read.index("First.") < read.index("Second.")
    assert read.count("First.") == 1
    assert "nowhere" in read
    assert result(done)["status"] == "success"


def test_memory_is_in_the_prompt_by_its_index_and_read_further_on_demand(
    teaching: Path, model: ServedModel
) -> None:
    write_files(
        teaching / ".paige" / "workspace" / "memory",
        {
            "MEMORY.md": "- Likes bullet points\n",
            "classes/3B/MEMORY.md": "- Short starters work\n",
            "style-preferences.md": "- Tides as an example\n",
        },
    )
    note = {"path": "classes/3B/MEMORY.md", "text": "- Pairs work well"}
    model.answers_with(
        calling(
            ("read_memory", {"path": "style-preferences.md"}),
            ("update_memory", note),
            then=lesson_text(),
        )
    )

    shown = result(run_paige(teaching, *CREATE, **model.variables))

    prompt = system(model.requests[0])
    assert prompt.index("- Likes bullet points") < prompt.index("- Short starters work")
    assert "Tides" not in prompt
    assert "Tides as an example" in tool_results(model.requests[-1])[0]
    assert "From earlier sessions:" in shown["gates"][0]["interaction"]["text"]
    assert "Short starters work" in shown["gates"][0]["interaction"]["text"]
    noted = {
        (kind, path) for kind, path, trace in memory_events(teaching) if trace == shown["trace"]
    }
    assert {
        ("read", "MEMORY.md"),
        ("read", "classes/3B/MEMORY.md"),
        ("read", "style-preferences.md"),
        ("write", "classes/3B/MEMORY.md"),
    } <= noted


def test_a_subagent_reads_the_same_memory_and_nothing_of_the_conversation(
    teaching: Path, model: ServedModel
) -> None:
    write_files(teaching / ".paige" / "workspace" / "memory", {"MEMORY.md": "- Likes bullets\n"})
    task = {"agent": "pedagogy-reviewer", "task": "Read the draft: loops."}
    parent = calling(("spawn_subagent", task), then=lesson_text())
    child = calling(("read_memory", {"path": "MEMORY.md"}), then="Shorten the starter.")

    def answer(request: Recorded) -> Reply:
        nested = "Pedagogy reviewer" in system(request)
        return child(request) if nested else parent(request)

    model.answers_with(answer)

    shown = result(run_paige(teaching, *CREATE, **model.variables))

    inner = [each for each in model.requests if "Pedagogy reviewer" in system(each)]
    assert "Likes bullets" in tool_results(inner[-1])[0]
    assert "loops for 3B" not in json.dumps(inner[0].body["messages"])
    assert "Shorten the starter." in tool_results(model.requests[-1])[0]
    assert shown["status"] == "success"


def test_what_a_session_learned_is_kept_beyond_it_with_where_it_comes_from(teaching: Path) -> None:
    waiting = run_paige(teaching, "plan", "create-lesson", "loops for 3B", "--json")
    session = result(waiting)["session"]
    learned = {
        "text": "A flowchart always comes before the code",
        "scope": "session",
        "session": session,
        "type": "preference",
        "importance": 0.95,
    }
    run_paige(teaching, "memory", "import", "--jsonl", stdin=json.dumps(learned))

    run_paige(teaching, "plan", "resume", session, "--yes", "--json")

    log = teaching / ".config" / "ai" / "memory" / "events.jsonl"
    events = [json.loads(line) for line in log.read_text().splitlines()]
    [promoted] = [each for each in events if each["type"] == "promoted"]
    assert promoted["payload"]["from"] == "session"
    assert "score" in promoted["payload"]["reason"]
    assert promoted["provenance"]["session_id"] == session
