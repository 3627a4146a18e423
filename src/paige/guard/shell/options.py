"""Options that make a harmless program run another one, or write where nobody looks.

Built-in modules only.
"""

from paige.guard.shell.matcher import parsed
from paige.guard.shell.remote_commands import ssh_options
from paige.guard.shell.resolver import SHELLS, Act, Resolver, base_name, plain_name
from paige.guard.shell.script import UNKNOWN, Simple

RUN, WRITE, STERN = "run", "write", "stern"
_KINDS = (RUN, STERN, WRITE)
_INTERPRETERS = (
    "python", "perl", "ruby", "node", "php", "lua", "cmd", "powershell", "pwsh", "busybox", "login",
    "sudo", "su", "expect", "tclsh",
)  # fmt: skip


def optioned(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what the options of a program run or write."""
    name = base_name(simple.words[0])
    known = self.readers.get(name, {})
    wrapped = name in self.wrappers
    if not wrapped:
        self.acts.append(Act(simple, via))
    named = tuple(each for kind in _KINDS for each in known.get(kind, ()))
    shape = {"values": (*named, *known.get("values", ())), "clusters": known.get("clusters", True)}
    call = parsed(simple.words, shape)
    for option, value in call.options:
        kind = _kind_of(option, known)
        if kind:
            _taken(self, simple, via, option, value, kind)
    more = _MORE.get(name)
    if more is not None:
        more(self, simple, via, call.operands)
    return not wrapped


def _taken(
    self: Resolver, simple: Simple, via: tuple[str, ...], option: str, value: str | None, kind: str
) -> None:
    name = base_name(simple.words[0])
    if kind == WRITE:
        if value and value != "-":
            self.writes(value, via, simple)
        return
    text = value or UNKNOWN
    if option == "--checkpoint-action":
        if not text.startswith("exec"):
            return
        text = text.partition("=")[2]
    if option == "--eval" and "$(shell " in text:
        text = text.partition("$(shell ")[2].rpartition(")")[0]
    if kind == STERN and name in ("nc", "netcat") and option == "-c" and value and " " not in value:
        kind = RUN if value.isdigit() else STERN
    if name == "rsync" and base_name(text.partition(" ")[0]) == "ssh" and "-o" not in text:
        return  # what it uses anyway
    if kind == STERN and option != "--sh-exec" and not _is_shell(text):
        kind = RUN
    self.text(text, (*via, f"{name} {option}"), simple.bare(simple.words))
    if name == "fzf" and option == "--preview":
        return  # the command is all that runs
    self.opaque(simple, via, f"`{name} {option}` runs a program", stern=kind == STERN)


def _is_shell(text: str) -> bool:
    """Whether a text starts something that whoever connects can give commands to."""
    words = text.replace("'", " ").replace('"', " ").replace(",", " ").split()
    names = {plain_name(base_name(word)) for word in words}
    return UNKNOWN in text or not names.isdisjoint((*SHELLS, *_INTERPRETERS))


def _kind_of(option: str, known: dict) -> str:
    """What becomes of an option's value, perhaps of a shortened one; empty for nothing."""
    for kind in _KINDS:
        if option in known.get(kind, ()):
            return kind
    if not option.startswith("--") or len(option) < 4:
        return ""
    told = (kind for kind in _KINDS for each in known.get(kind, ()) if each.startswith(option))
    return next(told, "")


def _ssh(self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]) -> None:
    ssh_options(self, simple, via)


def _tar(self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]) -> None:
    """The first word of tar may be its options without a dash."""
    first = simple.words[1] if len(simple.words) > 1 else ""
    if first[:1] != "-" and ("I" in first or "F" in first) and first.isalpha():
        self.opaque(simple, via, "its options run a program")


def _make(self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]) -> None:
    for word in operands:
        key, equals, value = word.partition("=")
        if equals and (key.rstrip(":?+") in ("SHELL", "MAKE", ".SHELLFLAGS") or "$(" in value):
            self.opaque(simple, via, f"`{key}` changes what make runs")
        elif equals and any(sign in value for sign in ";&|`"):
            self.text(value, (*via, "make"), simple.bare(simple.words))
            self.opaque(simple, via, f"`{key}` holds a command")


def _socat(self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]) -> None:
    for word in operands:
        kind, colon, text = word.partition(":")
        if colon and kind.lower() in ("exec", "system", "shell"):
            self.text(text, (*via, "socat"), simple.bare(simple.words))
            stern = kind.lower() != "exec" or _is_shell(text)
            self.opaque(simple, via, "it gives a program to whoever connects", stern=stern)


def _second(
    self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]
) -> None:
    """The second file is written."""
    if len(operands) > 1:
        self.writes(operands[1], via, simple)


def _salt(self: Resolver, simple: Simple, via: tuple[str, ...], operands: tuple[str, ...]) -> None:
    if "cmd.run" in operands:
        self.text(operands[-1], (*via, "salt"), simple.bare(simple.words))


_MORE = {
    "scp": _ssh, "sftp": _ssh, "tar": _tar, "gtar": _tar, "make": _make, "gmake": _make,
    "socat": _socat, "uniq": _second, "xxd": _second, "salt": _salt,
}  # fmt: skip
