"""The wheel in an empty virtual environment: no sources, no Node, an empty home."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest

from tests.packaging.building import ROOT, serving
from tests.packaging.conftest import Installed, Run

DOORS = ("plan", "study", "coach", "guard")


def test_there_is_no_node_and_the_package_is_not_that_of_the_sources(installed: Installed) -> None:
    assert shutil.which("node", path=str(installed.venv / "bin")) is None
    asked = [str(installed.venv / "bin" / "python"), "-c", "import paige; print(paige.__file__)"]
    done = subprocess.run(asked, capture_output=True, text=True, cwd="/", timeout=30, check=True)
    assert Path(done.stdout.strip()).is_relative_to(installed.venv)
    assert not Path(done.stdout.strip()).is_relative_to(ROOT)


def test_up_serves_the_web_app_and_all_doors_answer(installed: Installed, tmp_path: Path) -> None:
    environ = installed.environ(tmp_path)
    with serving([installed.paige, "up"], environ, tmp_path) as paige:
        with httpx2.Client(base_url=paige.url, timeout=60) as client:
            home = client.get("/")
            assert home.status_code == 200
            [script] = re.findall(r'<script type="module"[^>]*src="(/assets/[^"]+)"', home.text)
            assert client.get(script).status_code == 200
            setup = client.get("/api/setup").raise_for_status().json()
            assert [door["id"] for door in setup["doors"]] == list(DOORS)
            for path in ("/plan", "/study", "/coach", "/guard", "/memory"):
                assert client.get(path).text == home.text
            for path in ("/api/plan", "/api/study", "/api/coach", "/api/guard", "/api/memory"):
                assert client.get(path).status_code == 200, path
        code, said = paige.stop()
    assert code == 0
    assert "Traceback" not in said


def test_doctor_finds_nothing_broken(run: Run) -> None:
    done = run("doctor", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["ok"]) == (0, True)
    states = {check["name"]: check["status"] for check in report["checks"]}
    assert (states["web app"], states["embedder"]) == ("ok", "ok")


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (("--version",), "paige, version"),
        (("study", "courses"), "bahasa-melayu"),
        (("plan", "list"), ""),
        (("coach", "status"), ""),
        (("guard", "explain", "git push --force origin main"), "deny"),
        (("memory", "add", "The harbour freezes in winter."), ""),
        (("completion", "bash"), "complete"),
    ],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_a_command_of_every_door_works(run: Run, command: tuple[str, ...], says: str) -> None:
    done = run(*command)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert says in done.stdout


def test_a_session_of_study_begins_with_a_lesson(run: Run) -> None:
    done = run("study", "start", "--course", "bahasa-melayu")
    assert "Traceback" not in done.stderr
    assert "Selamat pagi" in done.stdout


def test_the_hook_of_an_installed_paige_refuses_what_it_must(run: Run, tmp_path: Path) -> None:
    assert run("install", "gemini").returncode == 0
    checks = json.loads(run("doctor", "--json").stdout)["checks"]
    [guard] = [check for check in checks if check["name"] == "guard of Gemini CLI"]
    assert (guard["status"], "is refused" in guard["message"]) == ("ok", True)
    written = (tmp_path / ".gemini" / "settings.json").read_text()
    assert str(ROOT) not in written
