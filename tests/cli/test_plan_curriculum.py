"""`paige plan check-evidence` and `paige plan curriculum`, as people and programs use them."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from paige.base.paths import shipped
from tests.live import run_paige
from tests.plan.curricula import KNOTS, a_package, outcome
from tests.plan.documents_made import PAPER, outcomes_pdf, pdf, word


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home whose workspace has the shipped curriculum and a lesson."""
    workspace = tmp_path / ".paige" / "workspace"
    shutil.copytree(shipped("workspace/curriculum"), workspace / "curriculum")
    (workspace / "lessons").mkdir()
    (workspace / "lessons" / "good.md").write_text(
        f"# Loops\n\n## Curriculum\n\n- {outcome('TCH 3-15a').citation}\n", encoding="utf-8"
    )
    return tmp_path


def plan(folder: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return run_paige(folder, "plan", *arguments, stdin=stdin)


def test_a_lesson_whose_claims_hold_ends_with_0(folder: Path) -> None:
    done = plan(folder, "check-evidence", "lessons/good.md")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ok  TCH 3-15a  curriculum/cfe-computing.md lines ")
    assert done.stdout.endswith("edition 2017-03, grade A\n")
    assert done.stderr == "All 1 pointers hold.\n"


def test_a_lesson_with_a_wrong_claim_ends_with_1_and_every_reason(folder: Path) -> None:
    row = outcome("MNU 3-01a")
    place = f"{row.path}#L{row.start}-L{row.start}"
    text = f'- [MNU 3-01a]({place}) "mental arithmetic strategies"\n- covers MNU 3-07b\n'
    (folder / "bad.md").write_text(text, encoding="utf-8")
    done = plan(folder, "check-evidence", "bad.md")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "no  line 1: MNU 3-01a does not say “mental arithmetic strategies”. "
        f"It says: “{row.about}”",
        "no  line 2: No curriculum file has the code MNU 3-07b, and nothing points at it. "
        "Leave it out.",
    ]
    assert done.stderr == "2 of 2 do not hold.\n"


def test_the_report_for_programs(folder: Path) -> None:
    row = outcome("SOC 3-02a")
    done = plan(folder, "check-evidence", "-", "--json", stdin=f"{row.citation}\nTCH 3-13a\n")
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["ok"] is False
    assert report["pointers"] == [
        {
            "line": 1,
            "file": "curriculum/cfe-history.md",
            "lines": row.lines,
            "code": "SOC 3-02a",
            "quote": row.about,
            "grade": "C",
            "edition": "2017-03",
            "verified": False,
            "valid": True,
            "reason": "",
        }
    ]
    (claim,) = report["claims_without_pointer"]
    assert (claim["line"], claim["code"], claim["text"]) == (2, "TCH 3-13a", "TCH 3-13a")
    assert outcome("TCH 3-13a").citation in claim["reason"]


def test_a_lesson_that_claims_nothing_is_fine(folder: Path) -> None:
    done = plan(folder, "check-evidence", "-", stdin="# Just a walk\n")
    assert (done.returncode, done.stdout) == (0, "")
    assert "claims nothing" in done.stderr


@pytest.mark.parametrize(
    ("lesson", "code", "said"),
    [("gone.md", 1, "There is no lesson `gone.md`"), ("../../x", 1, "There is no lesson")],
)
def test_a_lesson_that_is_not_there(folder: Path, lesson: str, code: int, said: str) -> None:
    done = plan(folder, "check-evidence", lesson)
    assert done.returncode == code
    assert said in done.stderr
    assert done.stdout == ""


def test_a_lesson_that_is_not_text(folder: Path) -> None:
    (folder / "x.md").write_bytes(b"a\n\xff")
    done = plan(folder, "check-evidence", "x.md")
    assert done.returncode == 2
    assert "x.md:2: this is not UTF-8 text" in done.stderr


def test_a_broken_curriculum_file_is_named_and_the_others_still_count(folder: Path) -> None:
    broken = folder / ".paige" / "workspace" / "curriculum" / "mine.md"
    broken.write_text("---\nsubject: [\n---\n- **TCH 3-15a** text\n", encoding="utf-8")
    done = plan(folder, "check-evidence", "lessons/good.md")
    assert done.returncode == 0
    assert "curriculum/mine.md:2: " in done.stderr
    listed = plan(folder, "curriculum", "list")
    assert "cfe-maths " in listed.stdout
    assert "curriculum/mine.md:2: " in listed.stderr


