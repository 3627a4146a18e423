"""Answering with a code: what a token opens, what it does not, and what the teacher sees."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from paige.app.accounts.passcode import hash_passcode
from paige.doors.frame.web.limits import USUAL
from paige.doors.plan import operations
from paige.doors.plan.pace import Pace, TooOften
from tests.depth import examples
from tests.loops.answering import RIGHT, SECRETS, SHEET, WRONG
from tests.plan.planning import WORKSPACE, write_files
from tests.server.conftest import Open, sites

PASSCODE = "correct horse battery"
TEACHER = {"authorization": f"Bearer {PASSCODE}"}
PATH = "worksheets/loops.md"


@pytest.fixture
def site(open_site: Open, tmp_path: Path) -> TestClient:
    """A server with a passcode, and a workspace with a worksheet."""
    return open_site(**with_worksheet(tmp_path))


@pytest.fixture(scope="module")
def quiet_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The same for tests that change nothing."""
    folder = tmp_path_factory.mktemp("quiet")
    with sites(folder) as opener:
        yield opener(**with_worksheet(folder))


def with_worksheet(folder: Path) -> dict[str, Any]:
    """Settings of a site whose workspace has a worksheet."""
    return {
        "given_workspace": write_files(folder / "workspace", {**WORKSPACE, PATH: SHEET}),
        "given_memory_path": folder / "memory" / "events.jsonl",
        "passcode": hash_passcode(PASSCODE),
    }


def teacher(site: TestClient, method: str, address: str, code: int = 200, **body: object) -> Any:
    """What the teacher asks for."""
    given = {"json": body} if body else {}
    answer = site.request(method, f"/api/plan/handouts{address}", headers=TEACHER, **given)
    assert answer.status_code == code, answer.text
    return answer.json()


def hand_out(site: TestClient, tokens: int = 6) -> Any:
    return teacher(site, "POST", "", path=PATH, classId="3B", tokens=tokens)


def save(site: TestClient, token: str, answers: dict[str, str], version: int, **more: bool) -> Any:
    given = {name: [text] for name, text in answers.items()}
    body = {"answers": given, "version": version, "handIn": more.get("hand_in", True)}
    return site.put(f"/api/answer/{token}", json=body)


def test_a_code_opens_its_worksheet_without_a_passcode_and_without_the_key(
    site: TestClient,
) -> None:
    token = hand_out(site)["codes"][0]

    answer = site.get(f"/api/answer/{token}")
    typed = site.get(f"/api/answer/{token.upper().replace('-', ' ')}")

    assert answer.status_code == 200, answer.text
    assert typed.json() == answer.json()
    assert answer.headers["cache-control"] == "no-store"
    sheet = answer.json()
    assert (sheet["title"], sheet["open"], sheet["version"]) == ("Fixed loops", True, 0)
    [choice, *others] = sheet["sections"][0]["questions"]
    assert [each["letter"] for each in choice["options"]] == ["A", "B", "C"]
    assert choice["prompt"] == "How many times does `for i in range(5)` repeat?"
    assert [each["blanks"] for each in others] == [1, 1]


def test_the_key_is_in_no_answer_whatever_is_asked(site: TestClient) -> None:
    token = hand_out(site)["codes"][0]
    seen = [
        site.get(f"/api/answer/{token}"),
        save(site, token, WRONG, 0, hand_in=False),
        save(site, token, WRONG, 0),
        save(site, token, RIGHT, 1),
        save(site, token, {"9.9": "x"}, 2),
        site.get(f"/api/answer/{token}"),
        site.get(f"/answer/{token}"),
        site.get("/api/answer/bbb-bbb-bbb"),
    ]

    assert [each.status_code for each in seen] == [200, 200, 409, 200, 400, 200, 200, 404]
    assert not any(secret in each.text for each in seen for secret in SECRETS)


