"""An answer's rule holds at every door: who may rate what, and no worksheet breaks the page."""

import itertools
from pathlib import Path
from typing import Any, Literal

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp_types.version import LATEST_PROTOCOL_VERSION
from starlette.testclient import TestClient

from paige.base.errors import PaigeError
from paige.doors.site.main import paige
from tests.depth import examples
from tests.server.conftest import Open
from tests.server.study_window import Learner
from tests.study import small_course, small_courses

WHERE = {
    "worksheet": ("malay", "greetings"),
    "conversation": ("memory", "spacing"),
    "code": ("algorithms", "search"),
    "long_form": (small_course.FIVE, "shape"),
    "image_review": (small_course.FIVE, "drawing"),
    "flashcard": ("malay", "greetings"),
    "repl": ("algorithms", "search"),
    "audio": ("malay", "greetings"),
    "collaborative": ("algorithms", "search"),
}
Door = Literal["rest", "mcp", "cli"]
DOORS: tuple[Door, ...] = ("rest", "mcp", "cli")
WAYS: dict[str, dict[str, Any]] = {
    "untouched": {},
    "nothing said": {"text": ""},
    "a recording": {"path": "said.wav"},
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A teaching folder with four small courses."""
    folder = tmp_path / "teaching"
    small_courses.malay(folder)
    small_courses.algorithms(folder)
    small_courses.memory(folder)
    small_course.write_five(folder)
    return folder


@pytest.fixture
def client(open_site: Open, root: Path) -> TestClient:
    """A site over that folder."""
    return open_site(given_teaching_dir=root, environ={"HOME": str(root.parent), "PATH": "/bin"})


def act(door: Door, learner: Learner, **what: Any) -> bool:
    """Do something at a door; say whether it was let in."""
    learner.look()
    step = learner.step["step"]
    match door:
        case "rest":
            answer = learner.try_to(**what)
            assert answer.status_code in (200, 400, 403, 404), answer.text
            return answer.status_code == 200
        case "mcp":
            return _over_mcp(learner, {**learner.who, "step": step, **what})
        case "cli":
            return _over_cli(learner, step, **what)


def _over_mcp(learner: Learner, given_: dict[str, Any]) -> bool:
    names = {"text": "answer", "path": "file"}
    arguments = {names.get(name, name): value for name, value in given_.items()}
    meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": LATEST_PROTOCOL_VERSION,
        "mcp-method": "tools/call",
        "mcp-name": "study_submit",
    }
    params = {"name": "study_submit", "arguments": arguments, "_meta": meta}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = learner.http.post("/mcp", json=request, headers=headers)
    assert answer.status_code == 200, answer.text
    return not answer.json()["result"].get("isError", False)


def _over_cli(
    learner: Learner, step: int, *, rating: int | None = None, text: str = "", path: str = ""
) -> bool:
    rated = ["--rate", "right"] if rating else []
    said = ["--file", str(learner.root / path)] if path else [] if rating else ["--answer", text]
    where = ["--course", learner.course, "--learner", learner.learner, "--step", str(step)]
    home = str(learner.root.parent)
    variables = {
        "PAIGE_TEACHING_DIR": str(learner.root),
        "HOME": home,
        "DATA_DIR": f"{home}/other",
    }
    done = CliRunner(env=variables).invoke(
        paige, ["study", "next", *where, *said, *rated, "--json"], standalone_mode=False
    )
    assert done.exception is None or isinstance(done.exception, PaigeError), done.exception
    return done.exception is None


# Every day one way of each kind of exercise, and every way of the kinds that are self-rated.
SELF_RATED = ("flashcard", "audio", "image_review")


@pytest.mark.parametrize(
    ("modality", "way"),
    [
        pytest.param(
            modality,
            way,
            marks=() if way == "untouched" or modality in SELF_RATED else pytest.mark.soak,
        )
        for modality in WHERE
        for way in WAYS
    ],
)
def test_only_what_is_self_rated_can_be_rated_and_every_door_agrees(
    modality: str, way: str, client: TestClient, root: Path
) -> None:
    course, concept = WHERE[modality]
    (root / "said.wav").write_bytes(b"a sound")
    found: dict[Door, tuple[str, bool]] = {}
    for door in DOORS:
        if door != "cli" and way == "a recording":
            continue  # over HTTP only files of the exercise can be named
        learner = Learner(client, root, course, f"by-{door}")
        learner.to_exercise(modality, concept)
        exercise = learner.step["exercise"]["id"]
        if WAYS[way]:
            act(door, learner, **WAYS[way])
        before = learner.look()
        if before["stage"] != "exercise" or before["exercise"]["id"] != exercise:
            continue  # it is over already, and was not rated
        rated = act(door, learner, rating=3)
        found[door] = (before["expects"], rated)
        after = learner.look()
        assert rated or (after["step"], after["result"]) == (before["step"], before["result"])

    for expects, rated in found.values():
        assert rated == (expects == "self_check" or modality == "image_review")
    if way != "untouched" and modality not in ("flashcard", "audio", "long_form"):
        assert "self_check" not in [expects for expects, _ in found.values()]


@pytest.mark.parametrize("door", DOORS)
def test_a_lesson_and_its_question_cannot_be_rated(
    door: Door, client: TestClient, root: Path
) -> None:
    learner = Learner(client, root, "malay", "somebody")
    learner.start(anew=True)
    assert learner.step["stage"] == "teach"
    assert not act(door, learner, rating=3)
    learner.act(done=True)
    if learner.look()["stage"] == "check":
        assert not act(door, learner, rating=3)


def test_what_lies_open_is_not_answered_in_words_any_more(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("flashcard", "greetings")
    turned = learner.act(text="")
    answer = learner.question()["answers"][0]

    typed = learner.try_to(text=answer)

    assert turned["expects"] == "self_check"
    assert typed.status_code == 400
    assert learner.act(rating=1)["says"]


# --- worksheets -----------------------------------------------------------------------------------

SAID = st.one_of(
    st.sampled_from(
        ["", " ", "\u200b", "\u00a0", "___", ";", "; ; ;", "A", "Z", "-->", "\u202etxet", "\x00"]
    ),
    st.text(max_size=12),
)
IDS = st.sampled_from(
    [
        *(f"{section}.{number}" for section in range(1, 5) for number in range(1, 4)),
        *("", "0.0", "9.9", "1", "1.1.1", "\u0661.1", "1. 1"),
    ]
)
COUNT = itertools.count()
WORKSHEETS = {"malay": "greetings", "memory": "spacing", "algorithms": "search"}


def test_a_blank_is_told_as_unanswered_and_costs_its_point(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("worksheet", "greetings")
    questions = learner.known()["exercise"]["items"]
    right = {each["id"]: (each["key"] or each["answers"])[0] for each in questions}
    blank = questions[2]["id"]

    result = learner.act(parts={name: right[name] for name in right if name != blank})["result"]

    verdicts = {each["question"]: each["verdict"] for each in result["answers"]}
    assert verdicts[blank] == "unanswered"
    assert result["score"]["correct"] == len(questions) - 1
    assert any(blank in each for each in result["improvements"])


@settings(
    max_examples=examples(30),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    course=st.sampled_from(sorted(WORKSHEETS)),
    parts=st.dictionaries(IDS, SAID, max_size=6),
    whole=st.one_of(st.just(""), SAID),
)
def test_no_shape_of_a_worksheet_breaks_the_page_or_earns_a_point_for_nothing(
    client: TestClient, root: Path, course: str, parts: dict[str, str], whole: str
) -> None:
    learner = Learner(client, root, course, f"learner{next(COUNT)}")
    learner.to_exercise("worksheet", WORKSHEETS[course])
    names = [each["id"] for each in learner.step["exercise"]["questions"]]

    answer = learner.try_to(parts=parts, text=whole)

    assert answer.status_code in (200, 400), answer.text
    result = answer.json().get("result") if answer.status_code == 200 else None
    if result is None:
        return
    verdicts = {each["question"]: each for each in result["answers"]}
    assert sorted(verdicts) == sorted(names)
    for name, each in verdicts.items():
        if not any(sign.isalnum() for sign in parts.get(name, "")):
            assert each["score"] == 0, each
        assert (each["verdict"] == "unanswered") <= (each["actual"] is None)
    assert result["score"]["correct"] == sum(each["score"] for each in verdicts.values())
