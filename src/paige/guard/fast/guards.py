"""Whether a guard is about an action: the matcher that the hook's two paths and every trial share.

An action is what a call would really do: the commands the shell engine found in it, the files it
would change, the text it would write. A guard is a plain dict out of the snapshot. Everything here
is linear in what it looks at, however odd a pattern is. This page is on the hook's fast path:
built-in modules only.
"""

from paige.base.events import Allow, Ask, Deny, KeepWorking
from paige.base.record import Record
from paige.guard.fast.place import Place, exists
from paige.guard.hook_event import Heard, Outcome
from paige.guard.shell.targets import fits, fits_word, full_path
from paige.guard.tools import changes_of, command_of, is_powershell, kind_of

MAIN = "main"
MANY = "**"
RULE = "guard:"
OVERRIDES = "guard/overrides"
_MOST_TEXT = 2**20
# From the mildest to the strictest of what can be said here.
_RANKS = {type(None): 0, Allow: 1, Ask: 2, Deny: 3}
_HERE = ("",)
_QUIET = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "-")


class Action(Record):
    """What would happen, as guards look at it.

    `agents` are the names whoever acts is known by. `commands` are the words of every program,
    `paths` the files that would change, each from the root of the disk; `place` is where. `text`
    is what would be written or run, `folders` where each of the commands may run.
    """

    event: str
    tool: str
    kind: str
    input: dict[str, object]
    agents: tuple[str, ...]
    role: str
    commands: tuple[tuple[str, ...], ...]
    paths: tuple[str, ...]
    place: Place
    text: str = ""
    folders: tuple[tuple[str, ...], ...] = ()


def with_guards(
    outcome: Outcome, heard: Heard, place: Place, guards: tuple, acts
) -> Outcome | None:
    """What the rules and the guards say together; nothing when a guard asks for more than this.

    `outcome` is what the rules said; those who come here have no role.
    """
    action = heard_action(heard, place, "", acts)
    found = met(guards, action)
    if not found:
        return outcome
    blocking = [guard for guard in found if not guard["shadow"]]
    same = mark_of(action) if blocking else ""
    for guard in found:
        if guard.get("unless"):
            return None
    for guard in blocking:
        if exists(f"{place.data}/{OVERRIDES}/{guard['id']}.{same}") or exists(
            f"{place.data}/{OVERRIDES}/{guard['id']}.{same}.used"
        ):
            return None
    said = told(heard.event.name, found, same)
    decided = said if _RANKS[type(said.decision)] >= _RANKS[type(outcome.decision)] else outcome
    rule = decided.rule or outcome.rule
    noted = {**outcome.noted, **said.noted}
    return Outcome(decided.decision, rule, outcome.context, outcome.notice, noted)


def told(event: str, found: list[dict], same: str) -> Outcome:
    """What the guards that are about an action say: the first that denies, else one that asks."""
    noted: dict[str, object] = {}
    watching = [guard["id"] for guard in found if guard["shadow"]]
    if watching:
        noted["shadow"] = watching
    blocking = [guard for guard in found if not guard["shadow"]]
    if not blocking:
        return Outcome(noted=noted)
    noted["same"] = same
    denying = [guard for guard in blocking if guard["decision"] == "deny"]
    guard = (denying or blocking)[0]
    message = guard["message"]
    rule = f"{RULE}{guard['id']}"
    if event in ("stop", "subagent_stop"):
        return Outcome(KeepWorking(message), rule, noted=noted)
    return Outcome(Deny(message) if denying else Ask(message), rule, noted=noted)


def heard_action(heard: Heard, place: Place, role: str, acts=()) -> Action:
    """The action an event is about; `acts` are what its command would run."""
    event, scene = heard.event, heard.scene
    names = (scene.agent_type or "", getattr(event, "agent", None) or "", scene.agent or "")
    given = getattr(event, "input", None)
    tool = getattr(event, "tool", "")
    return action_of(event.name, tool, given or {}, (names, role), place, acts)


def action_of(
    event: str,
    tool: str,
    given: dict[str, object],
    who: tuple[tuple[str, ...], str],
    place: Place,
    acts=(),
) -> Action:
    """The action of a call; `who` are the names of the agent and its role, `acts` what would run.

    `acts` are those the judge of commands found; without a tool there is nothing but who acts.
    """
    agents = tuple(each for each in who[0] if each) or (MAIN,)
    if not tool:
        return Action(event, "", "", {}, agents, who[1], (), (), place)
    command = command_of(tool, given)
    if command is not None:
        found = [act.simple for act in acts if act.simple.words]
        commands = tuple(each.words for each in found)
        folders = tuple(each.cwds or _HERE for each in found)
        if is_powershell(tool):
            commands, folders = (tuple(command.split()),), (_HERE,)
        paths = tuple(dict.fromkeys(path for act in acts for path in _written(act.simple, place)))
        return Action(
            event, tool, kind_of(tool), given, agents, who[1], commands, paths, place, command,
            folders,
        )  # fmt: skip
    changes = changes_of(tool, given)
    paths = tuple(full_path(each.path, place) for each in changes)
    text = "\n".join(dict.fromkeys(each.text for each in changes)) if changes else _words(given)
    return Action(
        event, tool, kind_of(tool), given, agents, who[1], (), paths, place, text[:_MOST_TEXT]
    )


