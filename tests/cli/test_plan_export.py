"""`paige plan export`: lessons of sessions and files, in other forms."""

import subprocess
from pathlib import Path

import pytest

from tests import nursery
from tests.live import PAIGE, environment, run_paige
from tests.plan.planning import WORKSPACE, lesson_text, write_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a workspace that has a lesson."""
    write_files(tmp_path / "workspace", {**WORKSPACE, "lessons/loops.md": lesson_text()})
    return tmp_path


def export(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    given = {"DATA_DIR": str(folder / "data"), "PAIGE_WORKSPACE": str(folder / "workspace")}
    return nursery.run(
        [PAIGE, "plan", "export", *arguments], env=environment(folder, **given), cwd=folder
    )


def test_a_lesson_of_the_workspace_becomes_a_file_beside_you(folder: Path) -> None:
    done = export(folder, "lessons/loops.md", "--to", "docx")
    again = export(folder, "lessons/loops.md", "--to", "docx")
    named = export(folder, "lessons/loops.md", "--to", "docx", "-o", "loops.docx")

    assert (done.returncode, done.stdout) == (0, b"loops.docx\n")
    assert (folder / "loops.docx").read_bytes().startswith(b"PK")
    assert again.returncode == 1
    assert b"There is a file `loops.docx` already" in again.stderr
    assert named.returncode == 0


def test_a_session_gives_out_the_lesson_it_saved_as_it_is_now(folder: Path) -> None:
    given = {"DATA_DIR": str(folder / "data"), "PAIGE_WORKSPACE": str(folder / "workspace")}
    ran = run_paige(
        folder, "plan", "create-lesson", "loops for 3B", "--yes", "--no-memory", **given
    )
    assert ran.returncode == 0, ran.stderr
    session = ran.stderr.split("session ")[1].split("]")[0]
    [saved] = (folder / "workspace" / "lessons").glob("*-3B-*.md")
    saved.write_text(saved.read_text().replace("\n# ", "\n", 1) + "\nWritten by hand.\n")

    done = export(folder, session, "--to", "md", "-o", "-")
    pdf = export(folder, session, "--to", "pdf")

    assert done.stdout.decode() == saved.read_text()
    assert pdf.stdout.decode().strip() == f"{saved.stem}.pdf"


def test_a_lesson_goes_into_the_calendar_on_the_day_that_is_said(folder: Path) -> None:
    write_files(folder / "workspace", {"lessons/loops.md": lesson_text(date=None)})

    without = export(folder, "lessons/loops.md", "--to", "ics")
    done = export(folder, "lessons/loops.md", "--to", "ics", "--date", "2026-11-20", "-o", "-")

    assert without.returncode == 2
    assert b"--date 2026-11-20" in without.stderr
    assert b"20261120" in done.stdout


def test_a_lesson_that_cannot_be_found_or_read_says_why(folder: Path) -> None:
    (folder / "words.md").write_text("# Only words\n")

    nobody = export(folder, "nobody", "--to", "md")
    missing = export(folder, "none.md", "--to", "md")
    words = export(folder, "words.md", "--to", "qti")
    strange = export(folder, "words.md", "--to", "exe")

    codes = [each.returncode for each in (nobody, missing, words, strange)]
    assert codes == [1, 1, 2, 2]
    assert b"There is no lesson, session or run `nobody`" in nobody.stderr
    assert b"cannot be read as a lesson" in words.stderr
