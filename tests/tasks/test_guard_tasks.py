"""Ten things that somebody new to Paige tries who lets coding agents work, from outside."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.agent_models import DONE
from tests.hooks.coding_hosts import BIN, CLAUDE, CODEX, GEMINI, Desk
from tests.live import live_paige
from tests.tasks.people import House, Person, task

FORCED = "git push --force origin main"
DEPLOY = "./deploy.sh live"
GUARD = {
    "id": "no-deploy-by-hand",
    "matcher": {"command": ["./deploy.sh", "**"]},
    "message": "Do not deploy by hand: the pipeline does it. Push a tag.",
    "must": [{"tool": "Bash", "input": {"command": DEPLOY}}],
    "must_not": [{"tool": "Bash", "input": {"command": "cat deploy.sh"}}],
}
WHY = ("--why", "The pipeline was skipped three times.")
SETTINGS = '{\n\t"model": "opus",   // mine\n\t"hooks": {}\n}\n'


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A home with a project in it; Paige runs for it."""
    home = tmp_path_factory.mktemp("guarded")
    (home / "app" / ".git").mkdir(parents=True)
    with live_paige(home, PROJECT_DIR=str(home / "app")) as live:
        yield House(home, live)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A person with something to lose, and a project."""
    home, project = tmp_path / "person", tmp_path / "project"
    home.mkdir()
    project.mkdir()
    (home / "keep.txt").write_text("precious", encoding="utf-8")
    (home / ".profile").write_text(f"PATH={BIN}:$PATH\n", encoding="utf-8")
    return Desk(home, project)


def git(folder: Path, *arguments: str) -> str:
    """What git says in a folder."""
    given = ["git", "-c", "user.name=Anna", "-c", "user.email=a@example.com", *arguments]
    done = subprocess.run(given, cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def agent_wants(person: Person, command: str, session: str = "s-1") -> str:
    """The event that Claude Code sends before a command; why it is refused, if it is."""
    event = {
        "session_id": session,
        "cwd": str(person.place),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": command},
    }
    said = person.paige("hook", "claude-code", "PreToolUse", stdin=json.dumps(event))
    if not said.strip():
        return ""
    return json.loads(said)["hookSpecificOutput"].get("permissionDecisionReason", "")


def files_of(home: Path) -> dict[str, bytes | None]:
    """Every file and folder of a home, without Paige's own data."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(home.rglob("*"))
        if ".paige" not in path.relative_to(home).parts
    }


@pytest.mark.clients
@task(
    "Stop my agent from force-pushing",
    way="coding CLI",
    proof="the real Claude Code is told why not and works on; the server has what it had",
)
def test_stop_my_agent_from_force_pushing(newcomer: Person, desk: Desk, tmp_path: Path) -> None:
    server = tmp_path / "server.git"
    git(tmp_path, "init", "--bare", "-b", "main", str(server))
    git(desk.project, "init", "-b", "main")
    git(desk.project, "remote", "add", "origin", str(server))
    for text in ("one", "two"):
        (desk.project / "notes.txt").write_text(text, encoding="utf-8")
        git(desk.project, "add", ".")
        git(desk.project, "commit", "-m", text)
    git(desk.project, "push", "origin", "main")
    before = git(server, "rev-parse", "main")
    git(desk.project, "reset", "--hard", "HEAD~1")

    newcomer.count()  # `paige install claude-code`
    newcomer.count()  # the agent is started
    told = desk.run(CLAUDE, [CLAUDE.shell(FORCED), CLAUDE.shell("git status")])

    assert told.code == 0, told.stderr
    assert DONE in told.stdout
    assert git(server, "rev-parse", "main") == before
    assert "Commits or branches that others have would be gone" in told.last
    assert "On branch main" in told.last


@pytest.mark.clients
@task(
    "Let Codex and Gemini be guarded too",
    way="coding CLI",
    proof="both real programs are refused what would delete the home, and may go on",
)
def test_let_codex_and_gemini_be_guarded_too(newcomer: Person, desk: Desk) -> None:
    for host in (CODEX, GEMINI):
        newcomer.count()  # `paige install …`
        newcomer.count()  # the agent is started
        told = desk.run(host, [host.shell("rm -rf ~"), host.shell("pwd")])
        assert told.code == 0, told.stderr
        assert str(desk.project) in told.last
        assert (desk.home / "keep.txt").read_text(encoding="utf-8") == "precious"
    denied = [line for line in desk.noted() if line.get("decision") == "deny"]
    assert {line["cli"] for line in denied} == {"codex", "gemini"}


