"""An Exercism track read as course data."""

import json
from pathlib import Path

import pytest

from paige.base.errors import BadInput, NotFound
from paige.exercise.exchange.exercism_track import Track, code_of, read_track


def concept(slug: str, *, teaches: str = "", needs: tuple[str, ...] = (), **more: object) -> dict:
    taught = [teaches] if teaches else []
    return {"slug": slug, "uuid": f"u-{slug}", "concepts": taught, "prerequisites": needs, **more}


def practice(slug: str, difficulty: int, *practises: str, needs: tuple[str, ...] = ()) -> dict:
    found = {"practices": practises, "prerequisites": needs, "difficulty": difficulty}
    return {"slug": slug, "name": slug.title(), "uuid": f"u-{slug}", **found}


def config() -> dict:
    """Shaped like a real track: some prerequisites are taught by nobody."""
    return {
        "language": "Snake",
        "slug": "snake",
        "blurb": "A language.",
        "exercises": {
            "concept": [
                concept("lasagna", teaches="basics", name="Gorgeous Lasagna", status="beta"),
                concept("arcade", teaches="bools", needs=("basics",)),
                concept("mitigation", teaches="conditionals", needs=("basics", "bools")),
                concept("leaflet", teaches="formatting", needs=("conditionals",), status="wip"),
                concept("log-levels", teaches="enums", needs=("bools", "comprehensions", "tuples")),
                concept("rozalynn", teaches="none", needs=("functions", "basics"), status="wip"),
                concept("bill", status="deprecated", needs=("nobody-teaches-this",)),
            ],
            "practice": [
                practice("hello-world", 1),
                practice("yacht", 3, "enums", needs=("enums",)),
                practice("bob", 2, "conditionals", needs=("conditionals",)),
                practice("leap", 1, "conditionals", "bools", needs=("bools",)),
            ],
            "foregone": ["lens-person"],
        },
        "concepts": [
            {"slug": slug, "name": slug.title(), "uuid": f"c-{slug}"}
            for slug in ("basics", "bools", "conditionals", "formatting", "enums", "none", "spare")
        ],
    }


def write(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "snake"
    made = config()
    write(root / "config.json", made)
    write(root / "concepts/basics/about.md", "# About\n\nAbout basics.\n")
    write(root / "concepts/basics/introduction.md", "Basics first.\n")
    write(
        root / "concepts/basics/links.json",
        [
            {"url": "https://docs.example/x", "description": "Docs"},
            {"url": "javascript:alert(1)", "description": "bad"},
        ],
    )
    write(root / "concepts/basics/.meta/config.json", {"blurb": "The first steps.", "authors": []})
    for kind in ("concept", "practice"):
        for each in made["exercises"][kind]:
            own = root / "exercises" / kind / each["slug"]
            write(own / "snake.py", "def f():\n    pass\n")
            write(own / "snake_test.py", "from snake import f\n")
            write(own / ".docs/instructions.md", "# Do it\n")
            listed = {"solution": ["snake.py"], "test": ["snake_test.py"]}
            write(own / ".meta/config.json", {"files": listed, "blurb": f"About {each['slug']}."})
    return root


def changed(folder: Path, **changes: object) -> Track:
    write(folder / "config.json", {**config(), **changes})
    return read_track(folder)


def test_a_track_is_read_with_its_concepts_and_exercises(folder: Path) -> None:
    track = read_track(folder)
    assert (track.slug, track.language, track.blurb) == ("snake", "Snake", "A language.")
    basics = track.concepts[0]
    assert (basics.slug, basics.name) == ("basics", "Basics")
    assert basics.blurb == "The first steps."
    assert basics.introduction == "Basics first."
    assert basics.about.endswith("About basics.")
    assert basics.links == (("Docs", "https://docs.example/x"),)
    by_slug = {each.slug: each for each in track.concepts}
    assert by_slug["conditionals"].prerequisites == ("basics", "bools")
    exercises = {each.slug: each for each in track.exercises}
    assert exercises["lasagna"].name == "Gorgeous Lasagna"
    assert (exercises["bob"].kind, exercises["bob"].difficulty) == ("practice", 2)
    assert exercises["arcade"].name == "Arcade"
    assert not exercises["bill"].offered
    assert exercises["lasagna"].blurb == "About lasagna."


def test_prerequisites_nobody_teaches_are_reported(folder: Path) -> None:
    track = read_track(folder)
    untaught = ("comprehensions", "functions", "tuples")
    said = [f"No exercise teaches `{slug}`, which others need." for slug in untaught]
    assert [each for each in track.remarks if "teaches" in each] == said
    assert set(untaught) <= {each.slug for each in track.concepts}


def test_the_files_of_an_exercise_are_read_by_the_reader_of_code_exercises(folder: Path) -> None:
    track = read_track(folder)
    code = code_of(track.exercises[0])
    assert (code.layout, code.solution, code.tests) == (
        "exercism",
        ("snake.py",),
        ("snake_test.py",),
    )
    missing = changed(folder, exercises={"practice": [practice("nowhere", 1)]})
    assert missing.remarks == ("The exercise `nowhere` has no folder.",)
    with pytest.raises(NotFound, match="nowhere"):
        code_of(missing.exercises[0])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON: line 1"),
        ("[]", "should be an object"),
        ('{"exercises": []}', "lists no exercises"),
        ('{"exercises": {"concept": {}}}', "should be a list"),
        ('{"exercises": {"concept": [1]}}', "Entry 1 of `exercises.concept`"),
        ('{"exercises": {"concept": [{"slug": "../../etc"}]}}', "no proper slug"),
        ('{"exercises": {"concept": [{"slug": "a", "concepts": ["/x"]}]}}', "no proper slug"),
        ('{"exercises": {"practice": [{"slug": "a"}]}, "concepts": [{}]}', "no proper slug"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_wrong_config_is_named_with_what_is_wrong(
    tmp_path: Path, content: str, said: str
) -> None:
    write(tmp_path / "config.json", content)
    with pytest.raises(BadInput) as raised:
        read_track(tmp_path)
    assert said in raised.value.message


def test_a_folder_that_is_no_track_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"config\.json"):
        read_track(tmp_path)


def test_documents_that_cannot_be_read_are_remarks_and_links_lead_nowhere(
    folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (folder / "concepts/basics/about.md").unlink()
    (folder / "concepts/basics/about.md").symlink_to(secret)
    (folder / "concepts/bools").symlink_to(tmp_path)
    write(folder / "concepts/basics/links.json", "{")
    (folder / "concepts/basics/introduction.md").write_bytes(b"\xff\xfe")
    track = read_track(folder)
    assert track.concepts[0].about == ""
    assert any("links.json" in remark for remark in track.remarks)
    assert any("not UTF-8" in remark for remark in track.remarks)
    assert "secret" not in repr(track.concepts)