def meets(guard: dict, action: Action) -> bool:
    """Whether a guard is about an action; what it says in `unless` is asked elsewhere."""
    if action.event not in guard["events"]:
        return False
    if not _named(guard.get("tools"), (action.kind, action.tool.lower())):
        return False
    if not concerns(guard, action):
        return False
    for name, value in guard.get("fields", ()):
        if not _same(_field(action.input, name), value):
            return False
    for text in guard.get("contains", ()):
        if text not in action.text:
            return False
    return _done_to(guard, action)


def concerns(guard: dict, action: Action) -> bool:
    """Whether a guard is about whoever acts."""
    if not _named(guard.get("agents"), action.agents):
        return False
    return _named(guard.get("roles"), (action.role,))


def met(guards: tuple, action: Action) -> list[dict]:
    """The guards that are about an action, in their order."""
    return [guard for guard in guards if meets(guard, action)]


def fits_command(words: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    """Whether a command begins as a pattern says; `**` is any number of words."""
    if not words:
        return False
    if "/" not in pattern[0]:
        words = (words[0].rpartition("/")[2], *words[1:])
    return fits(words, (*pattern, MANY), MANY, fits_word)


def fits_path(path: str, pattern: str, root: str) -> bool:
    """Whether a file fits a pattern: `*` is a part of a name, `**` any number of folders.

    A pattern without a slash is a name in any folder; others begin at the project's folder, or at
    the root of the disk where they begin with a slash.
    """
    if "/" not in pattern:
        return fits_word(path.rpartition("/")[2], pattern)
    if not pattern.startswith("/"):
        base = root.rstrip("/") + "/"
        if path.startswith(base):
            path = path[len(base) :]
        elif pattern.startswith("**/"):
            path = path[1:]
        else:
            return False
    return fits(path.split("/"), pattern.rstrip("/").split("/"), MANY, fits_word)


def mark_of(action: Action) -> str:
    """A short name of an action: the same call has the same one."""
    import _imp  # noqa: PLC0415 - only where a guard has something to say

    from paige.guard.fast.jsonic import dumps  # noqa: PLC0415

    try:
        said = dumps([action.tool, action.input])
    except (TypeError, RecursionError):
        said = f"{action.tool} {action.text}"
    return _imp.source_hash(0x9A16E, said.encode("utf-8", "surrogatepass")).hex()


def _done_to(guard: dict, action: Action) -> bool:
    """Whether the commands and the files fit."""
    command, patterns = guard.get("command"), guard.get("paths")
    if not command:
        return not patterns or _touches(action.paths, patterns, action.place.root)
    for words, folders in zip(action.commands, action.folders, strict=True):
        if not fits_command(words, command):
            continue
        if not patterns:
            return True
        # A command names the files it changes among its words, which only it understands.
        operands = [word for word in words[1:] if word[:1] not in "-"]
        named = [_from(each, word, action.place) for word in operands for each in folders]
        if _touches((*action.paths, *named), patterns, action.place.root):
            return True
    return False


def _touches(paths: tuple[str, ...], patterns: tuple[str, ...], root: str) -> bool:
    return any(fits_path(path, pattern, root) for path in paths for pattern in patterns)


def _named(patterns, names: tuple[str, ...]) -> bool:
    """Whether one of some names is wanted; without wishes all are."""
    return not patterns or any(fits_word(name, one) for name in names for one in patterns)


def _field(given: object, name: str) -> object:
    """A value of an input by its name; `a.b` is `b` inside of `a`."""
    for part in name.split("."):
        if not isinstance(given, dict) or part not in given:
            return None
        given = given[part]
    return given


def _same(found: object, wanted: object) -> bool:
    return found == wanted and isinstance(found, bool) == isinstance(wanted, bool)


def _written(simple, place: Place) -> list[str]:
    """The files a program's output goes to."""
    found = []
    for operator, target in simple.redirects:
        if ">" not in operator or operator.endswith("&") or target.isdigit() or target in _QUIET:
            continue
        found += [_from(each, target, place) for each in simple.cwds or _HERE]
    return found


def _from(folder: str, path: str, place: Place) -> str:
    """A path from the root of the disk, named by a program that runs in a folder."""
    if folder and path[:1] not in ("/", "~"):
        path = f"{folder}/{path}"
    return full_path(path, place)


def _words(given: object, depth: int = 0) -> str:
    """All texts of an input, one below the other."""
    if isinstance(given, str):
        return given
    if depth > 6:
        return ""
    if isinstance(given, dict):
        given = list(given.values())
    if isinstance(given, list | tuple):
        return "\n".join(part for each in given[:1000] if (part := _words(each, depth + 1)))
    return ""