@task(
    "Why was my command refused?",
    way="terminal",
    proof="the rule, the reason and what to do instead; a hidden command is found too",
)
def test_why_was_my_command_refused(newcomer: Person) -> None:
    told = newcomer.paige("guard", "explain", FORCED)
    assert "deny  git.push-force" in told
    assert "Instead: git push --force-with-lease" in told
    hidden = newcomer.paige("guard", "explain", f"echo hello && sh -c '{FORCED}'")
    assert "git.push-force" in hidden
    assert "allow" in newcomer.paige("guard", "check", "--command", "git status")
    assert "deny" in newcomer.paige("guard", "check", FORCED, code=3)


@pytest.mark.browser
@task(
    "Allow it once",
    way="browser",
    proof="a rule that ships holds and says so; what a guard of mine refused passes once, then not",
)
def test_allow_it_once(newcomer: Person, page: Page) -> None:
    newcomer.place = newcomer.home / "app"
    (newcomer.place / ".git").mkdir(parents=True)
    newcomer.writes_file(".ai/guards/no-deploy-by-hand.json", json.dumps(GUARD))
    newcomer.paige("guard", "shadow", "no-deploy-by-hand", *WHY)
    newcomer.paige("guard", "promote", "no-deploy-by-hand", *WHY, "--force")
    assert "Push a tag" in agent_wants(newcomer, DEPLOY)
    assert agent_wants(newcomer, FORCED)

    with live_paige(newcomer.home, PROJECT_DIR=str(newcomer.place)) as live:
        newcomer.visits(page, f"{live.url}/guard")
        ids: dict[str, str] = {}
        for command in (DEPLOY, FORCED):
            newcomer.clicks(page.get_by_role("button", name=command))
            expect(page).to_have_url(re.compile(r"[?&]id=\w+"))
            ids[command] = page.url.rpartition("id=")[2]
            newcomer.clicks(page.get_by_role("button", name=command))
            expect(page).not_to_have_url(re.compile(r"[?&]id="))
    assert "There is no decision `123`" in newcomer.paige("guard", "override", "123", *WHY, code=1)
    held = newcomer.paige("guard", "override", ids[FORCED], *WHY, code=3)
    assert "Only what a learned guard refuses can be let pass" in held
    assert "passes once until" in newcomer.paige("guard", "override", ids[DEPLOY], *WHY)
    assert agent_wants(newcomer, DEPLOY) == ""
    assert "Push a tag" in agent_wants(newcomer, DEPLOY)


@pytest.mark.browser
@task(
    "Show me everything that was refused",
    way="browser",
    proof="the list finds it by word, and opened it says why and what instead",
)
def test_show_me_everything_that_was_refused(me: Person, house: House, page: Page) -> None:
    me.place = house.home / "app"
    agent_wants(me, "git status")
    agent_wants(me, FORCED)
    me.visits(page, f"{house.url}/guard")
    me.writes(page.get_by_label("Search decisions"), "force")
    rows = page.locator("[data-decision]")
    expect(rows.first).to_contain_text(FORCED)
    expect(rows.first).to_contain_text("Denied")
    me.clicks(rows.first)
    opened = page.get_by_role("main")
    expect(opened).to_contain_text("Commits or branches that others have would be gone")
    expect(opened).to_contain_text("git push --force-with-lease")
    me.clicks(page.get_by_role("button", name="Explain this command"))
    expect(page.get_by_role("region", name="Judgement")).to_contain_text("It would be denied.")


@task(
    "Teach it a guard",
    way="terminal",
    proof="it is tried, watches, may not block too early, then blocks, and goes when I say so",
)
def test_teach_it_a_guard(newcomer: Person) -> None:
    (newcomer.place / ".git").mkdir()
    assert "`paige guard learn`" in newcomer.paige("guard", "guards")
    newcomer.writes_file(".ai/guards/no-deploy-by-hand.json", json.dumps(GUARD))
    name = "no-deploy-by-hand"
    assert "There is no guard `no-deploy`" in newcomer.paige("guard", "replay", "no-deploy", code=1)
    tried = newcomer.paige("guard", "replay", name)
    assert "examples   0 fail" in tried
    assert "harmless   0 of" in tried
    newcomer.paige("guard", "shadow", name, *WHY)
    assert agent_wants(newcomer, DEPLOY) == ""
    early = newcomer.paige("guard", "promote", name, *WHY, code=3)
    assert "Let it watch longer" in early
    newcomer.paige("guard", "promote", name, *WHY, "--force")
    assert agent_wants(newcomer, DEPLOY) == GUARD["message"]
    assert agent_wants(newcomer, "cat deploy.sh") == ""
    newcomer.paige("guard", "rollback", name, "--why", "We deploy by hand again.")
    assert agent_wants(newcomer, DEPLOY) == ""


