"""`paige study courses`, `new`, `import` and `export`, as people and programs use them."""

import json
import subprocess
from pathlib import Path

import pytest

from paige.exercise.exchange.anki_in import read_apkg
from paige.exercise.exchange.anki_out import write_apkg
from paige.learner.files import LearnerFiles
from paige.store.documents import DirectoryDocuments
from tests.exercise.exchange_decks import NOW, full_deck
from tests.live import run_paige
from tests.study.course_folders import TIDES, put_course, tides


def study(folder: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = run_paige(folder, "study", *arguments, PAIGE_TEACHING_DIR=str(folder / "teaching"))
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


def named(done: subprocess.CompletedProcess[str]) -> dict[str, dict]:
    return {each["name"]: each for each in json.loads(done.stdout)}


def test_courses_are_listed_with_their_numbers_and_problems(tmp_path: Path) -> None:
    put_course(tmp_path / "teaching", TIDES, {**tides(), "items/moon.jsonl": "{oops\n"})

    (tmp_path / "teaching/learner/tides/sessions").mkdir(parents=True)
    (tmp_path / "teaching/learner/tides/sessions/a.json").write_text("{}")
    shown = named(study(tmp_path, "courses", "--json"))[TIDES]
    assert (shown["title"], shown["domain"], shown["begun"]) == ("Tides", "conceptual", True)
    assert (shown["concepts"], shown["items"], shown["vocabulary"]) == (2, 16, 2)
    assert [(each["file"], each["line"]) for each in shown["problems"]] == [
        ("courses/tides/items/moon.jsonl", 1)
    ]
    words = study(tmp_path, "courses")
    assert "Tides (conceptual): 2 concepts, 16 items, 1 problem, begun" in words.stdout
    assert "courses/tides/items/moon.jsonl:1: this is not JSON" in words.stderr


def test_one_course_is_shown_with_its_concepts(tmp_path: Path) -> None:
    put_course(tmp_path / "teaching", TIDES, tides())
    done = study(tmp_path, "courses", TIDES)

    assert "  tides  tides: 15 items, after moon" in done.stdout
    assert done.stderr == ""
    missing = study(tmp_path, "courses", "tide", code=1)
    assert missing.stderr == ("paige: There is no course `tide`\n       Did you mean `tides`?\n")


def test_a_new_course_is_there_at_once(tmp_path: Path) -> None:
    made = study(tmp_path, "new", "sailing", "--from", "technical")

    folder = tmp_path / "teaching/courses/sailing"
    assert made.stdout.strip() == str(folder)
    assert (folder / "concepts.json").is_file()
    shown = named(study(tmp_path, "courses", "sailing", "--json"))["sailing"]
    assert shown["problems"] == []
    again = study(tmp_path, "new", "sailing", code=1)
    assert "There is a course `sailing` already" in again.stderr
    unknown = study(tmp_path, "new", "other", "--from", "dance", code=1)
    assert "There is no template or course `dance`" in unknown.stderr


def test_a_deck_goes_in_once_and_comes_out_with_its_reviews(tmp_path: Path) -> None:
    deck = tmp_path / "deck.apkg"
    deck.write_bytes(write_apkg(full_deck(), now=NOW))

    first = json.loads(study(tmp_path, "import", "anki", deck.name, "--json").stdout)
    assert (first["name"], first["added"], first["there"], first["reviewed"]) == ("malay", 4, 0, 2)
    assert first["problems"] == []
    again = study(tmp_path, "import", "anki", deck.name)
    assert again.stdout == "malay\n"
    assert "0 added, 4 there already" in again.stderr
    study(tmp_path, "export", "anki", "malay")
    back = {card.id: card for card in read_apkg(tmp_path / "malay.apkg").cards}
    assert back.keys() == {"m-1", "m-2", "m-3", "m-4"}
    study(tmp_path, "export", "anki", "malay", "-o", "back.apkg")
    back = {card.id: card for card in read_apkg(tmp_path / "back.apkg").cards}
    assert [review.rating for review in back["m-4"].history] == [3, 3]


def test_a_file_that_is_there_is_not_written_over_unasked(tmp_path: Path) -> None:
    put_course(tmp_path / "teaching", TIDES, tides())
    (tmp_path / "tides.apkg").write_text("mine")

    done = study(tmp_path, "export", "anki", TIDES, code=1)
    assert "There is `tides.apkg` already" in done.stderr
    assert (tmp_path / "tides.apkg").read_text() == "mine"


def test_a_table_goes_in_under_a_name_and_comes_out_as_one(tmp_path: Path) -> None:
    (tmp_path / "w.tsv").write_text("rumah\thouse\nair\twater\n")
    study(tmp_path, "import", "csv", "w.tsv", "--as", "kata", "--both-ways")

    shown = study(tmp_path, "export", "csv", "kata").stdout.splitlines()
    assert shown[0].startswith("id,deck,kind,front,back")
    assert [row.split(",")[2:5] for row in shown[1:]] == [
        ["reversed", "rumah", "house"],
        ["reversed", "air", "water"],
    ]
    study(tmp_path, "export", "csv", "kata", "--out", "k.tsv")
    assert "\treversed\trumah\thouse" in (tmp_path / "k.tsv").read_text()


def test_results_come_out_as_statements_of_the_same_person(tmp_path: Path) -> None:
    deck = tmp_path / "deck.apkg"
    deck.write_bytes(write_apkg(full_deck(), now=NOW))
    study(tmp_path, "import", "anki", deck.name)

    first = study(tmp_path, "export", "xapi", "malay", "--home", "https://paige.example")
    statements = [json.loads(line) for line in first.stdout.splitlines()]
    learner = LearnerFiles(DirectoryDocuments(tmp_path / "teaching"))
    assert len(statements) == len(learner.changes("malay"))
    assert len({each["actor"]["account"]["name"] for each in statements}) == 1
    again = study(tmp_path, "export", "xapi", "malay", "--home", "https://paige.example")
    assert again.stdout == first.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("import", "anki", "none.apkg"), 1, "There is no `none.apkg`"),
        (("import", "csv", "none.csv"), 1, "There is no `none.csv`"),
        (("import", "exercism", "."), 1, "config.json"),
        (("import", "anki", "junk"), 2, "not a package of Anki"),
        (("export", "csv", "nothing"), 1, "There is no course `nothing`"),
        (("export", "csv", "../x"), 2, "cannot be the name of a course"),
        (("new", "../x"), 2, "cannot be the name of a course"),
        (("import", "dance", "x"), 2, "'dance' is not one of"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(
    tmp_path: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    (tmp_path / "junk").write_bytes(b"\x00junk")
    done = study(tmp_path, *arguments, code=code)

    assert says in done.stderr
    assert done.stdout == ""


def test_a_broken_profile_does_not_lose_an_export(tmp_path: Path) -> None:
    put_course(tmp_path / "teaching", TIDES, tides())
    (tmp_path / "teaching/learner").mkdir()
    (tmp_path / "teaching/learner/profile.json").write_text("{broken")

    assert study(tmp_path, "export", "csv", TIDES).stdout
    done = study(tmp_path, "export", "xapi", TIDES, code=2)
    assert "learner/profile.json:1" in done.stderr
    assert (tmp_path / "teaching/learner/profile.json").read_text() == "{broken"
