"""`paige people`, as somebody types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused
from paige.base.rights import ROLES, Role, allows
from paige.doors.frame.console import _AGENTS
from paige.doors.site.main import paige

DOCS = Path(__file__).parents[2] / "docs"


class Typed:
    """Commands in a home of their own."""

    def __call__(self, *words: str, input: str | None = None) -> Result:
        return CliRunner().invoke(paige, ["people", *words], input=input)

    def listed(self, *words: str) -> list[dict]:
        return json.loads(self("list", "--json", *words).stdout)


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    for name in _AGENTS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return Typed()


def failure(result: Result) -> PaigeError:
    assert isinstance(result.exception, PaigeError), result.output
    return result.exception


def test_a_person_is_made_with_a_password_that_is_printed_once(typed: Typed) -> None:
    made = typed("add", "ada", "--role", "teacher", "--role", "admin", "--email", "Ada@x.org")

    assert made.exit_code == 0, made.output
    assert len(made.stdout.strip()) == 19  # words go elsewhere, so that it can be piped
    assert "`ada` has an account" in made.stderr
    assert typed.listed() == [
        {
            "tenant": "local",
            "id": "ada",
            "name": "ada",
            "email": "ada@x.org",
            "roles": ["teacher", "admin"],
            "state": "active",
        }
    ]


def test_a_password_comes_from_stdin(typed: Typed) -> None:
    made = typed("add", "ada", "--password", input="seven green kettles\n")
    assert (made.exit_code, made.stdout) == (0, "")
    assert isinstance(failure(typed("password", "ada", "--password", input="short\n")), BadInput)
    assert isinstance(failure(typed("password", "ada", "--password", input="\n")), BadInput)
    assert typed("password", "ada", "--password", input="four quiet lamps\n").exit_code == 0


def test_somebody_who_signs_in_elsewhere_needs_no_password(typed: Typed) -> None:
    made = typed("add", "ada", "--no-password")
    assert (made.exit_code, made.stdout) == (0, "")


def test_roles_and_state_are_changed(typed: Typed) -> None:
    typed("add", "root", "--role", "admin")
    typed("add", "ada")
    assert typed("role", "ada", "developer", "teacher").exit_code == 0
    assert typed("disable", "ada").exit_code == 0
    shown = typed("list").stdout
    assert "ada  ada  teacher, developer  disabled" in shown
    assert typed("enable", "ada").exit_code == 0
    assert typed.listed("ada")[0]["state"] == "active"
    assert isinstance(failure(typed("disable", "root")), Conflict)
    assert isinstance(failure(typed("disable", "eve")), NotFound)
    assert typed("role", "ada", "king").exit_code == 2


def test_a_token_is_printed_and_a_limit_is_set_and_listed(typed: Typed) -> None:
    typed("add", "ada")
    token = typed("token", "ada", "--label", "laptop", "--days", "3")
    assert token.stdout.startswith("paige_local.")
    assert isinstance(failure(typed("token", "ada", "--days", "9999")), BadInput)
    assert "Nothing is limited" in typed("limit").stderr
    typed("limit", "--month", "100")
    assert typed("limit", "ada", "--day", "2.5").stdout.splitlines() == [
        "everyone  100.00 US dollars a month (0.00 spent)",
        "ada  2.50 US dollars a day (0.00 spent)",
    ]
    typed("limit", "--none")
    assert json.loads(typed("limit", "--json").stdout) == [
        {
            "person": "ada",
            "usd_per_day": 2.5,
            "usd_per_month": None,
            "spent_usd_today": 0.0,
            "spent_usd_this_month": 0.0,
        }
    ]


@pytest.mark.parametrize("role", ROLES)
def test_who_gives_a_role_with_a_shell_is_told_so(typed: Typed, role: Role) -> None:
    has_shell = allows([role], "coach")
    page = (DOCS / "how-to" / "let-many-people-in.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith(f"| `{role}` |")]

    assert ("shell" in row) is has_shell
    assert ("a shell on this machine" in typed("add", "ada", "--role", role).stderr) is has_shell
    typed("add", "root", "--role", "admin")
    assert ("a shell on this machine" in typed("role", "ada", role).stderr) is has_shell
    assert "shell" not in typed("add", "ada", "--role", role, "--tenant", "north").stderr


def test_schools_are_apart(typed: Typed) -> None:
    typed("add", "ada", "--tenant", "north")
    assert typed.listed("--tenant", "north")[0]["tenant"] == "north"
    assert typed.listed() == []
    assert isinstance(failure(typed("list", "--tenant", "../x")), BadInput)


@pytest.mark.parametrize("agent", _AGENTS)
def test_agents_may_not_touch_accounts(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, agent: str
) -> None:
    monkeypatch.setenv(agent, "1")
    assert isinstance(failure(typed("add", "eve", "--role", "admin")), Refused)
