"""`paige plan workspace`, as somebody uses it whose workspace is in a database."""

import json
import subprocess
from pathlib import Path

import pytest

from paige.base.settings import Settings
from tests.live import run_paige


@pytest.mark.db
def test_a_workspace_is_copied_out_edited_and_taken_back(
    db_settings: Settings, tmp_path: Path
) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    url = db_settings.database_url

    def paige(*arguments: object) -> subprocess.CompletedProcess[str]:
        return run_paige(home, "plan", *map(str, arguments), DATABASE_URL=url)

    done = paige("workspace", "export", out)
    assert "Traceback" not in done.stderr
    if not url:
        assert done.returncode != 0
        assert "is the folder" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert "0 copied" in done.stderr  # nobody has begun a workspace yet
    assert paige("curriculum", "list").returncode == 0
    done = paige("workspace", "export", out)
    assert "soul.md" in done.stdout.splitlines()
    (out / "soul.md").write_text("I teach with tea.")
    done = paige("workspace", "import", out, "--json")
    assert json.loads(done.stdout)["taken"] == ["soul.md"]
    (out / "soul.md").write_text("I teach with coffee.")
    other = tmp_path / "other"
    paige("workspace", "export", other)
    assert (other / "soul.md").read_text() == "I teach with tea."
    (other / "soul.md").write_text("I teach with milk.")
    assert paige("workspace", "import", other).returncode == 0
    done = paige("workspace", "import", out)
    assert done.returncode == 1
    assert "soul.md: changed on both sides" in done.stderr
