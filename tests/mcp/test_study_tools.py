"""The MCP tools of Study: a real client of each era against the real server, on the same files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client

from paige.agent.library.definitions import read_skill_file
from paige.agent.library.skills import read_skill
from paige.base.paths import SHIPPED
from tests.live import Live, live_paige, run_paige
from tests.study import small_course, small_courses
from tests.study.answering import fill_in, sitting

pytestmark = pytest.mark.anyio
Mode = Literal["legacy", "auto"]
TOOLS = ("study_next", "study_submit", "study_progress")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with small courses."""
    folder = tmp_path_factory.mktemp("study-tools")
    root = folder / ".claude" / "teaching"
    small_courses.memory(root)
    small_courses.malay(root)
    small_course.write_five(root)
    return folder


@pytest.fixture(scope="module")
def paige(home: Path) -> Iterator[Live]:
    """A running server for all tests of this file."""
    with live_paige(home) as live:
        yield live


def root_of(home: Path) -> Path:
    return home / ".claude" / "teaching"


def answer_to(root: Path, learner: str, step: dict[str, Any]) -> str:
    """The right answer to what is asked, from where a learner must not look."""
    name = f"{step['course']}/sessions/{step['session']}.state"
    known = json.loads((root / "learners" / learner / name).read_text())["sitting"]
    question = known["exercise"]["items"][known["at"]]
    return (question["key"] or question["answers"])[0]


async def call(paige: Live, name: str, mode: Mode = "auto", **arguments: object) -> Any:
    async with Client(f"{paige.url}/mcp", mode=mode) as client:
        return await client.call_tool(name, arguments)


async def ask(paige: Live, name: str, mode: Mode = "auto", **arguments: object) -> dict[str, Any]:
    result = await call(paige, name, mode, **arguments)
    assert result.is_error is False, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refused(paige: Live, name: str, **arguments: Any) -> str:
    result = await call(paige, name, **arguments)
    assert result.is_error is True
    return result.content[0].text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_tools_are_listed_with_what_they_take(paige: Live, mode: Mode) -> None:
    async with Client(f"{paige.url}/mcp", mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert set(TOOLS) <= set(tools)
    assert tools["study_submit"].input_schema["required"] == ["step"]
    assert tools["study_progress"].annotations is not None
    assert tools["study_progress"].annotations.read_only_hint is True


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_session_goes_from_the_lesson_to_the_summary(
    paige: Live, home: Path, mode: Mode
) -> None:
    who: dict[str, Any] = {"course": "memory", "learner": mode}
    step = await ask(paige, "study_next", mode, **who)
    assert (step["stage"], step["expects"]) in (("teach", "go_on"), ("exercise", "text"))

    for _ in range(60):
        if step["stage"] == "over":
            break
        at = {**who, "step": step["step"]}
        match step["expects"]:
            case "go_on" | "folder":
                step = await ask(paige, "study_submit", mode, **at, done=True)
            case "file" if step["exercise"]["modality"] == "worksheet":
                fill_in(root_of(home) / step["exercise"]["file"])
                step = await ask(paige, "study_submit", mode, **at, done=True)
            case "text" | "choice" | "recall" if step["exercise"]:
                said = answer_to(root_of(home), mode, step)
                step = await ask(paige, "study_submit", mode, **at, answer=said)
            case _:
                step = await ask(paige, "study_submit", mode, **at, skip=True)

    assert step["stage"] == "over"
    assert step["summary"]["says"]
    progress = await ask(paige, "study_progress", mode, learner=mode)
    (course,) = progress["courses"]
    assert (course["course"], course["begun"]) == ("memory", True)
    assert sum(each["attempts"] for each in course["concepts"]) >= 1


async def test_the_same_session_goes_on_in_the_browser_and_in_the_terminal(
    paige: Live, home: Path
) -> None:
    began = await ask(paige, "study_next", course=small_course.FIVE)
    query = {"course": small_course.FIVE}
    seen = httpx2.get(f"{paige.url}/api/study/session", params=query).json()
    moved = run_paige(home, "study", "next", "--course", small_course.FIVE, "--done", "--json")
    assert moved.returncode == 0, moved.stderr

    late = await refused(
        paige, "study_submit", course=small_course.FIVE, step=began["step"], done=True
    )
    now = await ask(paige, "study_next", course=small_course.FIVE)

    assert (seen["session"], seen["step"]) == (began["session"], began["step"])
    assert json.loads(moved.stdout)["step"] == now["step"]
    assert "by now" in late


async def test_no_answer_is_in_a_step_before_it_was_earned(paige: Live, home: Path) -> None:
    step = await ask(
        paige, "study_next", course="malay", kind="quiz", concepts=["greetings"], prefer="flashcard"
    )
    known = sitting(root_of(home), "malay", step["session"])
    answers = known["exercise"]["items"][0]["answers"]

    assert step["exercise"]["modality"] == "flashcard"
    assert not any(each in json.dumps(step) for each in answers)
    turned = await ask(paige, "study_submit", course="malay", step=step["step"], answer="")
    assert turned["expects"] == "self_check"
    assert any(each in json.dumps(turned) for each in answers)
    rated = await ask(paige, "study_submit", course="malay", step=turned["step"], rating=3)
    assert rated["step"] > turned["step"]


async def test_what_cannot_be_done_is_said_in_a_sentence(paige: Live) -> None:
    nowhere = await refused(paige, "study_next", course="nowhere")
    two = await refused(paige, "study_submit", step=0, hint=True, skip=True)
    none = await refused(paige, "study_submit", step=0)
    closed = await refused(paige, "study_submit", course="how-memory-works", step=0, answer="x")
    strange = await refused(paige, "study_next", learner="../up")
    missing = await refused(paige, "study_progress", course="nowhere")

    assert "There is no course `nowhere`" in nowhere
    assert "say one thing" in two
    assert "say one thing" in none
    assert "No session is open" in closed
    assert "cannot be the name of a learner" in strange
    assert "`nowhere`" in missing


async def test_only_files_of_the_exercise_can_be_handed_in(paige: Live) -> None:
    who: dict[str, Any] = {"course": small_course.FIVE, "learner": "filer"}
    step = await ask(paige, "study_next", kind="quiz", concepts=["doubling"], prefer="code", **who)

    outside = await refused(paige, "study_submit", **who, step=step["step"], file="/etc/passwd")
    solved = await ask(
        paige,
        "study_submit",
        **who,
        step=step["step"],
        fileText="def double(n):\n    return 2 * n\n",
    )

    assert "no file of the open exercise" in outside
    assert solved["result"]["score"]["percentage"] == 1


@pytest.mark.parametrize("name", ["study", "quiz"])
def test_skills_are_read_and_their_files_are_there(name: str) -> None:
    folder = SHIPPED / "integrations" / "skills" / name
    text = (folder / "SKILL.md").read_text(encoding="utf-8")
    files = tuple(sorted(each.name for each in folder.glob("*.md") if each.name != "SKILL.md"))

    skill = read_skill_file(text, folder, files)
    said = read_skill({name: skill}, name)

    assert skill.name == name
    assert len(skill.description) <= 1024
    assert len(text.splitlines()) < 120
    assert all(f"({each})" in text for each in files)
    assert said.problems == ()
    assert all(tool in text for tool in TOOLS)
