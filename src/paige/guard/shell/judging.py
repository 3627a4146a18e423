"""What a command is allowed to do: one judgement with the rule and the reason behind it.

Plain words are judged as they stand; everything else is parsed first. Any rule that denies decides;
an allow needs a rule for every command, well-known grammar and nothing hidden; the rest is asked.
This page is on the hook's fast path: built-in modules only, the parser is imported late.
"""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.flows import leaking, sent
from paige.guard.shell.limits import MOST_SIGNS, refusal, shortened
from paige.guard.shell.matching import fits, parsed
from paige.guard.shell.resolving import SHELLS, Act, Resolver, base_name, plain_name
from paige.guard.shell.script import UNKNOWN, Simple
from paige.guard.shell.targets import matches, places_of
from paige.guard.shell.words import plain_words

ALLOW, ASK, DENY = "allow", "ask", "deny"
_MOST_TEXTS = 60
_LONGEST_NAME = 60
_RANK = {ALLOW: 0, ASK: 1, DENY: 2}
_DUMPING = frozenset(("env", "printenv", "set", "export", "history"))
# A pager or an editor that does nothing of its own is no code.
_QUIET_VALUES = frozenset(("", "cat", "less", "more", "true", ":", "0", "1", "/bin/cat", "false"))
# Rules that ask because a secret would be shown.
_SECRET_RULES = (".secrets", ".passwords", ".keys")
_DESTROYING_CALLS = (
    ".delete", ".destroy", ".remove", ".drop", ".cancel", ".purge", ".deleteMany", ".delete_many",
    ".deleteOne", ".delete_one", ".destroy_all", ".delete_all", ".truncate", ".dropDatabase",
    ".drop_all", ".remove_all", ".terminate", ".del", ".deleteAll", ".flushall", ".flushdb",
)  # fmt: skip


class Judgement(Record):
    """A judgement. `commands` are the words of every command that was found."""

    __slots__ = ("decision", "rule", "reason", "commands")
    decision: str
    rule: str
    reason: str
    commands: tuple[tuple[str, ...], ...]
    _defaults = {"commands": ()}


