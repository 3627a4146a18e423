"""The orchestra at every door: the board, handoffs, a goal broken down."""

import json
from datetime import UTC, datetime

from tests.server import learned_project
from tools.exchanges.world import BEGINNING, Server, World

HANDOFF = {
    "command": {
        "agent": "tester-agent",
        "task": "validate_feature",
        "context": {
            "feature_id": "BOOK-3",
            "files_changed": ["src/cart.py"],
            "previous_state": "coding",
        },
        "success_criteria": {"tests_pass": True, "coverage_min": 80},
        "next_agent": "main",
    }
}
GOAL = "# Shop\n\n- Search for books\n- A basket\n- Checkout\n"


def prepare(world: World) -> None:
    """A board with features in every state."""
    now = datetime.fromtimestamp(BEGINNING, UTC)
    with learned_project.opened(world.folder, now) as app:
        learned_project.add_orchestra(app, now)


def rest(world: World, server: Server) -> None:
    """By REST."""
    server.http.get("/api/orchestra")
    server.http.get("/api/orchestra/handoffs")
    server.http.get("/api/orchestra/handoffs", params={"feature": "BOOK-3", "limit": 2})


def cli(world: World) -> None:
    """On the command line."""
    (world.folder / "handoff.json").write_text(json.dumps(HANDOFF))
    (world.folder / "goal.md").write_text(GOAL)
    for form in ((), ("--json",)):
        for act in ("status", "next"):
            world.run("orchestra", act, *form)
        for more in (("--check",), (), (), ("--returned",)):
            world.run("orchestra", "handoff", "handoff.json", *more, *form)
        world.run("orchestra", "handoff", "-", *form, stdin='{"command": {}}')
        world.run("orchestra", "handoff", "list", *form)
        world.run("orchestra", "init", "--from", "goal.md", *form)
        world.run("orchestra", "run", "--most", "1", *form)
    other = world.folder / "other"
    other.mkdir()
    for form in ((), ("--json",)):
        for act in (("status",), ("init", "A small shop"), ("init", "--from", "goal.md")):
            world.run("orchestra", *act, *form, PROJECT_DIR=str(other))
