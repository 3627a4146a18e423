"""Programs that run a command for many things: find, xargs, parallel, fd. Built-in modules only.

What find looks for says something of what it finds: `find ~ -name id_rsa | xargs cat` is judged
like `cat` of such a file.
"""

from paige.guard.shell.resolver import SHELLS, Act, Resolver, after_options, base_name
from paige.guard.shell.script import UNKNOWN, Simple

_MOST = 20
_WRITING = ("-fprint", "-fprint0", "-fls", "-fprintf")


def find(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`find … -exec command ;` and its like; find's own actions are judged by its rules."""
    words = list(simple.words)
    own = words[:1]
    at = 1
    while at < len(words):
        own.append(words[at])
        if words[at] in _WRITING and at + 1 < len(words):
            self.writes(words[at + 1], via, simple)
        if words[at] in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at + 1
            while end < len(words) and words[end] not in (";", "+"):
                end += 1
            if end >= len(words) or end == at + 1:
                self.opaque(simple, via, "its command does not end, so nobody knows what it runs")
            named = _named(words[1:at])
            for start in _starts(words[1:at]):
                found = [f"{start}/{UNKNOWN}" if start != "." else UNKNOWN]
                found += [f"{start}/{UNKNOWN}/{named}"] if named else []
                for one in found if words[at + 1 : end] else ():
                    inner = [each.replace("{}", one) for each in words[at + 1 : end]]
                    self.resolve(simple.bare(inner), (*via, "find"))
            at = end
        at += 1
    self.acts.append(Act(simple.saying(own), via))
    return True


def xargs(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`xargs command`: words from the input are added."""
    rest, _, _ = after_options(simple.words[1:], self.wrappers.get("xargs", {}))
    self.doubt = "words that come from the input of `xargs`"
    if not rest:
        self.acts.append(Act(simple, via))
        return True
    if base_name(rest[0]) in SHELLS and (rest[-1][:1] == "-" and "c" in rest[-1]):
        self.opaque(simple, via, "a shell runs every word of its input", stern=True)
    given = simple.stdin.split() if simple.stdin and UNKNOWN not in simple.stdin else [UNKNOWN]
    replaced = _replacement(simple.words[1:])
    if replaced and any(replaced in each for each in rest):
        if base_name(rest[0]) in SHELLS and rest[-1] == replaced:
            self.opaque(simple, via, "a shell runs every line of its input", stern=True)
        for one in given[:_MOST]:
            words = [each.replace(replaced, one) for each in rest]
            self.resolve(simple.bare(words), (*via, "xargs"))
        return True
    if len(given) > _MOST:
        given = [*given[:_MOST], UNKNOWN]
    self.resolve(simple.bare([*rest, *given]), (*via, "xargs"))
    return True


def parallel(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`parallel command ::: words`: each is a text for a shell."""
    rest, _, _ = after_options(simple.words[1:], self.readers["parallel"])
    mark = next((at for at, word in enumerate(rest) if word.startswith(":::")), len(rest))
    command, given = rest[:mark], [each for each in rest[mark + 1 :] if each[:3] != ":::"]
    via = (*via, "parallel")
    if not command:
        for each in given or [simple.stdin or UNKNOWN]:
            self.text(each, via, simple)
        return True
    if base_name(command[0]) in SHELLS and "-c" in command:
        command = command[command.index("-c") + 1 :]
    for each in given[:_MOST] or simple.stdin.split()[:_MOST] or [UNKNOWN]:
        text = " ".join(command)
        filled = text.replace("{}", each).replace("{1}", each).replace("{.}", each)
        self.text(filled if filled != text else f"{text} {each}", via, simple)
    if len(given) > _MOST:
        self.opaque(simple, via, "there are more words than can be looked at", mild=True)
    return True


def fd(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """`fd pattern -x command`."""
    self.acts.append(Act(simple, via))
    for at, word in enumerate(simple.words):
        if word in ("-x", "-X", "--exec", "--exec-batch"):
            inner = [each.replace("{}", UNKNOWN) for each in simple.words[at + 1 :] if each != ";"]
            inner = inner if any(UNKNOWN in each for each in inner) else [*inner, UNKNOWN]
            self.resolve(simple.bare(inner), (*via, "fd"))
            looked = found_by((simple.words[:at],))
            named = [looked if each == UNKNOWN else each for each in inner]
            self.forbidden(simple.bare(named), (*via, "fd"))
    return True


def _starts(words: list[str]) -> list[str]:
    found = []
    for word in words:
        if word in ("-H", "-L", "-P") or word[:2] in ("-D", "-O"):
            continue
        if word[:1] in ("-", "(", "!", "\\"):
            break
        found.append(word.rstrip("/") or "/")
    return found or ["."]


def _named(words: list[str] | tuple[str, ...]) -> str:
    """The name that find looks for; empty when there is none or it may be many."""
    for at, word in enumerate(words[:-1]):
        if word in ("-name", "-iname") and words[at + 1].strip("*?."):
            return words[at + 1]
        if word in ("-path", "-ipath", "-wholename") and words[at + 1].strip("*?./"):
            return words[at + 1].lstrip("*/")
    return ""


def found_by(feeds: tuple) -> str:
    """What the words are like that a command finds; empty when nothing is known of them."""
    for words in reversed(feeds):
        name = base_name(words[0]) if words else ""
        operands = [each for each in words[1:] if each[:1] != "-"]
        if name in ("find", "gfind"):
            named = _named(words[1:])
            start = _starts(list(words[1:]))[0]
            return f"{start}/{UNKNOWN}/{named}" if named else f"{start}/{UNKNOWN}"
        if name in ("locate", "mlocate", "plocate", "fd", "fdfind", "mdfind") and operands:
            return f"./{UNKNOWN}/{operands[0].strip('^$*')}"
        if name in ("ls", "echo", "realpath", "readlink") and operands:
            return operands[-1]
    return ""


def _replacement(words: tuple[str, ...]) -> str:
    for at, word in enumerate(words):
        if word in ("-I", "-J") and at + 1 < len(words):
            return words[at + 1]
        if word.startswith(("-I", "-J")) and len(word) > 2:
            return word[2:]
        if word in ("-i", "--replace"):
            return "{}"
        if word.startswith("--replace="):
            return word.partition("=")[2]
    return ""
