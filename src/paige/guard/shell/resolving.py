"""What a command really runs: wrappers taken off, texts for shells read.

A wrapper is a program that starts the command in its own words (`sudo`, `timeout 5`, `xargs`).
Which words are its own is data. What a shell is given as text goes through the front door again.
What cannot be known is opaque, and never allowed without a question. Built-in modules only.
"""

from paige.base.record import Record
from paige.guard.shell.script import UNKNOWN, Simple

MOST_LAYERS = 12
SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "rbash", "mksh", "csh", "tcsh")
_SHELL_VALUES = ("-o", "+o", "-O", "+O", "--rcfile", "--init-file")
_FETCHING = (
    "curl", "wget", "nc", "ncat", "netcat", "socat", "http", "https", "aria2c", "fetch", "ftp",
    "lynx", "w3m", "ssh", "telnet",
)  # fmt: skip
_DECODING = (
    "base64", "base32", "xxd", "openssl", "gunzip", "zcat", "gzip", "bzip2", "bzcat", "xz", "xzcat",
    "uudecode", "tr", "rev", "rot13", "unhex", "od", "perl", "python", "python3", "awk", "sed",
)  # fmt: skip


_SSH_VALUES = (
    "-b", "-c", "-D", "-E", "-e", "-F", "-I", "-i", "-J", "-L", "-l", "-m", "-O", "-o", "-p", "-Q",
    "-R", "-S", "-W", "-w",
)  # fmt: skip
_CONTAINER_VALUES = (
    "-e", "--env", "-u", "--user", "-w", "--workdir", "-v", "--volume", "-p", "--publish", "-n",
    "--namespace", "-c", "--container", "--name", "--network", "--env-file", "--entrypoint", "-l",
    "--mount", "-m", "--memory", "--cpus", "-h", "--hostname", "--platform",
)  # fmt: skip
_PARALLEL_VALUES = ("-j", "--jobs", "-I", "-a", "--arg-file", "-n", "-N", "--colsep", "-C", "-d")


class Act(Record):
    """One program with its words, as it would run at last.

    `via` are the wrappers it was taken out of. `opaque` says what hides what it does, `stern`
    whether that is reason enough to refuse it.
    """

    __slots__ = ("simple", "via", "opaque", "stern")
    simple: Simple
    via: tuple[str, ...]
    opaque: str
    stern: bool
    _defaults = {"via": (), "opaque": "", "stern": False}


class Resolver:
    """Takes commands apart by the tables of a book; `front` reads a text into simples."""

    __slots__ = ("acts", "assigned", "front", "wrappers")

    def __init__(self, wrappers: dict[str, dict], front) -> None:
        self.wrappers = wrappers
        self.front = front
        self.acts: list[Act] = []
        self.assigned: list[tuple[str, str]] = []

    def resolve(self, simple: Simple, via: tuple[str, ...] = ()) -> None:
        """Add what a command really runs."""
        self.assigned += simple.assigns
        if not simple.words:
            if simple.redirects:
                self.acts.append(Act(simple, via))
            return
        if len(via) > MOST_LAYERS:
            self.acts.append(Act(simple, via, "too many programs around it", stern=True))
            return
        name = base_name(simple.words[0])
        taking = _SPECIAL.get(name)
        if taking is not None and taking(self, simple, via):
            return
        wrapper = self.wrappers.get(name)
        if wrapper is not None and self._unwrap(name, wrapper, simple, via):
            return
        self.acts.append(Act(simple, via))

    def text(self, text: str, via: tuple[str, ...], around: Simple) -> None:
        """Add what a text for a shell runs."""
        if UNKNOWN in text and not text.replace(UNKNOWN, "").strip():
            feeds = [base_name(words[0]) for words in around.feeds if words]
            fetched = next((each for each in feeds if each in _FETCHING), "")
            decoded = next((each for each in feeds if each in _DECODING), "")
            why = "a shell runs what nobody has read"
            if fetched:
                why = f"a shell runs what `{fetched}` fetches"
            elif decoded:
                why = f"a shell runs what `{decoded}` decodes"
            stern = bool(fetched or decoded)
            self.acts.append(Act(around, via, why, stern))
            return
        for simple in self.front(text):
            self.resolve(simple, via)

    def _unwrap(self, name: str, wrapper: dict, simple: Simple, via: tuple[str, ...]) -> bool:
        """Take a wrapper off; whether there was a command inside."""
        rest, assigns, text = _after_options(simple.words[1:], wrapper)
        if text is not None:
            self.acts.append(Act(simple, via))
            self.text(text, (*via, name), simple)
            return True
        if wrapper.get("subs"):
            sub = next((each for each in wrapper["subs"] if tuple(rest[: len(each)]) == each), None)
            if sub is None:
                return False
            rest, more, _ = _after_options(rest[len(sub) :], wrapper)
            assigns += more
        rest = rest[wrapper.get("operands", 0) :]
        if wrapper.get("dashes"):
            if "--" not in simple.words:
                return False
            rest = list(simple.words[simple.words.index("--") + 1 :])
        if not rest:
            return False
        if wrapper.get("keeps"):
            self.acts.append(Act(simple, via))  # it does something of its own as well
        inner = Simple(
            tuple(rest),
            (*simple.assigns, *assigns),
            simple.redirects,
            simple.stdin,
            simple.feeds,
        )
        if wrapper.get("string"):
            self.text(" ".join(rest), (*via, name), inner)
        elif wrapper.get("unknown_end"):
            filled = Simple((*rest, UNKNOWN), inner.assigns, inner.redirects, "", simple.feeds)
            self.resolve(filled, (*via, name))
        else:
            self.resolve(inner, (*via, name))
        return True


