"""git runs other programs: by its settings, its aliases, its options and its own commands.

Its rules say what git itself does; here is what it starts. Built-in modules only.
"""

from paige.guard.shell.matcher import parsed
from paige.guard.shell.resolver import Act, Resolver
from paige.guard.shell.script import UNKNOWN, Simple

_DIRECT = {"bisect": "run", "submodule": "foreach"}
_SHOWING = ("show", "cat-file", "archive", "grep", "blame", "diff")
_HIDDEN = ("credential", "daemon", "instaweb", "mergetool", "web--browse", "upload-pack", "shell")


def git(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what a call of git starts beside git itself."""
    self.acts.append(Act(simple, via))
    words = simple.words
    at = 1
    while at < len(words) and words[at][:1] == "-":
        at = _global(self, simple, at, via)
    if at >= len(words):
        return True
    sub, rest = words[at], words[at + 1 :]
    if sub in _SHOWING:
        _shown(self, simple, via, rest)
    if any("ext::" in each for each in rest):
        self.opaque(simple, via, "an `ext::` address is a command")
    call = parsed((sub, *rest), self.readers["git"])
    for name, value in call.options:
        _option(self, simple, via, sub, name, value or "")
    if sub in _DIRECT and call.operands[:1] == (_DIRECT[sub],):
        _started(self, simple, via, sub, rest)
    elif sub == "config":
        _configured(self, simple, via, call.operands)
    elif sub in _HIDDEN:
        self.opaque(simple, via, f"`git {sub}` starts other programs")
    return True


def _shown(self: Resolver, simple: Simple, via: tuple[str, ...], words: tuple[str, ...]) -> None:
    """`git show revision:path` reads a file."""
    for word in words:
        revision, colon, path = word.partition(":")
        if colon and path and revision[:1] != "-":
            self.forbidden(simple.bare(("cat", path)), (*via, "git"))


def _global(self: Resolver, simple: Simple, at: int, via: tuple[str, ...]) -> int:
    """Take in an option before the subcommand; where to go on."""
    words = simple.words
    word = words[at]
    name, equals, _ = word.partition("=")
    taken = at + 2 if word in self.readers["git"]["before"] else at + 1
    if word == "-c" and at + 1 < len(words):
        setting(self, simple, via, words[at + 1])
    elif word[:2] == "-c" and len(word) > 2:
        setting(self, simple, via, word[2:])
    elif name == "--config-env" or (name == "--exec-path" and equals):
        self.opaque(simple, via, f"`{name}` changes what git runs")
    return taken


def setting(self: Resolver, simple: Simple, via: tuple[str, ...], text: str) -> None:
    """Add what a setting of git would run."""
    key, _, value = text.partition("=")
    key = key.lower()
    if UNKNOWN in text or not key.startswith(self.readers["git"]["harmless"]):
        if key.startswith("alias."):
            text = value.removeprefix("!") if value.startswith("!") else f"git {value}"
            self.text(text, (*via, "git alias"), simple.bare(simple.words))
        elif value:
            self.text(value.removeprefix("!"), (*via, "git -c"), simple.bare(simple.words))
        self.opaque(simple, via, f"the setting `{key}` may run a program")


def _option(
    self: Resolver, simple: Simple, via: tuple[str, ...], sub: str, name: str, value: str
) -> None:
    runs = self.readers["git"]["started"].get(sub, ())
    if any(_named(name, each) for each in runs):
        self.text(value or UNKNOWN, (*via, f"git {sub}"), simple.bare(simple.words))
        self.opaque(simple, via, f"`{name}` of git runs a command")
    elif _named(name, "--output") and value:
        self.writes(value, via, simple)
    elif sub in ("clone", "init") and (name == "-c" or _named(name, "--config")):
        setting(self, simple, via, value)
    elif sub in ("clone", "init") and _named(name, "--template"):
        self.opaque(simple, via, "a template brings hooks that run later")
    elif _named(name, "--ext-diff"):
        self.opaque(simple, via, f"`{name}` runs the program a setting names")


def _started(
    self: Resolver, simple: Simple, via: tuple[str, ...], sub: str, rest: tuple[str, ...]
) -> None:
    """`git bisect run command`, `git submodule foreach text`."""
    words = list(rest[rest.index(_DIRECT[sub]) + 1 :])
    while words and words[0] in ("--recursive", "-q", "--quiet", "--"):
        words.pop(0)
    inner = simple.bare(words)
    if sub == "submodule" and len(words) == 1:
        self.text(words[0], (*via, "git submodule foreach"), inner)
    elif words:
        self.resolve(inner, (*via, f"git {sub}"))


def _configured(
    self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]
) -> None:
    """`git config key value` keeps a setting for later."""
    words = [each for each in operands if each not in ("set", "add", "replace-all")]
    if len(words) > 1 and words[0] not in ("get", "list", "unset"):
        setting(self, simple, via, f"{words[0]}={words[1]}")


def _named(option: str, wanted: str) -> bool:
    """Whether an option is meant, perhaps shortened."""
    if option == wanted:
        return True
    return len(option) > 3 and option.startswith("--") and wanted.startswith(option)
