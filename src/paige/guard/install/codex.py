"""Codex CLI: `hooks.json`, and `config.toml` for the tools and for the trust in our hooks.

Codex runs a hook only when its configuration holds the hash of it, and skips it without a word
otherwise. A person reviews hooks in its terminal; whoever runs `paige install` has decided already,
so the hashes are written with the hooks. They are kept by place: file, event, number of the group.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from paige.guard.install import jsonedit
from paige.guard.install.commands import for_shell, is_ours
from paige.guard.install.plans import HOOKS, JsonPlan, Step, Target, TomlPlan, handlers
from paige.guard.install.skills import skill_plans
from paige.guard.install.tomledit import Table

_NO_MATCHER = ("UserPromptSubmit", "Stop", "Interrupt")  # the host leaves it out of the hash
_USUAL_SECONDS = 600


def steps(target: Target) -> list[Step]:
    """The files of an installation, in order."""
    made: list[Step] = []
    tools = _tables_of_tools(target) if "mcp" in target.parts else ()
    if "hooks" in target.parts:
        hooks = tuple((event, _group(target, event)) for event in target.events)
        file = hooks_file(target)
        made.append(lambda _: JsonPlan(file, hooks=hooks))
        ours = () if target.project else tools
        made.append(
            lambda texts: TomlPlan(trust_file(target), (*ours, *trust(file, texts.get(file, ""))))
        )
    if tools and (target.project or "hooks" not in target.parts):
        made.append(lambda _: TomlPlan(hooks_file(target).with_name("config.toml"), tools))
    if "skills" in target.parts:
        folder = (target.project or target.home) / ".agents" / "skills"
        made += [lambda _, plan=plan: plan for plan in skill_plans(folder)]
    return made


def hooks_file(target: Target) -> Path:
    """Where the hooks stand."""
    folder = target.project / ".codex" if target.project else _folder(target)
    return folder / "hooks.json"


def trust_file(target: Target) -> Path:
    """Where the person's decisions about hooks stand, those of projects too."""
    return _folder(target) / "config.toml"


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


def _tables_of_tools(target: Target) -> tuple[Table, ...]:
    return ((("mcp_servers", "paige"), {"url": target.mcp_url}),)


def _folder(target: Target) -> Path:
    given = target.environ.get("CODEX_HOME")
    # The host follows links in the variable, and hooks are known by their path.
    return Path(given).resolve() if given else target.home / ".codex"


def _label(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _group(target: Target, name: str) -> dict[str, object]:
    event = target.events[name]
    handler = {
        "type": "command",
        "command": for_shell(target.command.argv(target.cli, name), windows=target.windows),
        "timeout": event.timeout,
    }
    matcher = {"matcher": event.matcher} if event.matcher else {}
    return {**matcher, "hooks": [handler]}