def test_the_files_and_the_outcomes_are_listed(folder: Path) -> None:
    files = plan(folder, "curriculum", "list").stdout.splitlines()
    assert len(files) == 7
    assert files[0].split(maxsplit=1)[0] == "cfe-computing"
    assert "19 outcomes, 6 unverified" in files[0]
    found = plan(folder, "curriculum", "list", "--find", "iteration", "--level", "Third")
    assert found.stdout.startswith("TCH 3-15a  Choose tools to design")
    unverified = plan(folder, "curriculum", "list", "--code", "soc 3-02A").stdout
    assert "(grade C, unverified)" in unverified


def test_the_list_for_programs(folder: Path) -> None:
    done = plan(folder, "curriculum", "list", "--code", "TCH 3-15a", "--json")
    listed = json.loads(done.stdout)
    (row,) = listed["outcomes"]
    assert row["progression_from"] == ["TCH 2-15a"]
    assert row["citation"] == outcome("TCH 3-15a").citation
    assert len(listed["files"]) == 7
    assert listed["problems"] == []


def test_a_code_that_no_file_has_is_not_found(folder: Path) -> None:
    done = plan(folder, "curriculum", "list", "--code", "MNU 3-07b")
    assert done.returncode == 1
    assert "No curriculum file has the code `MNU 3-07b`" in done.stderr


def test_a_pdf_is_taken_in_and_cited(folder: Path) -> None:
    (folder / "Es and Os.pdf").write_bytes(outcomes_pdf())
    done = plan(folder, "curriculum", "import", "Es and Os.pdf", "--as", "official")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "curriculum/official.md\n"
    assert "3 outcomes, edition 2017-03" in done.stderr
    assert "shown as unverified" in done.stderr
    listed = json.loads(
        plan(folder, "curriculum", "list", "--subject", "official", "--json").stdout
    )
    cited = "\n".join(row["citation"] for row in listed["outcomes"])
    assert len(listed["outcomes"]) == 3
    assert plan(folder, "check-evidence", "-", stdin=cited).returncode == 0


def test_a_word_file_and_a_paper_are_taken_in(folder: Path) -> None:
    (folder / "course.docx").write_bytes(
        word(["# Course specification", "## Arrays", "Traversing arrays with loops."])
    )
    done = plan(folder, "curriculum", "import", "course.docx", "--json")
    made = json.loads(done.stdout)
    assert (made["kind"], made["path"]) == ("specification", "curriculum/materials/course.md")
    (folder / "paper.pdf").write_bytes(pdf([PAPER.split("\n")]))
    options = ("--subject", "Computing Science", "--edition", "2024", "--kind", "paper")
    assert plan(folder, "curriculum", "import", "paper.pdf", *options).returncode == 0
    found = plan(folder, "curriculum", "list", "--code", "N5 CS SDD-6").stdout
    assert "curriculum/materials/paper.md:" in found
    assert "Section 1, question 2 (suggested)" in found
    original = folder / ".paige" / "workspace" / "curriculum" / "originals" / "paper.pdf"
    assert original.read_bytes() == (folder / "paper.pdf").read_bytes()


def test_nothing_is_written_over_unasked(folder: Path) -> None:
    (folder / "cfe-maths.md").write_text(KNOTS, encoding="utf-8")
    done = plan(folder, "curriculum", "import", "cfe-maths.md")
    assert done.returncode == 1
    assert "`curriculum/cfe-maths.md` is there already" in done.stderr
    assert "--replace" in done.stderr
    assert plan(folder, "curriculum", "import", "cfe-maths.md", "--replace").returncode == 0


def test_standards_of_a_publisher_come_in_as_case(folder: Path) -> None:
    (folder / "science.json").write_text(json.dumps(a_package()), "utf-8")
    done = plan(folder, "curriculum", "import", "science.json", "--as", "science", "--json")
    made = json.loads(done.stdout)
    assert (made["path"], made["outcomes"]) == ("curriculum/science.md", 2)
    assert any("has no code" in each for each in made["problems"])


@pytest.mark.parametrize(
    ("name", "data", "code", "said"),
    [
        ("x.pdf", b"%PDF", 2, "cannot be read as a PDF"),
        ("x.odt", b"", 2, "cannot be imported"),
        (None, b"", 1, "There is no file"),
    ],
)
def test_what_cannot_be_imported_is_said(
    folder: Path, name: str | None, data: bytes, code: int, said: str
) -> None:
    if name:
        (folder / name).write_bytes(data)
    done = plan(folder, "curriculum", "import", name or "gone.pdf")
    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
