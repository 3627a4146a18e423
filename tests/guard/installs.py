"""What tests of installers share: a person with a home, and settings as people have them."""

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from hypothesis import strategies as st

from paige.guard.install.commands import HookCommand
from paige.guard.install.installer import (
    PARTS,
    InstallPlan,
    carry_out,
    plan_install,
    plan_uninstall,
)
from paige.guard.install.manifests import manifest
from paige.guard.install.plans import Target
from paige.guard.install.records import Record
from paige.guard.install.targets import ENTRY

# The file with the hooks, and the one with the tools, below the home of a person.
HOOK_FILES = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".copilot/hooks/paige.json",
}
JSON_FILES = {
    "claude-code": (".claude/settings.json", ".claude.json"),
    "codex": (".codex/hooks.json",),
    "gemini": (".gemini/settings.json",),
    "copilot": (".copilot/hooks/paige.json", ".copilot/mcp-config.json"),
}
EVENT = {
    "claude-code": "PreToolUse",
    "codex": "PreToolUse",
    "gemini": "BeforeTool",
    "copilot": "preToolUse",
}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a home folder."""

    home: Path

    def target(self, cli: str, **changes: object) -> Target:
        known = manifest(cli)
        profile = known.profile()
        made = Target(
            cli=cli,
            home=self.home,
            data=self.home / ".paige",
            project=None,
            environ={"HOME": str(self.home), "PATH": "/usr/bin:/bin"},
            command=HookCommand(sys.executable, str(ENTRY)),
            mcp_url="http://127.0.0.1:3000/mcp",
            parts=frozenset(PARTS),
            profile=profile,
            events=known.events_of(profile),
        )
        return replace(made, **changes)  # type: ignore[arg-type]

    def install(self, cli: str, **changes: object) -> list[str]:
        planned = plan_install(self.target(cli, **changes))
        carry_out(planned)
        return [each.action for each in planned.changes]

    def uninstall(self, cli: str, **changes: object) -> None:
        carry_out(plan_uninstall(self.target(cli, **changes)))

    def write(self, name: str, data: bytes) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def files(self) -> dict[str, bytes | None]:
        """Every file and folder below the home, without Paige's own data."""
        return {
            path.relative_to(self.home).as_posix(): path.read_bytes() if path.is_file() else None
            for path in sorted(self.home.rglob("*"))
            if ".paige" not in path.relative_to(self.home).parts
        }


class Memory:
    """A person whose files are kept in memory: for properties over many files."""

    def __init__(self, cli: str) -> None:
        self.cli = cli
        self.home = Path("/nowhere/home")
        self.target = replace(Person(self.home).target(cli), parts=frozenset({"hooks", "mcp"}))
        self.record = Record()
        self.texts: dict[Path, str] = {}

    def write(self, name: str, data: bytes) -> Path:
        self.texts[self.home / name] = data.decode()
        return self.home / name

    def install(self) -> list[str]:
        return self._done(plan_install(self.target, record=self.record, read=self.texts.get))

    def uninstall(self) -> None:
        self._done(plan_uninstall(self.target, record=self.record, read=self.texts.get))

    def _done(self, planned: InstallPlan) -> list[str]:
        self.record = Record.model_validate_json(planned.record.model_dump_json(by_alias=True))
        for change in planned.changes:
            if change.new is None:
                self.texts.pop(change.path, None)
            else:
                self.texts[change.path] = change.new
        return [each.action for each in planned.changes]


def foreign_group(cli: str) -> Mapping[str, object]:
    """A hook of somebody else."""
    if cli == "copilot":
        return {"type": "command", "bash": "echo mine"}
    return {"matcher": "Bash", "hooks": [{"type": "command", "command": "echo mine"}]}


# --- settings files as people have them -----------------------------------------------------------

_scalars = (
    st.none() | st.booleans() | st.integers(-9, 9) | st.text('aé"\\\n \u2028/{}[],:', max_size=8)
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@st.composite
def settings_values(draw: st.DrawFn, cli: str) -> dict[str, object]:
    """What a settings file may say: keys of others, hooks of others, servers of others."""
    made: dict[str, object] = draw(
        st.dictionaries(st.text("xyz", min_size=1, max_size=4), _values, max_size=3)
    )
    if draw(st.booleans()):
        groups = st.lists(st.just(dict(foreign_group(cli))), max_size=2)
        names = st.sampled_from([EVENT[cli], "Elsewhere"])
        made["hooks"] = draw(st.dictionaries(names, groups, max_size=2))
    if draw(st.booleans()):
        made["mcpServers"] = draw(
            st.sampled_from([{}, {"other": {"url": "http://127.0.0.1:1/mcp"}}])
        )
    keys = draw(st.permutations(list(made)))
    return {key: made[key] for key in keys}


@st.composite
def json_texts(draw: st.DrawFn, cli: str) -> bytes:
    """The bytes of a settings file: comments, odd spacing, line ends, a mark at the start."""
    kind = draw(st.sampled_from(["value", "value", "value", "value", "empty", "space"]))
    if kind == "empty":
        return b""
    if kind == "space":
        return draw(st.sampled_from([b"\n", b"  \r\n", b"\xef\xbb\xbf", b"// nothing yet\n"]))
    value = draw(settings_values(cli))
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t"]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = _decorated(draw, text)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    text += draw(st.sampled_from(["", "\n", "\n\n", "  ", "// end, {\n", "/* , */"]))
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


def _decorated(draw: st.DrawFn, text: str) -> str:
    """Comments and trailing commas at places where they may stand."""
    out: list[str] = []
    inside = escaped = False
    for sign in text:
        closing = sign in "}]" and not inside
        if (
            closing
            and out
            and "".join(out).rstrip()[-1:] not in "{[,/"
            and draw(st.integers(0, 3)) == 0
        ):
            out.append(",")
        out.append(sign)
        if escaped:
            escaped = False
        elif inside and sign == "\\":
            escaped = True
        elif sign == '"':
            inside = not inside
        if not inside and sign in "{[,:" and draw(st.integers(0, 5)) == 0:
            out.append(draw(st.sampled_from([" ", "  ", "/* a, } ] */", "// b, {\n", "\n\n"])))
    return "".join(out)
