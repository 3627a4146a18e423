"""A lesson becomes a worksheet, a class answers it, and the next lesson begins with what it showed.

Everything as people do it: commands, files, and a browser's requests to a running server.
"""

import json
from typing import Any

import pytest

from tests.live import live_paige
from tests.loops.answering import Pupil, School, fill_in

pytestmark = pytest.mark.timeout(300)
KEY_WORDS = ("which lines belong together", "a sum that grows in each round")
ANSWERS = ["4", "which lines belong together", "from the top to the bottom", "B", "A", "A", "C"]
"""The fourth is wrong."""


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> School:
    """A teacher with the workspace that Paige begins with."""
    return School(tmp_path_factory.mktemp("school"))


@pytest.fixture(scope="module")
def handout(school: School) -> Any:
    """An accepted lesson, handed out to its class."""
    lesson = school.paige("create-lesson", "iteration for 3B", "--class", "3B", "--yes")
    return school.paige(
        "handout",
        lesson["session"],
        *("--class", "3b", "--tokens", "12", "--sheets", str(school.folder / "sheets")),
    )


def test_an_accepted_lesson_gives_as_many_codes_as_there_are_pupils(
    school: School, handout: Any
) -> None:
    page = (school.folder / handout["codes"]).read_text()

    assert handout["class"] == "3B"
    assert len({each["token"] for each in handout["tokens"]}) == 12
    assert all(each["token"] in page and each["link"] in page for each in handout["tokens"])
    sheets = sorted((school.folder / "sheets").iterdir())
    assert [each.stem for each in sheets] == sorted(each["token"] for each in handout["tokens"])
    assert not any(word in sheet.read_text() for sheet in sheets for word in KEY_WORDS)


def test_answers_come_as_files_and_over_the_web_and_the_next_lesson_takes_them_up(
    school: School, handout: Any
) -> None:
    id, tokens = handout["id"], [each["token"] for each in handout["tokens"]]
    taken = hand_in_files(school, id, tokens[:4])
    with live_paige(school.folder, **school.places) as server:
        for token in tokens[4:8]:
            pupil = Pupil(server.url, token)
            sheet = pupil.sheet()
            assert not any(word in json.dumps(sheet) for word in KEY_WORDS)
            assert pupil.save(answers_for(sheet), sheet["version"]).status_code == 200

    seen = school.paige("answers", id)
    kept = school.paige("answers", id, "--keep", "--yes")
    following = school.paige("create-lesson", "conditional loops for 3B", "--class", "3B", "--yes")

    assert (taken["taken"], [each["file"] for each in taken["problems"]]) == (4, ["broken.md"])
    assert (seen["handed_in"], seen["open"]) == (8, True)
    assert [each["question"] for each in seen["errors"]] == ["2.1"]
    wrong = [each["text"] for each in kept["memory"] if "8 of 8 got" in each["text"]]
    assert len(wrong) == 1
    assert {each["decision"] for each in kept["memory"]} == {"confirmed"}
    surfaced = json.dumps(following["gates"], ensure_ascii=False)
    assert f"(handout {id}) 8 of 8 got “How many times does" in surfaced
    assert "Once more: How many times does" in following["output"]
    assert "The starter takes up the worksheet of" in following["output"]
    assert f"(handout {id})" in following["output"]
    remembered = (school.folder / "workspace/memory/classes/3B/MEMORY.md").read_text()
    assert not any(token in remembered or token in surfaced for token in tokens)


def test_what_was_kept_is_closed_for_good(school: School, handout: Any) -> None:
    done = school.paige("handouts", "--class", "3B")
    token = handout["tokens"][9]["token"]

    assert [(each["id"], each["kept"]) for each in done] == [(handout["id"], True)]
    with live_paige(school.folder, **school.places) as server:
        pupil = Pupil(server.url, token)
        late = pupil.save({}, 0)
        assert (pupil.sheet()["open"], late.status_code) == (False, 403)
        assert "is closed" in late.json()["error"]["message"]


def hand_in_files(school: School, id: str, tokens: list[str]) -> Any:
    """Fill in the files of some tokens, break another one, and take the folder in."""
    folder = school.folder / "came-back"
    folder.mkdir()
    for token in tokens:
        sheet = (school.folder / "sheets" / f"{token}.md").read_text()
        (folder / f"{token}.md").write_text(fill_in(sheet, ANSWERS))
    (folder / "broken.md").write_text("I could not do it.\n")
    return school.paige("answers", id, "--files", str(folder), code=1)


def answers_for(sheet: Any) -> dict[str, str]:
    """What the class writes, question by question."""
    ids = [each["id"] for section in sheet["sections"] for each in section["questions"]]
    return dict(zip(ids, ANSWERS, strict=False))