def test_a_draft_is_kept_and_the_slower_of_two_devices_is_told(site: TestClient) -> None:
    token = hand_out(site)["codes"][0]

    draft = save(site, token, {"1.2": "0"}, 0, hand_in=False).json()
    slower = save(site, token, {"1.2": "1"}, 0)
    done = save(site, token, RIGHT, draft["version"]).json()

    assert (draft["answers"], draft["version"], draft["handedInAt"]) == ({"1.2": ["0"]}, 1, None)
    assert slower.status_code == 409
    assert "another device" in slower.json()["error"]["message"]
    assert done["version"] == 2
    assert done["handedInAt"] is not None
    assert site.get(f"/api/answer/{token}").json()["answers"]["1.3"] == ["for"]


@pytest.fixture(scope="module")
def handed_out(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[TestClient, dict[str, Any]]]:
    """A site, and what it handed out; for tests that only ask."""
    folder = tmp_path_factory.mktemp("handed_out")
    with sites(folder) as opener:
        client = opener(**with_worksheet(folder))
        yield client, hand_out(client)


@pytest.mark.parametrize(
    "path",
    [
        "/api/plan/handouts",
        "/api/plan/files",
        "/api/answer",
        "/api/answer/",
        "/api/answer/../plan/files",
        "/api/answer/..%2fplan/files",
        "/api/answer/%2e%2e/plan/files",
        "/api/answer/TOKEN/../../plan/files",
        "/api/answer/TOKEN/answers",
        "/api/memory/search",
        "/api/setup",
    ],
)
def test_a_code_opens_nothing_else(
    handed_out: tuple[TestClient, dict[str, Any]], path: str
) -> None:
    site, made = handed_out
    asked = path.replace("TOKEN", made["codes"][0])
    request = site.build_request("GET", "/x")
    request.url = request.url.copy_with(raw_path=asked.encode())

    answer = site.send(request)

    assert answer.status_code in (401, 404), answer.text
    assert made["codes"][1] not in answer.text
    assert "3B" not in answer.text


def test_another_code_sees_nothing_of_the_first_one(site: TestClient) -> None:
    first, second = hand_out(site)["codes"][:2]
    save(site, first, {"1.3": "only mine"}, 0)

    seen = site.get(f"/api/answer/{second}").text

    assert "only mine" not in seen
    assert first not in seen
    assert "3B" not in seen


def test_who_guesses_codes_waits(site: TestClient) -> None:
    token = hand_out(site)["codes"][0]
    letters = "bcdfghjkmn"
    guesses = [f"bbb-bbb-b{one}{two}" for one in letters for two in letters]

    answers = [site.get(f"/api/answer/{guess}").status_code for guess in guesses]
    refused = site.get(f"/api/answer/{token}")

    assert set(answers) == {404}
    assert len(answers) == 100
    assert refused.status_code == 429
    assert int(refused.headers["retry-after"]) >= 1
    assert "wrong codes" in refused.json()["error"]["message"]


def test_one_code_cannot_be_used_faster_than_people_are(site: TestClient) -> None:
    token = hand_out(site)["codes"][0]

    codes = [
        site.get(f"/api/answer/{token}").status_code for _ in range(operations.MOST_FOR_TOKEN + 1)
    ]

    assert codes == [200] * operations.MOST_FOR_TOKEN + [429]


def test_a_pace_lets_everyone_in_again_after_its_window() -> None:
    now = [0.0]
    pace = Pace(2, 10.0, monotonic=lambda: now[0])
    pace.count("a")
    pace.count("a")
    with pytest.raises(TooOften) as refused:
        pace.count("a")
    pace.count("b")
    now[0] = 10.0
    pace.count("a")

    assert refused.value.retry_after == 10


def test_too_much_at_once_and_foreign_pages_are_refused(site: TestClient) -> None:
    token = hand_out(site)["codes"][0]
    large = {"answers": {"1.1": ["x" * 1999] * 20}, "version": 0, "more": "y" * USUAL}

    big = site.put(f"/api/answer/{token}", content=json.dumps(large).encode())
    foreign = site.get(f"/api/answer/{token}", headers={"origin": "http://evil.example"})
    unknown = site.put(f"/api/answer/{token}", json={"answers": {}, "version": 0, "key": 1})

    assert (big.status_code, foreign.status_code, unknown.status_code) == (413, 403, 400)


