"""What one command leaves for those behind it: variables, folders, files.

Where a line may go two ways, what both ways leave alike is known afterwards; of the rest it is kept
which values it may have. Built-in modules only.
"""

from paige.guard.shell.outputs import output_of
from paige.guard.shell.script import UNKNOWN, Simple
from paige.guard.shell.wording import Words

LONGEST_VALUE = 4000
_MOST_CWDS = 4
_MOST_VALUES = 6


class Memory(Words):
    """The state of a shell that reads a script."""

    __slots__ = ("maybe", "simples")

    def __init__(self, known: dict[str, str], cwds: tuple[str, ...] = ()) -> None:
        super().__init__(known, cwds)
        self.simples: list[Simple] = []
        self.maybe: dict[str, tuple[str, ...]] = {}  # the values a variable may have

    def _set(self, name: str, value: str) -> None:
        if len(value) > LONGEST_VALUE:
            value = UNKNOWN
        if "[" in value and ("$(" in value or "`" in value):
            self.why = self.why or "a value that arithmetic would run"
        self.known[name] = self.set[name] = value
        if "[" not in name:
            self.known.pop(f"{name}[@]", None)

    def _keep(self, redirects: tuple, said: str, feeds: tuple) -> None:
        """Remember what was written into files."""
        for operator, target in redirects:
            if ">" not in operator or "&" in operator or not target or UNKNOWN in target:
                continue
            earlier = self.files.get(target, ("", ()))[0] if ">>" in operator else ""
            self.files[target] = (earlier + said, feeds + self._last_words())

    def _merge(self, other: dict[str, str], cwds: tuple[str, ...]) -> None:
        """Keep what this way and another one leave alike."""
        self._merge_known(other)
        self.cwds = self._either(cwds, self.cwds)

    def _merge_known(self, other: dict[str, str]) -> None:
        known = self.known
        if known == other:
            return
        for name in {**known, **other}:
            one, two = known.get(name), other.get(name)
            if one != two:
                values = dict.fromkeys((*self.maybe.get(name, ()), one, two))
                kept = [each for each in values if each is not None and each != UNKNOWN]
                if kept:
                    self.maybe[name] = tuple(kept[-_MOST_VALUES:])
                known[name] = UNKNOWN

    def _either(self, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
        if one == other:
            return one
        here = (self.known.get("PWD", ""),)
        both = dict.fromkeys((one or here) + (other or here))
        return tuple(both) if len(both) <= _MOST_CWDS else (UNKNOWN,)

    def _last_words(self) -> tuple:
        return (self.simples[-1].words,) if self.simples else ()

    def _remember(self, simple: Simple) -> None:
        """What later commands know by this one."""
        words = simple.words
        remembering = _REMEMBERING.get(words[0]) if words else None
        if remembering is not None:
            remembering(self, simple)

    def _set_builtin(self, simple: Simple) -> None:
        if simple.words[1:2] == ("--",):
            self.positional = list(simple.words[2:])

    def _read_builtin(self, simple: Simple) -> None:
        names = [each for each in simple.words[1:] if each[:1] != "-" and each.isidentifier()]
        given = simple.stdin.strip()
        if len(names) == 1 and UNKNOWN not in given and "\n" not in given:
            self.known[names[0]] = given or UNKNOWN
            return
        for name in names:
            self.known[name] = UNKNOWN

    def _printf_builtin(self, simple: Simple) -> None:
        words = simple.words
        if words[1:2] == ("-v",) and len(words) > 3:
            self._set(words[2], output_of(Simple(("printf", *words[3:]))))

    def _unset_builtin(self, simple: Simple) -> None:
        for name in simple.words[1:]:
            self.known[name] = ""

    def _exec(self, simple: Simple) -> None:
        """`exec 3<<< text` keeps a text under a number."""
        for word in simple.words[1:]:
            if word[:1] == "{" and word[-1:] == "}":
                self.known[word[1:-1]] = "3"
        if simple.stdin and len(simple.words) < 3:
            for number in range(3, 10):
                self.files[f"/dev/fd/{number}"] = (simple.stdin, simple.feeds)

    def _cd(self, simple: Simple) -> None:
        words = [each for each in simple.words[1:] if each not in ("-P", "-L", "-e", "--", "-n")]
        to = words[0] if words else self.known.get("HOME", UNKNOWN)
        if to == "-" or to[:1] in ("+", "~", "-") or simple.words[0] == "popd" or UNKNOWN in to:
            self.cwds = (UNKNOWN,)
        elif to.startswith("/"):
            self.cwds = (to,)
        else:
            self.cwds = tuple(f"{each}/{to}" for each in self.cwds or (self.known.get("PWD", ""),))


_REMEMBERING = {
    "set": Memory._set_builtin,
    "read": Memory._read_builtin,
    "printf": Memory._printf_builtin,
    "unset": Memory._unset_builtin,
    "exec": Memory._exec,
    "cd": Memory._cd,
    "chdir": Memory._cd,
    "pushd": Memory._cd,
    "popd": Memory._cd,
}
