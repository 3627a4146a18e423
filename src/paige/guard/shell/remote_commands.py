"""Programs that run a command on another machine, in a box, in a terminal or later.

Built-in modules only.
"""

from paige.guard.shell.resolver import SHELLS, Act, Resolver, after_options, base_name
from paige.guard.shell.script import UNKNOWN, Simple

_SSH_CODE = ("proxycommand", "localcommand", "knownhostscommand", "remotecommand")
_KEYS = ("Enter", "C-m", "C-j", "KPEnter")


def remote(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`ssh host command`: the words are a text for the shell over there."""
    self.acts.append(Act(simple, via))
    ssh_options(self, simple, via)
    known = self.readers["ssh"]
    rest, _, _ = after_options(simple.words[1:], known)
    # Options may stand behind the host as well.
    words, _, _ = after_options(rest[1:], known)
    if words:
        self.text(" ".join(words), (*via, "ssh"), simple.bare(simple.words))
    reads = not words or base_name(words[0]) in SHELLS  # a shell over there reads what goes in
    if reads and rest and simple.stdin and simple.stdin != UNKNOWN:
        self.text(simple.stdin, (*via, "ssh"), simple.bare(simple.words))
    return True


def ssh_options(self: Resolver, simple: Simple, via: tuple[str, ...]) -> None:
    """Add what the options of ssh run on this machine."""
    words = simple.words
    for at, word in enumerate(words):
        text = words[at + 1] if word == "-o" and at + 1 < len(words) else word[2:]
        if word[:2] != "-o" or not text:
            continue
        text = text.strip()
        parting = "=" if "=" in text.partition(" ")[0] else " "
        key, _, value = text.partition(parting)
        if key.lower() in _SSH_CODE:
            self.text(value, (*via, key), simple.bare(words))
            self.opaque(simple, via, f"`{key}` runs a command on this machine")


def container(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`docker exec box command` and `kubectl exec pod -- command`."""
    self.acts.append(Act(simple, via))
    words = simple.words
    name = base_name(words[0])
    at = next((at for at, word in enumerate(words) if word in ("exec", "run", "debug", "shell")), 0)
    if not at:
        return True
    _entrypoint(self, simple, via)
    if "--" in words[at:]:
        rest = list(words[words.index("--", at) + 1 :])
    else:
        rest, _, _ = after_options(words[at + 1 :], self.readers["docker"])
        rest = rest[1:]
    if rest:
        inner = Simple(tuple(rest), (), (), simple.stdin, simple.feeds)
        self.resolve(inner, (*via, name))
    return True


def vagrant(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`vagrant ssh -c text`."""
    self.acts.append(Act(simple, via))
    for at, word in enumerate(simple.words[:-1]):
        if word in ("-c", "--command"):
            self.text(simple.words[at + 1], (*via, "vagrant"), simple)
    return True


def screen(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`screen -dm command`, `screen -X stuff text`."""
    words = simple.words
    if "-X" in words:
        text = " ".join(words[words.index("-X") + 2 :])
        self.text(text.replace("\\n", "\n").replace("^M", "\n"), (*via, "screen"), simple)
        self.opaque(simple, via, "it types into another terminal")
        return True
    rest, _, _ = after_options(words[1:], self.readers["screen"])
    if rest:
        self.resolve(simple.bare(rest), (*via, "screen"))
    self.opaque(simple, via, "it goes on in a terminal of its own")
    return True


def tmux(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`tmux new-session text` and the other commands of tmux that run a text."""
    known = self.readers["tmux"]
    at = next((at for at, word in enumerate(simple.words) if word in known["texts"]), 0)
    if not at:
        return False
    rest, _, _ = after_options(simple.words[at + 1 :], known)
    words = [word for word in rest if word not in _KEYS]
    self.text(" ".join(words), (*via, "tmux"), simple.bare(simple.words))
    for word in words if len(words) > 1 else ():
        if " " in word:
            self.text(word, (*via, "tmux"), simple.bare(simple.words))
    self.opaque(simple, via, "it goes on in a terminal of its own")
    return True


def at(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`at time` runs its input later."""
    if any(word in ("-l", "-d", "-r", "-c", "-V") for word in simple.words[1:]):
        return False
    self.text(simple.stdin or UNKNOWN, (*via, "at"), simple)
    self.opaque(simple, via, "it runs later, when nobody looks")
    return True


def crontab(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`crontab -` takes lines with times and texts."""
    self.acts.append(Act(simple, via))
    if any(word in ("-l", "-r", "-e", "-V") for word in simple.words[1:]):
        return True
    for line in simple.stdin.splitlines()[:50]:
        parts = line.split(None, 1 if line.lstrip()[:1] == "@" else 5)
        if parts and parts[0][0] != "#" and len(parts) in (2, 6):
            self.text(parts[-1], (*via, "crontab"), simple.bare(simple.words))
    self.opaque(simple, via, "it runs later, when nobody looks")
    return True


def _entrypoint(self: Resolver, simple: Simple, via: tuple[str, ...]) -> None:
    """A box may be told to start another program: its words are that program's."""
    words = simple.words
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name != "--entrypoint":
            continue
        started = value if equals else " ".join(words[at + 1 : at + 2])
        rest, _, _ = after_options(words[at + 1 if equals else at + 2 :], self.readers["docker"])
        if started:
            inner = Simple((started, *rest[1:]), (), (), simple.stdin, simple.feeds)
            self.resolve(inner, (*via, base_name(words[0])))
