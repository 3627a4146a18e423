"""Which commands run tests, by their words; what a command prints decides nothing here.

A run counts when the end of the whole command is the end of the test tool: plain words, joined by
`&&` only. In `pytest | tail` or `pytest || true` the tool's own end is lost, and a text for a shell
may hold anything. A script of `package.json` is read and judged the same way.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from paige.guard.shell.prefilter import plain_words

_SETTINGS = re.compile(
    r"(?:(?:CI|TZ|LANG|LC_ALL|NODE_ENV|RAILS_ENV|APP_ENV|MIX_ENV|FORCE_COLOR|NO_COLOR|PYTHONPATH"
    r"|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|RUST_BACKTRACE)=[\w./:=,+-]*\s+)+"
)
# Programs that start another one, how many words of their own come first, and options with a value.
_WRAPPERS: dict[str, tuple[int, tuple[str, ...]]] = {
    "timeout": (1, ("-s", "--signal", "-k", "--kill-after")),
    "gtimeout": (1, ("-s", "--signal", "-k", "--kill-after")),
    "nice": (0, ("-n", "--adjustment")),
    "command": (0, ()),
    "xvfb-run": (0, ("-n", "-s", "--server-num", "--server-args")),
    "npx": (0, ("-p", "--package")),
    "bunx": (0, ()),
    "uvx": (0, ("--from", "--with", "-p", "--python")),
    "dotenv": (0, ("-e", "-f")),
}
_RUNNING: dict[tuple[str, ...], tuple[str, ...]] = {
    ("uv", "run"): ("--with", "--extra", "--group", "-p", "--python", "--package", "--env-file"),
    ("poetry", "run"): (),
    ("pipenv", "run"): (),
    ("pdm", "run"): (),
    ("hatch", "run"): (),
    ("rye", "run"): (),
    ("pnpm", "exec"): (),
    ("pnpm", "dlx"): (),
    ("yarn", "exec"): (),
    ("yarn", "dlx"): (),
    ("npm", "exec"): ("-p", "--package"),
    ("bun", "x"): (),
    ("bundle", "exec"): (),
    ("mise", "exec"): (),
}
_PYTHON = re.compile(r"(?:python|py)(?:\d+(?:\.\d+)*)?\Z")
_MODULES = {"pytest": "pytest", "unittest": "unittest", "nose2": "unittest"}
# A program, the words that must follow it, and the form of its results.
_TOOLS: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "pytest": (((), "pytest"),),
    "py.test": (((), "pytest"),),
    "jest": (((), "jest"),),
    "vitest": (((), "vitest"),),
    "mocha": (((), "mocha"),),
    "ava": (((), "ava"),),
    "tap": (((), "tap"),),
    "bats": (((), "tap"),),
    "rspec": (((), "rspec"),),
    "phpunit": (((), "phpunit"),),
    "pest": (((), "pest"),),
    "node": ((("--test",), "node"),),
    "deno": ((("test",), "deno"),),
    "bun": ((("test",), "bun"),),
    "go": ((("test",), "go"),),
    "gotestsum": (((), "gotestsum"),),
    "cargo": ((("test",), "cargo"), (("nextest", "run"), "nextest")),
    "rails": ((("test",), "minitest"),),
    "mix": ((("test",), "exunit"),),
    "dotnet": ((("test",), "dotnet"),),
    "mvn": ((("test",), "maven"), (("verify",), "maven")),
    "mvnw": ((("test",), "maven"), (("verify",), "maven")),
    "swift": ((("test",), "swift"),),
    "ctest": (((), "ctest"),),
    "flutter": ((("test",), "dart"),),
    "dart": ((("test",), "dart"),),
    "playwright": ((("test",), "playwright"),),
}
# Options that run nothing, or something else than tests.
_IDLE = frozenset((
    "--collect-only", "--co", "--version", "-V", "--help", "-h", "--fixtures", "--markers",
    "--setup-plan", "--setup-only", "--listTests", "--showConfig", "--list", "--dry-run",
    "--no-run", "--list-tests", "-list", "-c",
))  # fmt: skip
_MAY_BE_IDLE = {"-c": ("go",), "-V": ("pytest", "cargo"), "--list": ("cargo", "playwright")}
_SCRIPTS = {"npm": ("run", "run-script"), "pnpm": ("run",), "yarn": ("run",), "bun": ("run",)}
_BINS = (".venv/bin/", "venv/bin/", "node_modules/.bin/", "vendor/bin/", "bin/")
_MOST_SCRIPTS = 3


@dataclass(frozen=True, slots=True)
class RunCommand:
    """A command that runs tests: the words of the tool, the form of its results, and where.

    `folders` are those that `cd` went into before.
    """

    argv: tuple[str, ...]
    form: str
    folders: tuple[str, ...] = ()


def running_tests(command: str, scripts: Mapping[str, str] | None = None) -> RunCommand | None:
    """The test run a command is, if its end is the end of a test tool.

    `scripts` are those of the project's `package.json`.
    """
    return _run(command, scripts or {}, _MOST_SCRIPTS)


def names_a_runner(command: str) -> bool:
    """Whether a command mentions a test tool at all, however it is put together."""
    words = re.split(r"[\s;|&()<>'\"`$]+", command)
    tools = {each.rpartition("/")[2] for each in words}
    plain = {name for name, forms in _TOOLS.items() if any(not needed for needed, _ in forms)}
    if tools & plain or tools & {"unittest", "nextest"}:
        return True
    return any(name in tools and "test" in words for name in (*_TOOLS, *_SCRIPTS))


def _run(command: str, scripts: Mapping[str, str], left: int) -> RunCommand | None:
    run: RunCommand | None = None
    folders: list[str] = []
    for part in command.split("&&"):
        text = part.strip().removesuffix("2>&1").strip()
        settings = _SETTINGS.match(text)
        words = plain_words(text[settings.end() :] if settings else text)
        if words is None:
            return None
        found = _tool(words) or _script(words, scripts, left)
        if found is not None:
            run = RunCommand(found.argv, found.form, (*folders, *found.folders))
        elif words[0] == "cd" and len(words) == 2:
            folders.append(words[1])
        elif run is not None or not _is_quiet(words):
            return None  # what is printed might be taken for the result of tests
    return run


def _is_quiet(words: list[str]) -> bool:
    """Whether a command before the tests prints nothing and changes nothing about them."""
    if words[0] in ("source", "."):
        return words[1:] == [words[-1]] and words[-1].endswith("/bin/activate")
    return words[0] in ("true", "mkdir", "touch", "sleep")


def _tool(words: list[str]) -> RunCommand | None:
    words = _unwrapped(words)
    if not words:
        return None
    name = _name(words[0])
    argv = tuple(words)
    if name is None:
        return None
    if _PYTHON.match(name):
        return _module(words, argv)
    if name == "coverage" and words[1:2] == ["run"] and "-m" in words:
        rest = words[words.index("-m") :]
        return _module(["python", *rest], argv)
    for needed, form in _TOOLS.get(name, ()):
        if _follows(words[1:], needed) and not _is_idle(words[1:], name):
            return RunCommand(argv, form)
    return None


def _unwrapped(words: list[str]) -> list[str]:
    for _ in range(6):
        name = words[0].rpartition("/")[2] if words else ""
        if name == "env":
            rest = words[1:]
            while rest and "=" in rest[0]:
                if not _SETTINGS.match(f"{rest[0]} "):
                    return []
                rest = rest[1:]
            words = rest
        elif name in _WRAPPERS:
            operands, values = _WRAPPERS[name]
            words = _past_options(words[1:], values)[operands:]
        elif tuple(words[:2]) in _RUNNING:
            words = _past_options(words[2:], _RUNNING[tuple(words[:2])])
        else:
            return words
    return []


def _past_options(words: list[str], values: tuple[str, ...]) -> list[str]:
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] == "--":
            at += 1
            break
        if words[at] == "-m":
            return ["python", *words[at:]]  # `uv run -m pytest`
        at += 2 if words[at] in values else 1
    return words[at:]


def _module(words: list[str], argv: tuple[str, ...]) -> RunCommand | None:
    """`python -m pytest`: only options of the interpreter may stand before."""
    at = 1
    while at < len(words) and words[at].startswith("-") and words[at] != "-m":
        at += 2 if words[at] in ("-W", "-X") else 1
    if words[at : at + 2] == ["manage.py", "test"]:
        return None if _is_idle(words[at + 2 :], "") else RunCommand(argv, "unittest")
    if words[at : at + 1] != ["-m"] or at + 1 >= len(words):
        return None
    module = words[at + 1]
    if module == "coverage" and "-m" in words[at + 2 :]:
        rest = words[words.index("-m", at + 2) :]
        return _module(["python", *rest], argv)
    form = _MODULES.get(module)
    if form is None or _is_idle(words[at + 2 :], module):
        return None
    return RunCommand(argv, form)


def _script(words: list[str], scripts: Mapping[str, str], left: int) -> RunCommand | None:
    """`npm test`: the script of that name, judged as if it had been typed."""
    name = words[0]
    if name not in _SCRIPTS or left <= 0:
        return None
    rest = [each for each in words[1:] if not each.startswith("-")]
    if rest and rest[0] in _SCRIPTS[name]:
        rest = rest[1:]
    wanted = "test" if rest[:1] == ["t"] else (rest[0] if rest else "")
    text = scripts.get(wanted)
    if text is None or f"pre{wanted}" in scripts or f"post{wanted}" in scripts:
        return None
    run = _run(text, scripts, left - 1)
    if run is None or _is_idle(words[1:], ""):
        return None
    return RunCommand(tuple(words), run.form, run.folders)


def _name(word: str) -> str | None:
    """The name of a program, unless it is one that lies about in the project."""
    folder, slash, name = word.rpartition("/")
    if slash and not f"{folder}/".endswith(_BINS):
        return name if folder.startswith(("/usr", "/opt")) or name == "mvnw" else None
    return name


def _follows(words: list[str], needed: tuple[str, ...]) -> bool:
    if needed and needed[0].startswith("-"):
        return needed[0] in words
    plain = [each for each in words if not each.startswith(("-", "+"))]
    return tuple(plain[: len(needed)]) == needed


def _is_idle(words: list[str], tool: str) -> bool:
    for word in words:
        if word == "--":
            return False
        if word in _IDLE and (word not in _MAY_BE_IDLE or tool in _MAY_BE_IDLE[word]):
            return True
    return False
