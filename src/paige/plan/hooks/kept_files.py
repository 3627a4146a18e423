"""`kept-files`: what an agent may not change with its file tools, whatever it has read.

Lessons are saved when the teacher has judged them, memory goes through its own gate, and nobody who
cites the curriculum may also write it. What the teacher says about themselves and their classes is
changed only when the teacher allows that one change.
"""

import unicodedata
from typing import Literal

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Choices, Option, Reply
from paige.base.events import Deny, Event, PreTool
from paige.memory.documents.records import FOLDER as MEMORY
from paige.plan.classes import FOLDER as CLASSES
from paige.plan.curriculum.values import FOLDER as CURRICULUM
from paige.plan.hooks.names import KEPT_FILES

WRITERS = ("write_file", "str_replace")
_SAVED = "Answer with it instead; it is saved when the teacher has judged it"
REFUSED = {
    "lessons": _SAVED,
    "units": _SAVED,
    "worksheets": _SAVED,
    MEMORY: "Use `update_memory`, or leave it to the end: the teacher is asked what to remember",
    CURRICULUM: "Whoever cites the curriculum does not write it; it is imported by a person",
    "soul.md": "Only the teacher says what the assistant is like",
}
ASKED = (CLASSES, "teacher.md", "pedagogy.md")
LONGEST = 4_000
Rule = Literal["allow", "ask", "refuse"]


def judge_path(path: str) -> tuple[Rule, str]:
    """What an agent may do with a file, and why not; however its path is written."""
    parts = [
        part for part in unicodedata.normalize("NFC", path).split("/") if part not in ("", ".")
    ]
    top = parts[0].casefold() if parts else ""
    if ".." in parts or "\\" in path:
        return "refuse", "The path must lead straight to the file"
    if top in REFUSED:
        return "refuse", REFUSED[top]
    return ("ask", "") if top in ASKED else ("allow", "")


def kept_files() -> Hook:
    """The gate before every tool that writes files."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PreTool)
        path = str(event.input.get("path", ""))
        rule, reason = judge_path(path)
        view.notes.update({"path": path, "rule": rule})
        match rule:
            case "allow":
                return None
            case "refuse":
                return Deny(reason=f"`{path}` is not written by an agent. {reason}.")
            case "ask":
                return _question(path, event)

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        assert isinstance(event, PreTool)
        view.notes["answer"] = reply.option
        if reply.option == "allow":
            return None
        return Deny(reason=f"The teacher does not want `{event.input.get('path')}` changed.")

    return Hook(KEPT_FILES, ("pre_tool",), propose, resolve, tools=WRITERS)


def _question(path: str, event: PreTool) -> Choices:
    # Not allowing comes first: who says yes to everything has not read this.
    new = str(event.input.get("content", event.input.get("new", "")))
    old = str(event.input.get("old", ""))
    shown = f"Instead of:\n\n{old[:LONGEST]}\n\nit would write:\n\n{new[:LONGEST]}" if old else new
    return Choices(
        title=f"May the agent change `{path}`?",
        text=shown[: 2 * LONGEST],
        options=(Option("refuse", "No, leave it as it is"), Option("allow", "Yes, change it")),
    )