class Judge:
    """Judges one command line by the rules of a book.

    `steps` say how it came to its judgement (words, decision, rule, reason), `scripts` what was
    read (text, whether all of it is well-known grammar, why not), `acts` what would run at last.
    """

    __slots__ = ("acts", "book", "clean", "known", "place", "refused", "resolver", "scripts",
                 "steps", "texts", "why")  # fmt: skip

    def __init__(self, place: Place, book: dict) -> None:
        self.place = place
        self.book = book
        self.clean = True
        self.why = ""
        self.refused = ""
        self.texts = 0
        self.known: dict[str, str] = {}
        self.acts: list[Act] = []
        self.steps: list[tuple[tuple[str, ...], str, str, str]] = []
        self.scripts: list[tuple[str, bool, str]] = []
        self.resolver = Resolver(book, self._front, place)

    def judge(self, command: str) -> Judgement:
        """The judgement on a command line."""
        refused = refusal(command)
        if refused is not None:
            return Judgement(*refused)
        if len(command) > MOST_SIGNS:
            self._unclear(f"it is longer than {MOST_SIGNS} signs")
            command = shortened(command)
        if _calls_destroying(command):
            self.refused = "A call of a program's own language that deletes something."
        try:
            for simple in self._front(command):
                self.resolver.resolve(simple)
        except RecursionError:
            return Judgement(DENY, "shell.too-deep", "It is nested too deeply to be judged.")
        worst = self._worst()
        commands = tuple(act.simple.words for act in self.acts if act.simple.words)
        return Judgement(worst.decision, worst.rule, worst.reason, commands)

    def _worst(self) -> Judgement:
        """The strictest of what is said of everything that was found."""
        worst = _NOTHING
        self.acts = self.resolver.acts
        for act in self.acts:
            judged = self._act(act)
            worst = judged if worst is _NOTHING else _stricter(worst, judged)
        for name, value in self.resolver.assigned:
            worst = _stricter(worst, self._assigned(name, value))
        if worst.decision != DENY:
            worst = _stricter(worst, self._leak())
        if self.refused:
            return Judgement(DENY, "shell.refused", self.refused)
        if worst.decision == ALLOW and not self.clean:
            return Judgement(ASK, "shell.unclear", f"Paige cannot prove what it does: {self.why}.")
        return worst

    def _front(
        self, command: str, around: Simple | None = None, positional: list[str] | None = None
    ) -> tuple[Simple, ...]:
        """The commands of a text; what is not clear in it stays so for the whole."""
        self.texts += 1
        if self.texts > _MOST_TEXTS:
            self._unclear("too many commands inside each other")
            return ()
        if UNKNOWN in command:
            self._unclear("a text for a shell that nobody knows to its end")
        words = plain_words(command)
        if words is not None:
            self.scripts.append((command, True, ""))
            return (Simple(tuple(words), cwds=around.cwds if around is not None else ()),)
        if around is not None and refusal(command.replace(UNKNOWN, "x")) is not None:
            self._unclear("a text inside that cannot be judged")
            return ()
        return self._parsed(command, around, positional)

    def _parsed(
        self, command: str, around: Simple | None, positional: list[str] | None
    ) -> tuple[Simple, ...]:
        from paige.guard.shell.parsing import parse  # noqa: PLC0415 - most commands need none

        place = self.place
        known = {"HOME": place.home, "PWD": place.cwd, "TMPDIR": "/tmp", "IFS": " \t\n"}
        known.update(self.known)
        if around is not None:
            known.update(around.assigns)
        cwds = around.cwds if around is not None else ()
        positional = [] if around is None else positional
        script, files = parse(command, known, cwds, positional, 1000 * self.texts)
        self.scripts.append((command, script.clean, script.why))
        if not script.clean:
            self._unclear(script.why)
        self.refused = self.refused or script.refused
        for path, held in files.items():
            self.resolver.files[path] = self.resolver.files[self._full(path)] = held
        for name, value in script.set:
            self.known[name] = value if self.known.get(name, value) == value else UNKNOWN
            judged = self._assigned(name, value)
            if judged.decision != ALLOW:
                self._unclear(judged.reason)
        return script.simples

    def _full(self, path: str) -> str:
        return self.resolver.path(path, _EMPTY)

    def _unclear(self, why: str) -> None:
        self.clean = False
        self.why = self.why or why.rstrip(".")

    def _assigned(self, name: str, value: str) -> Judgement:
        """A variable set for a command: some are code."""
        if value.startswith("() {") or (
            base_name(value.partition(" ")[0]) in SHELLS and " " in value
        ):
            return Judgement(ASK, "shell.variable", f"`{name}` holds a command.")
        for pattern, decision, reason in self.book.get("variables", ()):
            if name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1])):
                if decision == ASK and value in _QUIET_VALUES and name not in ("PATH", "IFS"):
                    break
                return Judgement(decision, f"shell.variable.{name}", f"`{name}={value}` {reason}")
        return _QUIET

    def _act(self, act: Act) -> Judgement:
        judged: Judgement | None = None
        for place in self._places(act.simple):
            said = self._judged(act, place)
            for operator, target in act.simple.redirects:
                said = _stricter(said, self._redirect(operator, target, place))
            judged = said if judged is None else _stricter(judged, said)
        assert judged is not None
        self.steps.append((act.simple.words, judged.decision, judged.rule, judged.reason))
        return judged

    def _places(self, simple: Simple) -> tuple[Place, ...]:
        """The places a command may run in."""
        place = self.place
        if not simple.cwds:
            return (place,)
        return tuple(
            Place(cwd, place.root, place.home, place.data, place.own) for cwd in simple.cwds
        )

    def _judged(self, act: Act, place: Place) -> Judgement:
        words = act.simple.words
        if act.opaque:
            why = f"{act.opaque[0].upper()}{act.opaque[1:]}."
            said = Judgement(DENY if act.stern else ASK, "shell.opaque", why)
            return _stricter(said, self._named(act, place)) if words and words[0] else said
        if not words:
            return _REDIRECTED
        if not words[0]:
            return _UNKNOWN_NAME
        if act.proven:
            said = Judgement(ALLOW, "shell.proven", f"{act.proven[0].upper()}{act.proven[1:]}.")
            ruled = self._named(act, place)
            return said if ruled.decision == ASK else ruled
        return self._named(act, place)

    def _named(self, act: Act, place: Place) -> Judgement:
        """What the rules of a program's families say."""
        words = act.simple.words
        name = base_name(words[0])
        if UNKNOWN in words[0]:
            return _UNKNOWN_NAME
        if any(word.startswith(("/dev/tcp/", "/dev/udp/")) for word in words):
            return Judgement(DENY, "shell.socket", "It opens a line to another machine.")
        if "*" in name or "?" in name or ("[" in name and len(name) > 2):
            return self._globbed(act, name, place)
        families = self.book["families"].get(name) or self.book["families"].get(plain_name(name))
        if not families:
            return Judgement(ASK, "shell.unknown", f"Paige has no rule for `{name}`.")
        found: Judgement | None = None
        for family in families:
            ruled = self._by_family(family, act, place)
            found = ruled if found is None else _stricter(found, ruled)
        assert found is not None
        own = "/" in words[0] and not words[0].startswith(self.book.get("bins", ()))
        if found.decision == ALLOW and own:
            return Judgement(ASK, "shell.elsewhere", f"`{words[0]}` is not the usual `{name}`.")
        return found

    def _globbed(self, act: Act, name: str, place: Place) -> Judgement:
        """A name with a pattern: whatever fits it may run, so the strictest counts."""
        for each in self.book["families"] if len(name) < _LONGEST_NAME else ():
            if _may_be(each, name):
                simple = act.simple.saying((each, *act.simple.words[1:]))
                judged = self._named(Act(simple, act.via), place)
                if judged.decision == DENY:
                    return judged
        return _UNKNOWN_NAME

    def _by_family(self, family: dict, act: Act, place: Place) -> Judgement:
        call = parsed(act.simple.words, family)
        protected = self.book.get("protected", ())
        found: dict | None = None
        allowed: dict | None = None
        for rule in family["rules"]:
            decision = rule["decision"]
            if found is not None and _RANK[decision] <= _RANK[found["decision"]]:
                continue
            if not fits(rule, call, place, act.simple.stdin, protected):
                continue
            if decision == ALLOW:
                allowed = allowed or rule
            else:
                found = rule
        rule = found or allowed
        name = family["name"]
        if rule is not None:
            return Judgement(rule["decision"], f"{name}.{rule['id']}", rule["reason"])
        return Judgement(
            family.get("default", ASK), f"{name}.other", f"No rule of `{name}` allows this call."
        )

    def _redirect(self, operator: str, target: str, place: Place) -> Judgement:
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            return Judgement(DENY, "shell.socket", f"`{target}` is a line to another machine.")
        if target.rstrip("-").isdigit() or target == "-":
            return _REDIRECTED
        where = places_of(target, place, self.book.get("protected", ()))
        if ">" not in operator:
            if operator == "<" and ("secret" in where or "dotenv" in where):
                return Judgement(DENY, "shell.read.secret", f"`{target}` holds keys or passwords.")
            return _REDIRECTED
        for name, decision, reason in self.book.get("redirects", ()):
            if name in where:
                return Judgement(decision, f"shell.write.{name}", f"`{target}` {reason}")
        return Judgement(ASK, "shell.write", f"It writes to `{target}`.")

    def _leak(self) -> Judgement:
        """A secret or the whole environment that one of the commands sends away."""
        flows = self.book.get("flows", {})
        secret = leaking(self.acts, self.place, flows)
        if not secret and any(_dumps(act.simple, flows.get("senders", ())) for act in self.acts):
            secret = "the environment"
        if not secret and any(step[2].endswith(_SECRET_RULES) for step in self.steps):
            secret = sent(self.acts, flows)
        if not secret:
            return _NOTHING
        reason = f"`{secret}` holds keys or passwords, and it would be sent to another machine."
        return Judgement(DENY, "shell.leak", reason)