def test_a_closed_worksheet_takes_nothing_and_can_be_opened_again(site: TestClient) -> None:
    made = hand_out(site)
    id, token = made["item"]["id"], made["codes"][0]
    teacher(site, "POST", f"/{id}/close")

    late = save(site, token, RIGHT, 0)
    teacher(site, "POST", f"/{id}/open")
    again = save(site, token, RIGHT, 0)

    assert (late.status_code, again.status_code) == (403, 200)
    assert site.get(f"/api/answer/{token}").json()["open"]


def test_the_teacher_sees_counts_and_keeps_what_five_got_wrong(site: TestClient) -> None:
    made = hand_out(site)
    id, codes = made["item"]["id"], made["codes"]
    for code in codes[:4]:
        save(site, code, WRONG, 0)
    few = teacher(site, "GET", f"/{id}")
    save(site, codes[4], WRONG, 0)
    seen = teacher(site, "GET", f"/{id}")

    kept = teacher(site, "POST", f"/{id}/keep")
    key = kept["proposals"][-1]["key"]
    decided = site.post(
        f"/api/plan/proposals/{key}", json={"decision": "confirmed"}, headers=TEACHER
    )
    reopened = teacher(site, "POST", f"/{id}/open", 409)
    memory = site.get("/api/plan/proposals", headers=TEACHER).json()

    assert (few["questions"], few["errors"], few["fewest"]) == ([], [], 5)
    assert [each["wrong"] for each in seen["questions"]] == [5, 0, 0]
    assert [(each["count"], each["answer"]) for each in seen["errors"]] == [(5, "6 times")]
    assert kept["item"]["kept"]
    assert f"(handout {id}) 5 of 5 got" in kept["proposals"][-1]["text"]
    assert decided.status_code == 200, decided.text
    assert len(memory) == 1
    assert "was handed" in reopened["error"]["message"] or reopened["error"]["code"] == "conflict"


def test_nothing_is_kept_of_a_handout_that_nobody_answered(site: TestClient) -> None:
    id = hand_out(site)["item"]["id"]

    refused = teacher(site, "POST", f"/{id}/keep", 409)

    assert "Nobody has handed in" in refused["error"]["message"]
    assert teacher(site, "GET", f"/{id}")["item"]["open"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"path": "nothing.md", "classId": "3B", "tokens": 3}, 404),
        ({"path": PATH, "classId": "9Z", "tokens": 3}, 404),
        ({"path": "../secret.md", "classId": "3B", "tokens": 3}, 403),
        ({"path": "teacher.md", "classId": "3B", "tokens": 3}, 400),
        ({"path": PATH, "classId": "3B", "tokens": 0}, 400),
        ({"path": PATH, "classId": "3B", "tokens": 3, "days": 1000}, 400),
    ],
)
def test_what_cannot_be_handed_out_is_named(
    quiet_site: TestClient, body: dict[str, object], code: int
) -> None:
    refused = teacher(quiet_site, "POST", "", code, **body)

    assert refused["error"]["message"]
    assert teacher(quiet_site, "GET", "") == []


PARTS = st.lists(
    st.one_of(
        st.sampled_from(["", " ", "\u200b", "A", "A B C", "\x00", "; ;"]), st.text(max_size=9)
    ),
    max_size=4,
)


@settings(
    max_examples=examples(8),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.dictionaries(st.sampled_from(["1.1", "1.2", "1.3", "9.9", ""]), PARTS, max_size=4),
        min_size=6,
        max_size=6,
    )
)
def test_no_shape_of_answers_breaks_the_page_or_what_the_teacher_sees(
    site: TestClient, sheets: list[dict[str, list[str]]]
) -> None:
    codes = hand_out(site, tokens=6)
    for token, answers in zip(codes["codes"], sheets, strict=True):
        body = {"answers": answers, "version": 0, "handIn": True}
        done = site.put(f"/api/answer/{token}", json=body)
        assert done.status_code in (200, 400), done.text

    seen = teacher(site, "GET", f"/{codes['item']['id']}")

    for each in seen["questions"]:
        counted = each["right"] + each["partly"] + each["wrong"] + each["unanswered"]
        assert counted == seen["item"]["handedIn"]