def base_name(word: str) -> str:
    """The name of a program without its folder and without `.exe`."""
    name = word.rpartition("/")[2].rpartition("\\")[2]
    return name[:-4] if name.lower().endswith(".exe") else name


def _after_options(
    words: tuple[str, ...] | list[str], wrapper: dict
) -> tuple[list[str], list[tuple[str, str]], str | None]:
    """What is left of the words, the variables they set, and a text that an option holds."""
    values, strings = wrapper.get("values", ()), wrapper.get("strings", ())
    assigns: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        name, equals, value = word.partition("=")
        if wrapper.get("assigns") and equals and name and _is_name(name):
            assigns.append((name, value))
        elif len(word) < 2 or word[0] not in "-+":
            break
        elif word in strings or (name in strings and equals):
            text = value if equals else " ".join(words[at + 1 : at + 2])
            return [], assigns, text
        elif any(word.startswith(each) and len(each) == 2 and word != each for each in strings):
            return [], assigns, word[2:] or " ".join(words[at + 1 : at + 2])
        elif word in values:
            at += 1
        at += 1
    return list(words[at:]), assigns, None


def _is_name(text: str) -> bool:
    return text.replace("_", "a").isalnum() and not text[0].isdigit()


def _shell(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`sh -c text`, `sh file`, `sh` that reads its input."""
    words = simple.words
    via = (*via, base_name(words[0]))
    at = 1
    command = False
    while at < len(words) and words[at][:1] in ("-", "+") and words[at] not in ("-", "--"):
        word = words[at]
        if not word.startswith("--") and "c" in word[1:] and word[0] == "-":
            command = True
        if word in _SHELL_VALUES:
            at += 1
        at += 1
    if at < len(words) and words[at] in ("-", "--"):
        at += 1
    if command:
        if at >= len(words):
            return False
        self.text(words[at] or UNKNOWN, via, simple)
        return True
    if "--version" in words or "--help" in words:
        return False
    if at < len(words) and "-s" not in words[1:at]:
        self.acts.append(Act(simple, via[:-1], f"`{words[at]}` is a script nobody has read here"))
        return True
    if "-n" in words[1:at] and "+n" not in words:
        return False
    self.text(simple.stdin or UNKNOWN, via, simple)
    return True


def _eval(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    self.text(" ".join(simple.words[1:]), (*via, "eval"), simple)
    return True


def _trap(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    words = [each for each in simple.words[1:] if each != "--"]
    if len(words) < 2 or words[0] in ("-", "-l", "-p"):
        return False
    self.text(words[0], (*via, "trap"), simple)
    return True


def _alias(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    self.acts.append(Act(simple, via))
    for word in simple.words[1:]:
        name, equals, text = word.partition("=")
        if equals and not name.startswith("-"):
            self.text(text, (*via, "alias"), simple)
    return True


def _command(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    rest = list(simple.words[1:])
    while rest and rest[0] in ("-p", "--"):
        rest.pop(0)
    if not rest or rest[0] in ("-v", "-V"):
        return False
    inner = Simple(tuple(rest), simple.assigns, simple.redirects, simple.stdin, simple.feeds)
    self.resolve(inner, (*via, "command"))
    return True


def _find(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`find … -exec command ;` and its like; find's own actions are judged by its rules."""
    self.acts.append(Act(simple, via))
    words = list(simple.words)
    at = 1
    while at < len(words):
        if words[at] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at + 1
            while end < len(words) and words[end] not in (";", "+"):
                end += 1
            starts = _starts(words[1:at])
            for start in starts:
                inner = [
                    each.replace("{}", f"{start}/{UNKNOWN}" if start != "." else UNKNOWN)
                    for each in words[at + 1 : end]
                ]
                if inner:
                    self.resolve(Simple(tuple(inner), simple.assigns), (*via, "find"))
            at = end
        at += 1
    return True


def _starts(words: list[str]) -> list[str]:
    found = []
    for word in words:
        if word[:1] in ("-", "(", "!", "\\"):
            break
        found.append(word.rstrip("/") or "/")
    return found or ["."]


def _xargs(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    wrapper = self.wrappers.get("xargs", {})
    rest, _, _ = _after_options(simple.words[1:], wrapper)
    if not rest:
        return False
    given = simple.stdin.split() if simple.stdin and UNKNOWN not in simple.stdin else [UNKNOWN]
    replaced = _replacement(simple.words[1:])
    if replaced and any(replaced in each for each in rest):
        words = [each.replace(replaced, given[0]) for each in rest]
    else:
        words = [*rest, *given[:20]]
    self.resolve(Simple(tuple(words), simple.assigns, (), "", simple.feeds), (*via, "xargs"))
    return True


def _replacement(words: tuple[str, ...]) -> str:
    for at, word in enumerate(words):
        if word in ("-I", "-J") and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(("-I", "-J")) and len(word) > 2:
            return word[2:]
        if word in ("-i", "--replace"):
            return "{}"
    return ""


def _remote(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`ssh host command`: the words are a text for the shell over there."""
    self.acts.append(Act(simple, via))
    rest, _, _ = _after_options(simple.words[1:], {"values": _SSH_VALUES})
    if len(rest) > 1:
        self.text(" ".join(rest[1:]), (*via, "ssh"), simple)
    return True


def _inside_container(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`docker exec box command` and `kubectl exec pod -- command`."""
    self.acts.append(Act(simple, via))
    words = simple.words
    name = base_name(words[0])
    at = next((at for at, word in enumerate(words) if word in ("exec", "run", "debug")), 0)
    if not at:
        return True
    if "--" in words[at:]:
        rest = list(words[words.index("--", at) + 1 :])
    else:
        rest, _, _ = _after_options(words[at + 1 :], {"values": _CONTAINER_VALUES})
        rest = rest[1:]
    if rest:
        inner = Simple(tuple(rest), (), (), simple.stdin, simple.feeds)
        self.resolve(inner, (*via, name))
    return True


def _source(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    self.acts.append(Act(simple, via, "a file nobody has read here would run in this shell"))
    return True


def _parallel(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    rest, _, _ = _after_options(simple.words[1:], {"values": _PARALLEL_VALUES})
    mark = next((at for at, word in enumerate(rest) if word.startswith(":::")), len(rest))
    command, given = rest[:mark], rest[mark + 1 :]
    if not command:
        for each in given or [simple.stdin or UNKNOWN]:
            self.text(each, (*via, "parallel"), simple)
        return True
    for each in given[:20] or simple.stdin.split()[:20] or [UNKNOWN]:
        text = " ".join(command)
        text = text.replace("{}", each) if "{}" in text else f"{text} {each}"
        self.text(text, (*via, "parallel"), simple)
    return True


def _fd(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    self.acts.append(Act(simple, via))
    for at, word in enumerate(simple.words):
        if word in ("-x", "-X", "--exec", "--exec-batch"):
            inner = [UNKNOWN if each == "{}" else each for each in simple.words[at + 1 :]]
            inner = inner if UNKNOWN in inner else [*inner, UNKNOWN]
            self.resolve(Simple(tuple(inner), simple.assigns), (*via, "fd"))
    return True


_SPECIAL = {
    **dict.fromkeys(SHELLS, _shell),
    "eval": _eval,
    "trap": _trap,
    "alias": _alias,
    "command": _command,
    "find": _find,
    "gfind": _find,
    "xargs": _xargs,
    "gxargs": _xargs,
    "ssh": _remote,
    **dict.fromkeys(("docker", "podman", "kubectl", "k", "oc", "nerdctl"), _inside_container),
    "source": _source,
    ".": _source,
    "parallel": _parallel,
    "fd": _fd,
    "fdfind": _fd,
}
