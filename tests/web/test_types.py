"""The web app's types are those of the server's models."""

import json
import subprocess
from pathlib import Path

from paige.doors.site.schema import wire_schema

WEB = Path(__file__).parents[2] / "web"
STALE = "The web app's types are stale. Run `make types` and commit what it writes."


def test_the_schema_in_the_web_app_is_the_schema_of_the_server() -> None:
    stored = json.loads((WEB / "src/wire/schema.json").read_text(encoding="utf-8"))

    assert stored == wire_schema(), STALE


def test_the_types_are_written_from_the_schema() -> None:
    done = subprocess.run(
        ["npm", "--prefix", str(WEB), "run", "--silent", "types:check"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, f"{STALE}\n{done.stderr}"
