"""The messages of the coach, and what a window is told when it says hello."""

from paige.app.person_apps import may_on_machine
from paige.base.errors import PaigeError
from paige.coach.terminals import has_terminals
from paige.doors.frame.socket import Topic, add_topics, topics
from paige.doors.frame.web.hub import Hub, Introduction
from paige.doors.frame.web.router import Sender

TOPICS = topics(
    "paige.doors.coach.operations",
    (
        Topic("file:open", "open_file", told=True),
        Topic("file:save", "save_file"),
        Topic("file:close", "close_file"),
        Topic("fs:request_tree", "send_tree"),
        Topic("buffer:update", "update_buffer"),
        Topic("editor:tab_switch", "switch_tab"),
        Topic("editor:selection", "select"),
        Topic("editor:scroll", "touch"),
        Topic("explorer:expand_dir", "touch"),
        Topic("explorer:collapse_dir", "touch"),
        Topic("hints:level_change", "change_hint_level"),
        Topic("user:idle_start", "go_idle"),
        Topic("user:idle_end", "come_back"),
        Topic("observer:mute", "mute"),
        Topic("user:explain", "explain", long=True),
        Topic("user:review", "review", long=True),
        Topic("practice:open", "open_kata"),
        Topic("practice:submit_solution", "review", long=True),
        Topic("practice:stop", "stop_run"),
        Topic("session:start", "start_session"),
        Topic("session:resume", "resume_session"),
        Topic("session:end", "leave_session", long=True),
        Topic("dashboard:request", "send_dashboard", long=True),
        Topic("dashboard:refresh_issues", "send_issues", long=True),
        Topic("terminal:ready", "open_terminal"),
        Topic("terminal:input", "type_in_terminal"),
        Topic("terminal:resize", "resize_terminal"),
    ),
)


def add_coach(hub: Hub) -> None:
    """Let the coach answer its messages, and say at the handshake what it has."""
    add_topics(hub, TOPICS)
    hub.introduce = introduce


async def introduce(sender: Sender) -> Introduction:
    """What a client is told at the handshake."""
    if not may_on_machine(sender.app.settings, sender.actor, "coach"):
        return Introduction(None, {"terminal": False})
    coach = sender.app.live_coach
    has_project = coach.project_dir is not None
    flags = {"terminal": has_project and sender.trusted and has_terminals()}
    try:
        session = await coach.known_session(sender.actor)
    except PaigeError:  # the first thing it asks for will say why
        return Introduction(None, flags)
    return Introduction(session.id if session else None, flags)