def judge(command: str, place: Place, book: dict) -> Judgement:
    """The judgement on a command by the rules of a book."""
    return Judge(place, book).judge(command)


def _calls_destroying(command: str) -> bool:
    """Whether a call of a library that deletes something is typed as if it were a command."""
    called = command.strip().partition(" ")[0]
    if "(" not in called:
        return command.partition("(")[0].strip().endswith(_DESTROYING_CALLS)
    return any(f"{each}(" in called for each in _DESTROYING_CALLS)


def _dumps(simple: Simple, senders: dict | tuple) -> bool:
    """Whether a program that sends is given all variables."""
    if not simple.words or base_name(simple.words[0]) not in senders:
        return False
    return any(len(feed) == 1 and feed[0] in _DUMPING for feed in simple.feeds)


def _may_be(name: str, pattern: str) -> bool:
    """Whether a name fits a pattern of the shell; `?` and `[…]` are taken for anything."""
    loose = ""
    inside = False
    for sign in pattern:
        if sign == "[":
            inside = True
        elif sign == "]" and inside:
            inside = False
            loose += "*"
        elif not inside:
            loose += "*" if sign == "?" else sign
    plain = loose.replace("*", "")
    return bool(plain) and matches(name, loose) and len(name) <= len(pattern) + 6


def _stricter(one: Judgement, other: Judgement) -> Judgement:
    return other if _RANK[other.decision] > _RANK[one.decision] else one


_EMPTY = Simple(())
_NOTHING = Judgement(ALLOW, "shell.nothing", "It does nothing.")
_QUIET = Judgement(ALLOW, "shell.variable", "")
_REDIRECTED = Judgement(ALLOW, "shell.redirect", "")
_UNKNOWN_NAME = Judgement(ASK, "shell.unknown-name", "Nobody knows which program would run.")