@task(
    "Uninstall without a trace",
    way="terminal",
    proof="every file of the home is as it was, byte for byte; twice is no error",
)
def test_uninstall_without_a_trace(newcomer: Person) -> None:
    newcomer.writes_file(".claude/settings.json", SETTINGS)
    newcomer.writes_file(".gemini/settings.json", "{}")
    before = files_of(newcomer.home)
    for cli in ("claude-code", "codex", "gemini", "copilot"):
        newcomer.paige("install", cli)
    assert files_of(newcomer.home) != before
    for cli in ("claude-code", "codex", "gemini", "copilot"):
        assert "is uninstalled from" in newcomer.paige("uninstall", cli)

    assert files_of(newcomer.home) == before
    assert "Nothing to do" in newcomer.paige("uninstall", "codex")


@pytest.mark.browser
@task(
    "Install it from the browser, after seeing what would change",
    way="browser",
    proof="the dialog shows every file; cancelled nothing changes, confirmed the guard is tried",
)
def test_install_it_from_the_browser_after_seeing_what_would_change(
    me: Person, house: House, page: Page
) -> None:
    settings = house.home / ".claude" / "settings.json"
    me.visits(page, f"{house.url}/guard?tab=hosts")
    card = page.get_by_role("region", name="Claude Code")
    me.clicks(card.get_by_role("button", name="Install in Claude Code…"))
    dialog = page.get_by_role("alertdialog")
    expect(dialog).to_contain_text('"PreToolUse"')
    me.clicks(dialog.get_by_role("button", name="Leave it"))
    assert not settings.exists()
    me.clicks(card.get_by_role("button", name="Install in Claude Code…"))
    me.clicks(dialog.get_by_role("button", name="Install", exact=True))
    expect(card).to_contain_text("is refused")  # a deadly command was sent through the hook
    assert "PreToolUse" in settings.read_text(encoding="utf-8")
    me.clicks(card.get_by_role("button", name="Uninstall from Claude Code…"))
    me.clicks(dialog.get_by_role("button", name="Uninstall", exact=True))
    expect(card).to_contain_text("Not guarded")


@task(
    "Let my agent say what keeps going wrong, without letting it decide",
    way="MCP client",
    proof="its note is found again; the guard it proposes blocks nothing until I say so",
)
def test_let_my_agent_say_what_keeps_going_wrong_without_letting_it_decide(
    me: Person, house: House
) -> None:
    me.place = house.home / "app"
    agent = me.agent(house.url)
    event = {"what_happened": "Deployed by hand", "what_was_correct": "Push a tag"}
    agent.call("store_trace", type="correction", event=event)
    found = agent.call("query_traces", query="deploying by hand", level="summary")
    assert "Deployed by hand" in json.dumps(found["items"])
    made = agent.call("create_guard", guard=GUARD, why="It happened again.")
    assert made["blocks"] is False
    assert agent_wants(me, DEPLOY, "s-9") == ""
    assert "proposed" in me.paige("guard", "guards", "no-deploy-by-hand")


@task(
    "My settings file was broken already",
    way="terminal",
    proof="nothing is written and the line is named; mended, doctor sees the guard hold",
)
def test_my_settings_file_was_broken_already(newcomer: Person) -> None:
    broken = '{\n  "model": "opus"\n  "hooks": {}\n}\n'
    settings = newcomer.writes_file(".claude/settings.json", broken)
    before = files_of(newcomer.home)
    told = newcomer.paige("install", "claude-code", code=2)
    assert "settings.json" in told
    assert "line 3" in told or ":3" in told
    assert files_of(newcomer.home) == before
    newcomer.writes_file(".claude/settings.json", broken.replace('"opus"', '"opus",'))
    assert "Paige is installed for Claude Code" in newcomer.paige("install", "claude-code")
    assert '"model": "opus"' in settings.read_text(encoding="utf-8")
    assert "`rm -rf /` is refused" in newcomer.paige("doctor")
