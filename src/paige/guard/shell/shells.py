"""Shells and the words of the shell itself that run a text. Built-in modules only."""

from paige.guard.shell.resolver import Act, Resolver, base_name, hidden
from paige.guard.shell.script import UNKNOWN, Simple

_VALUES = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
_TEXTS = ("--init-command", "-C")  # fish


def shell(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`sh -c text`, `sh file`, `sh` that reads its input."""
    words = simple.words
    inner = (*via, base_name(words[0]))
    at, command = _options(words)
    given = words[1:at]
    if "--rcfile" in given or "--init-file" in given:
        self.opaque(simple, via, "its first file runs before anything else")
    if command:
        if at >= len(words):
            return False
        if given != ("-lc",):  # as a host starts every command
            self.doubt = f"an option of `{words[0]}`"
        self.text(words[at] or " :", inner, simple, list(words[at + 2 :]))
        named = simple.bare((words[0], "-c", *words[at + 1 :]))
        self.acts.append(Act(named, via, proven="it runs the text below"))
        return True
    if "--version" in given or "--help" in given:
        return _proven(self, simple, via, "it only tells about itself")
    unrun = any(each[:2] != "--" and "n" in each for each in given if each[:1] == "-")
    if unrun and not any(each[:1] == "+" for each in words[1:]):
        return _proven(self, simple, via, "it only reads the script and runs nothing")
    reads = any(each[:2] != "--" and "s" in each for each in given if each[:1] == "-")
    if at < len(words) and not reads and words[at] not in ("/dev/stdin", "/dev/fd/0"):
        _file(self, simple, at, via, inner)
        return True
    self.text(simple.stdin or UNKNOWN, inner, simple, list(words[at:]))
    if UNKNOWN not in (simple.stdin or UNKNOWN):
        self.opaque(simple.bare(words), via, "a shell reads what it runs from its input")
    return True


def powershell(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """PowerShell that reads its input."""
    given = any(word.lower() in ("-file", "-f") for word in simple.words)
    if simple.feeds and not given:
        self.acts.append(Act(simple, via, *hidden(simple.feeds)))
    return False


def evaluated(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`eval words`: the words are a text."""
    words = simple.words[2:] if simple.words[1:2] == ("--",) else simple.words[1:]
    self.text(" ".join(words), (*via, "eval"), simple)
    return True


def trap(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`trap text signal`."""
    words = [each for each in simple.words[1:] if each != "--"]
    if len(words) < 2 or words[0] in ("-", "-l", "-p"):
        return False
    self.text(words[0], (*via, "trap"), simple)
    return True


def alias(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`alias name=text`: later commands may not be what they are called."""
    for word in simple.words[1:]:
        name, equals, text = word.partition("=")
        if equals and not name.startswith("-"):
            self.text(text, (*via, "alias"), simple)
            self.opaque(simple, via, f"`{name}` would mean something else afterwards")
    self.acts.append(Act(simple, via))
    return True


def command(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`command program words`."""
    rest = list(simple.words[1:])
    while rest and rest[0] in ("-p", "--"):
        rest.pop(0)
    if rest and rest[0][:1] == "-" and set(rest[0][1:]) <= set("pvV"):
        if "--" in rest:
            self.forbidden(simple.saying(rest[rest.index("--") + 1 :] or rest), (*via, "command"))
        return _proven(self, simple, via, "it only tells what a name means")
    if not rest:
        return False
    self.resolve(simple.saying(rest), (*via, "command"))
    return True


def source(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`. file`: the file runs in this shell."""
    words = [each for each in simple.words[1:] if each != "--"]
    if words and words[0] in ("/dev/stdin", "/dev/fd/0"):
        self.text(simple.stdin or UNKNOWN, (*via, "source"), simple)
        return True
    held = self.held(words[0], simple) if words else None
    if held is not None:
        self.run_file(held, words[0], simple.saying(words), (*via, "source"))
        return True
    self.opaque(simple, via, "a file nobody has read here would run in this shell", mild=True)
    return True


def keyword(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`time`, `coproc`, `!` and braces that the parser took for the name of a program."""
    name = base_name(simple.words[0])
    rest = list(simple.words[1:])
    assigns = list(simple.assigns)
    opened = next((at for at, word in enumerate(rest[:2]) if word in ("{", "(")), -1)
    if name == "coproc" and opened >= 0:
        rest = rest[opened + 1 :]
    if name == "time" and any(each in ("-o", "--output", "-f", "--format") for each in rest):
        return False  # the program of that name, which has options
    while rest and (rest[0] in ("!", "{", "(", "-p", "--", "time") or _assigns(rest[0])):
        word = rest.pop(0)
        if _assigns(word):
            variable, _, value = word.partition("=")
            assigns.append((variable, value))
    if rest:
        inner = simple.saying(rest)
        made = Simple(
            inner.words, tuple(assigns), inner.redirects, inner.stdin, inner.feeds, inner.cwds
        )
        self.resolve(made, (*via, name))
    return bool(rest)


def callback(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`mapfile -C text`, `complete -C text`, `bind -x text`: something runs later."""
    for at, word in enumerate(simple.words[1:], start=1):
        if word in ("-C", "-x", "-F", "-W") or (word[:2] == "-C" and len(word) > 2):
            text = word[2:] or " ".join(simple.words[at + 1 : at + 2])
            self.text(text.partition(":")[2] if word == "-x" else text, (*via, word), simple)
            self.opaque(simple, via, f"`{word}` runs a text later")
    self.acts.append(Act(simple, via))
    return True


def names(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Words of the shell that take names: a name with a subscript may hold a command."""
    for word in simple.words[1:]:
        if "[" in word and ("$(" in word or "`" in word):
            start = word.find("$(")
            inner = word[start + 2 : word.rfind(")")] if start >= 0 else word.split("`")[1]
            self.text(inner, (*via, simple.words[0]), simple)
            self.opaque(simple, via, "a name with a command in it is run")
    return False


def _options(words: tuple[str, ...]) -> tuple[int, bool]:
    """Where the options of a shell end, and whether one of them is `-c`."""
    at, command = 1, False
    while at < len(words) and words[at][:1] in ("-", "+") and words[at] not in ("-", "--"):
        word = words[at]
        if word[0] == "-" and word[:2] != "--" and "c" in word[1:]:
            command = True
        if word == "--command":
            command = True
        takes = word[:2] != "--" and word[-1] in "oO" and len(word) < 8
        if word in _VALUES or takes:
            at += 1
        at += 1
    if at < len(words) and words[at] in ("-", "--"):
        at += 1
    return at, command


def _file(
    self: Resolver, simple: Simple, at: int, via: tuple[str, ...], inner: tuple[str, ...]
) -> None:
    path = simple.words[at]
    held = self.held(path, simple)
    if held is not None:
        self.run_file(held, path, simple.saying(simple.words[at:]), inner)
        return
    self.opaque(simple, via, f"`{path}` is a script nobody has read here", mild=True)


def _proven(self: Resolver, simple: Simple, via: tuple[str, ...], why: str) -> bool:
    self.acts.append(Act(simple, via, proven=why))
    return True


def _assigns(word: str) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()
