"""The files of an installation: where each host looks for hooks, tools, skills and agents.

A plugin that lies in Claude Code's folder of skills is loaded like one that was installed, so the
coach goes there. Copilot also reads the hooks of Claude Code in a repository: a mark tells our hook
there that Copilot has its own, so that an event is not answered twice.

Codex runs a hook only when its configuration holds the hash of it, and skips it without a word
otherwise. A person reviews hooks in its terminal; whoever runs `paige install` has decided already,
so the hashes are written with the hooks. They are kept by place: file, event, number of the group.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from paige.base.paths import shipped
from paige.guard.install import jsonedit
from paige.guard.install.commands import for_powershell, for_shell, is_ours
from paige.guard.install.manifests import Places, manifest
from paige.guard.install.plans import (
    HOOKS,
    AnyPlan,
    JsonPlan,
    Keys,
    Step,
    Target,
    TomlPlan,
    WholePlan,
    handlers,
)
from paige.guard.install.tomledit import Table

MARK = "guard/installed-copilot"


def hooks_file(target: Target) -> Path:
    """Where the hooks of a host stand."""
    return _place(target, manifest(target.cli).files.hooks)


def trust_file(target: Target) -> Path:
    """Where Codex keeps the person's decisions about hooks, those of projects too."""
    return _place(replace(target, project=None), manifest(target.cli).files.tools)


def steps(target: Target) -> list[Step]:
    """The files of an installation, in order."""
    known = manifest(target.cli)
    file, tools = hooks_file(target), _place(target, known.files.tools)
    hooks: tuple[tuple[str, object], ...] = ()
    if "hooks" in target.parts:
        hooks = tuple((event, _entry(target, event)) for event in target.events)
    server = known.server_at(target.mcp_url) if "mcp" in target.parts else None
    copies = [
        each
        for part, places in known.files.copied.items()
        if part in target.parts
        for each in _copied(part, _place(target, places), target)
    ]
    if tools.suffix == ".toml":
        tables: tuple[Table, ...] = ((("mcp_servers", "paige"), server),) if server else ()
        return [*_of_toml(target, hooks, (tools, tables)), *map(_known, copies)]
    keys: tuple[tuple[Keys, object], ...] = ((("mcpServers", "paige"), server),) if server else ()
    plans: list[AnyPlan] = []
    if hooks or (keys and tools == file):
        opening: tuple[tuple[Keys, object], ...] = ()
        if known.hook.version:
            opening = ((("version",), known.hook.version),)
        own = keys if tools == file else ()
        plans.append(JsonPlan(file, hooks=hooks, keys=own, opening=opening))
    if hooks and target.cli == "copilot" and target.project is None:
        plans.append(WholePlan(target.data / MARK, ""))
    if keys and tools != file:
        plans.append(JsonPlan(tools, keys=keys))
    return [_known(plan) for plan in (*plans, *copies)]


def _of_toml(
    target: Target,
    hooks: tuple[tuple[str, object], ...],
    tools: tuple[Path, tuple[Table, ...]],
) -> list[Step]:
    """The settings of Codex, which keeps its trust in the hooks beside the person's tools."""
    file, trusted = hooks_file(target), trust_file(target)
    path, tables = tools
    made: list[Step] = []
    if hooks:
        own = tables if path == trusted else ()
        made.append(_known(JsonPlan(file, hooks=hooks)))
        made.append(lambda texts: TomlPlan(trusted, (*own, *trust(file, texts.get(file, "")))))
    if tables and not (hooks and path == trusted):
        made.append(_known(TomlPlan(path, tables)))
    return made


def _place(target: Target, places: Places) -> Path:
    """Where something goes: for all projects of the person, or for one."""
    files = manifest(target.cli).files
    given: str | Path | None = target.environ.get(files.variable)
    if given and target.cli == "codex":
        given = Path(given).resolve()  # it knows hooks by their path, with links followed
    words = {
        "home": target.home,
        "project": target.project,
        "base": given or target.home,
        "folder": given or target.home / files.folder,
    }
    return Path(places[target.project is not None].format_map(words))


def _entry(target: Target, name: str) -> dict[str, object]:
    """What stands for an event: a handler, mostly in a group with what it is limited to."""
    event, form = target.events[name], manifest(target.cli).hook
    argv = target.command.argv(target.cli, name)
    if form.flat:
        line, other = for_shell(argv, windows=False), for_powershell(argv)
        return {"type": "command", "bash": line, "powershell": other, "timeoutSec": event.timeout}
    handler: dict[str, object] = {"type": "command"}
    if form.name:
        handler["name"] = form.name
    if target.profile.form == "arguments":
        handler |= {"command": argv[0], "args": argv[1:]}
    else:
        handler["command"] = for_shell(argv, windows=target.windows)
    handler["timeout"] = event.timeout * (1000 if form.milliseconds else 1)
    if event.gate and target.profile.on_failure:
        handler["onFailure"] = "block"
    matcher = {"matcher": event.matcher} if event.matcher else {}
    return {**matcher, HOOKS: [handler]}


def _known(plan: AnyPlan) -> Step:
    """A plan that needs no other file."""
    return lambda _: plan


def _copied(part: str, folder: Path, target: Target) -> list[WholePlan]:
    """The files of a part, below a host's folder for it."""
    source = shipped(f"integrations/{part}")
    files = sorted(each for each in source.rglob("*") if each.is_file())
    return [
        WholePlan(folder / each.relative_to(source), _content(each, target), shared=True)
        for each in files
        if "__pycache__" not in each.parts
    ]


def _content(file: Path, target: Target) -> str:
    """The text of a file; the coach's program must be told where Paige is."""
    text = file.read_text(encoding="utf-8")
    if file.name != "paige.sh":
        return text
    program = str(Path(target.command.python).with_name("paige")).replace("'", "'\\''")
    return text.replace('"${PAIGE_BIN:-}"', f"\"${{PAIGE_BIN:-}}\" '{program}'", 1)


_NO_MATCHER = ("UserPromptSubmit", "Stop", "Interrupt")  # the host leaves it out of the hash
_USUAL_SECONDS = 600


def trust(file: Path, text: str) -> tuple[Table, ...]:
    """The tables that let our hooks in a text run."""
    node = jsonedit.find(text, (HOOKS,))
    tables: list[Table] = []
    for event, groups in (node.value if node and isinstance(node.value, dict) else {}).items():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            for index, handler in enumerate(handlers(group)):
                if is_ours(handler) and isinstance(handler, dict):
                    key = f"{file}:{_label(event)}:{number}:{index}"
                    value = hook_hash(event, group.get("matcher"), handler)
                    tables.append((("hooks", "state", key), {"trusted_hash": value}))
    return tuple(tables)


def hook_hash(event: str, matcher: str | None, handler: Mapping[str, object]) -> str:
    """The hash by which Codex knows a hook again, whatever file it stands in."""
    kept = {key: handler[key] for key in ("type", "command", "statusMessage") if key in handler}
    seconds = handler.get("timeout", _USUAL_SECONDS)
    kept |= {"timeout": seconds, "async": bool(handler.get("async", False))}
    identity: dict[str, object] = {"event_name": _label(event), "hooks": [kept]}
    if matcher is not None and event not in _NO_MATCHER:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def _label(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
