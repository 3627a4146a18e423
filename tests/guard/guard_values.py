"""Guards for tests, and strategies that make them."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st

from paige.guard.guards.stages import Case, promote, propose, to_shadow
from paige.guard.guards.trials import matches, probe
from paige.guard.guards.values import (
    Example,
    Guard,
    GuardRecord,
    LearnedMatcher,
    Replay,
    ShadowHistory,
)
from paige.guard.learning.keep_or_change import Facts, judge
from paige.guard.learning.settings import shipped_learning

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOTHING = Replay(actions=0)
ENOUGH = ShadowHistory(events=500, hits=9)
GOOD = Facts(looked_at=500, labels=9, rate=2.0, rate_before=1.0)


def bash(command: str, **more: Any) -> Example:
    """A call of a shell tool."""
    return Example(tool="Bash", input={"command": command}, **more)


def force_push(**more: Any) -> Guard:
    """A guard that harms nobody: against forced pushes."""
    made: dict[str, Any] = {
        "id": "no-force-push",
        "event": "pre_tool",
        "matcher": LearnedMatcher(command=("git", "push", "**", "--force*")),
        "message": "Do not force a push. Push a new commit.",
        "must": (bash("git push --force"), bash("git push origin main --force")),
        "must_not": (bash("git push"),),
    }
    return Guard(**{**made, **more})


def proposed(guard: Guard) -> GuardRecord:
    """A guard as it begins."""
    return propose(guard, at=NOON, by="test", why="It happened again.")


def in_shadow(guard: Guard, *, force: bool = False) -> GuardRecord:
    """A guard that watches."""
    return to_shadow(proposed(guard), NOTHING, at=NOON, by="test", why="Watch.", force=force)


def in_production(guard: Guard) -> GuardRecord:
    """A guard that blocks, after everything that takes."""
    return let_block(in_shadow(guard))


def let_block(record: GuardRecord, *, force: bool = False, by: str = "test") -> GuardRecord:
    """Promote a guard of which nothing but good was measured."""
    limits = shipped_learning()
    case = Case(NOTHING, ENOUGH, judge(GOOD, limits.keep), limits.promotion)
    return promote(record, case, at=NOON, by=by, why="It is right.", force=force)


words = st.sampled_from(
    ["git", "push", "status", "--force", "*", "**", "?it", "npm", "test", "pyt*", "rm", "-rf", "ls",
     "add", "-A", "commit", "sudo", "src/*", "x", "cat", "README.md", "paige", "guard", "promote"]
)  # fmt: skip
globs = st.sampled_from(
    ["src/**", "src/*.py", "**/*.ts", "tests/**", "*.md", ".claude/progress/evidence/**", "docs/*",
     "nowhere/at/all.txt", "package.json", "feature-list.json", "/etc/*", "**/evidence/*"]
)  # fmt: skip
texts = st.sampled_from(
    [
        "import",
        "tested",
        '"tested": true',
        "DROP TABLE",
        "password",
        "TODO",
        "def ",
        "zzz-no",
    ]
)
fields = st.dictionaries(
    st.sampled_from(["command", "replace_all", "limit", "subagent_type", "description"]),
    st.sampled_from(["git status", False, True, 80, "coding-agent", "One step", None]),
    max_size=1,
)


def _some(of: st.SearchStrategy[str], most: int = 2) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(of, max_size=most).map(tuple)


matchers = st.builds(
    LearnedMatcher,
    tools=_some(st.sampled_from(["shell", "write", "read", "Bash", "mcp", "mcp__*", "edit", "*"])),
    agents=_some(st.sampled_from(["coding-agent", "tester-agent", "conductor", "main", "*-agent"])),
    roles=_some(st.sampled_from(["musician", "conductor", "tester"]), 1),
    command=_some(words, 4),
    paths=_some(globs),
    fields=fields,
    contains=_some(texts, 1),
    unless=_some(st.sampled_from(["evidence", "tests-ran"]), 1),
)
calls = st.one_of(
    st.builds(bash, st.lists(words, min_size=1, max_size=5).map(" ".join)),
    st.builds(
        lambda path, text: Example(tool="Write", input={"file_path": path, "content": text}),
        st.sampled_from(["src/a.py", "README.md", "/etc/passwd", "x/y/z.ts", "feature-list.json"]),
        texts,
    ),
    st.builds(lambda path: Example(tool="Read", input={"file_path": path}), globs),
)


def met_by(guard: Guard) -> Example | None:
    """An action that a guard is about, if one is easily found."""
    stopped = probe(guard)
    who = {
        "agent": _plain(next(iter(guard.matcher.agents), "")),
        "role": next(iter(guard.matcher.roles), ""),
    }
    candidates = [replace(each.example, facts=()) for each in stopped]
    candidates += [replace(each, **who) for each in [*candidates, *_made_for(guard.matcher)]]
    return next((each for each in candidates if matches(guard, each)), None)


def _made_for(matcher: LearnedMatcher) -> list[Example]:
    text = " ".join(matcher.contains)
    path = _plain(next(iter(matcher.paths), "src/x"))
    words = [_plain(each) for each in matcher.command if each != "**"]
    command = " ".join([*words, *([path] if matcher.paths else []), f"'{text}'" if text else ""])
    named = [each for each in matcher.tools if each not in ("shell", "write", "read", "mcp")]
    tools = [*map(_plain, named), "Bash", "Write", "Edit", "Read", "mcp__x__y"]
    given = {"file_path": path, "content": text, "command": command, **matcher.fields}
    return [
        Example(),
        bash(f"{command} > {path}"),
        *(Example(tool=each, input=given) for each in tools),
    ]


def _plain(pattern: str) -> str:
    return pattern.replace("**", "x").replace("*", "x").replace("?", "x")
