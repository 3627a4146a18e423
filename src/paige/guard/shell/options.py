"""Options that make a harmless program run another one, or write where nobody looks.

Built-in modules only.
"""

from paige.guard.shell.elsewhere import ssh_options
from paige.guard.shell.matching import parsed
from paige.guard.shell.resolving import SHELLS, Act, Resolver, base_name, plain_name
from paige.guard.shell.script import UNKNOWN, Simple

RUN, WRITE, STERN = "run", "write", "stern"
_TAR = {
    **dict.fromkeys(
        ("--to-command", "-I", "--use-compress-program", "-F", "--info-script",
         "--new-volume-script", "--rsh-command", "--rmt-command"),
        RUN,
    ),
    "--checkpoint-action": RUN,
    "--index-file": WRITE,
}  # fmt: skip
_NC = {"-e": STERN, "-c": STERN, "--exec": STERN, "--sh-exec": STERN, "--lua-exec": STERN}
_GCC = {"-wrapper": RUN, "-fplugin": RUN, "-specs": RUN}
_WATCHED = {"--exec": RUN, "-x": RUN}
# The options of each program that run something or write a file.
_TABLE: dict[str, dict[str, str]] = {
    "rsync": {"-e": RUN, "--rsh": RUN, "--rsync-path": RUN, "--log-file": WRITE,
              "--write-batch": WRITE},
    "scp": {"-S": RUN, "-F": RUN},
    "sftp": {"-S": RUN, "-F": RUN, "-D": RUN, "-b": RUN},
    "tar": _TAR, "gtar": _TAR, "bsdtar": _TAR,
    "sort": {"--compress-program": RUN, "-o": WRITE, "--output": WRITE},
    "gsort": {"--compress-program": RUN, "-o": WRITE, "--output": WRITE},
    "rg": {"--pre": RUN, "--hostname-bin": RUN},
    "ag": {"--pager": RUN}, "ack": {"--pager": RUN}, "bat": {"--pager": RUN},
    "man": {"-P": RUN, "--pager": RUN, "-H": RUN, "--html": RUN, "-B": RUN, "-C": RUN},
    "zip": {"-TT": RUN, "--unzip-command": RUN},
    "split": {"--filter": RUN},
    "fzf": {"--preview": RUN, "--bind": RUN},
    "tcpdump": {"-z": RUN, "-w": WRITE},
    "iptables": {"--modprobe": RUN}, "ip6tables": {"--modprobe": RUN},
    "nc": _NC, "ncat": _NC, "netcat": _NC,
    "go": {"-exec": RUN, "-toolexec": RUN, "-vettool": RUN},
    "gcc": _GCC, "g++": _GCC, "cc": _GCC, "clang": _GCC,
    "wget": {"--use-askpass": RUN, "-e": RUN, "--execute": RUN, "-O": WRITE,
             "--output-document": WRITE, "-o": WRITE, "--output-file": WRITE, "--config": RUN},
    "curl": {"-o": WRITE, "--output": WRITE, "-K": RUN, "--config": RUN, "-D": WRITE,
             "--dump-header": WRITE, "-c": WRITE, "--cookie-jar": WRITE, "--trace": WRITE},
    "ansible": {"-a": RUN, "--args": RUN},
    "make": {"--eval": RUN, "-E": RUN}, "gmake": {"--eval": RUN, "-E": RUN},
    "npm": {"--script-shell": RUN}, "yarn": {"--script-shell": RUN}, "pnpm": {"--shell": RUN},
    "cargo": {"--config": RUN},
    "start-stop-daemon": {"--exec": RUN, "-x": RUN, "--startas": RUN, "-a": RUN},
    "watchexec": _WATCHED, "nodemon": _WATCHED,
    "date": {"-f": "", "-r": ""},
    "tree": {"-o": WRITE}, "diff": {"--output": WRITE},
    "salt": {}, "socat": {}, "uniq": {}, "xxd": {},
    "nmap": {"--script": RUN, "-oN": WRITE, "-oX": WRITE, "-oG": WRITE},
    "ssh-keygen": {"-D": RUN}, "openssl": {"-engine": RUN, "-out": WRITE, "-provider-path": RUN},
}  # fmt: skip
_INTERPRETERS = (
    "python", "perl", "ruby", "node", "php", "lua", "cmd", "powershell", "pwsh", "busybox", "login",
    "sudo", "su", "expect", "tclsh",
)  # fmt: skip
_SINGLE = ("go", "gcc", "g++", "cc", "clang", "openssl", "nmap", "zip")
_TAKING = {
    "rsync": ("-B", "-M", "-T", "-f", "--exclude", "--include", "--files-from", "--filter"),
    "tar": ("-f", "-C", "-T", "-X", "-b", "-g", "-K", "-N", "-V", "-L", "--file", "--directory",
            "--exclude", "--transform", "--files-from", "--checkpoint"),
    "sort": ("-k", "-t", "-S", "-T", "--key", "--field-separator", "--parallel"),
    "rg": ("-e", "-f", "-g", "-t", "-T", "-A", "-B", "-C", "-m", "-r", "-j", "-M", "--glob",
           "--type", "--max-count", "--sort", "--context"),
    "curl": ("-H", "-X", "-d", "-F", "-u", "-b", "-A", "-e", "-m", "-T", "-w", "-x", "-E", "-r",
             "--header", "--request", "--data", "--form", "--user", "--url", "--data-raw",
             "--data-binary", "--max-time", "--retry", "--connect-timeout", "--json"),
    "wget": ("-P", "-t", "-T", "-U", "-i", "-Q", "-w", "--header", "--tries", "--timeout"),
    "make": ("-C", "-f", "-I", "-j", "-l", "-o", "-W"),
    "nc": ("-w", "-p", "-s", "-i", "-q", "-x", "-X"),
}  # fmt: skip


def optioned(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what the options of a program run or write."""
    name = base_name(simple.words[0])
    table = _TABLE.get(name, {})
    wrapped = name in self.wrappers
    if not wrapped:
        self.acts.append(Act(simple, via))
    taking = _TAKING.get(name) or _TAKING.get(name.lstrip("g"), ())
    shape = {"values": (*table, *taking), "clusters": name not in _SINGLE}
    call = parsed(simple.words, shape)
    for option, value in call.options:
        kind = table.get(option) or _abbreviated(option, table)
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


def _abbreviated(option: str, table: dict[str, str]) -> str:
    if not option.startswith("--") or len(option) < 4:
        return ""
    return next((table[each] for each in table if each.startswith(option)), "")


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
