"""What a command is allowed to do: one judgement with the rule and the reason behind it.

Plain words are judged as they stand; everything else is parsed first. Any rule that denies decides;
an allow needs a rule for every command, well-known grammar and nothing hidden; the rest is asked.
This page is on the hook's fast path: built-in modules only, the parser is imported late.
"""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.matching import fits, parsed
from paige.guard.shell.resolving import Act, Resolver, base_name
from paige.guard.shell.script import UNKNOWN, Script, Simple
from paige.guard.shell.targets import places_of
from paige.guard.shell.words import plain_words

ALLOW, ASK, DENY = "allow", "ask", "deny"
MOST_SIGNS = 10_000
MOST_DEPTH = 32
_MOST_TEXTS = 60
_HIDDEN = frozenset(
    "\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2067\u2068\u2069\ufeff\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
)
_RANK = {ALLOW: 0, ASK: 1, DENY: 2}


class Judgement(Record):
    """A judgement. `commands` are the words of every command that was found."""

    __slots__ = ("decision", "rule", "reason", "commands")
    decision: str
    rule: str
    reason: str
    commands: tuple[tuple[str, ...], ...]
    _defaults = {"commands": ()}


class Judge:
    """Judges one command line by the rules of a book; `steps` say how it came to its judgement."""

    __slots__ = ("book", "clean", "place", "steps", "texts", "why")

    def __init__(self, place: Place, book: dict) -> None:
        self.place = place
        self.book = book
        self.clean = True
        self.why = ""
        self.texts = 0
        self.steps: list[tuple[tuple[str, ...], str, str, str]] = []

    def judge(self, command: str) -> Judgement:
        """The judgement on a command line."""
        refused = _refused(command)
        if refused is not None:
            return refused
        resolver = Resolver(self.book.get("wrappers", {}), self._front)
        for simple in self._front(command):
            resolver.resolve(simple)
        worst = Judgement(ALLOW, "shell.nothing", "It does nothing.")
        for name, value in resolver.assigned:
            worst = _stricter(worst, self._assigned(name, value))
        for act in resolver.acts:
            worst = _stricter(worst, self._act(act))
        if worst.decision == ALLOW and not self.clean:
            worst = Judgement(ASK, "shell.unclear", f"Paige cannot prove what it does: {self.why}.")
        commands = tuple(act.simple.words for act in resolver.acts if act.simple.words)
        return Judgement(worst.decision, worst.rule, worst.reason, commands)

    def _front(self, command: str) -> tuple[Simple, ...]:
        """The commands of a text; what is not clear in it stays so for the whole."""
        self.texts += 1
        if self.texts > _MOST_TEXTS:
            self._unclear("too many commands inside each other")
            return ()
        words = plain_words(command)
        if words is not None:
            return (Simple(tuple(words)),)
        from paige.guard.shell.parsing import parse  # noqa: PLC0415 - most commands need none

        known = {"HOME": self.place.home, "PWD": self.place.cwd, "TMPDIR": "/tmp"}
        script: Script = parse(command, known)
        if not script.clean:
            self._unclear(script.why)
        for name, value in script.set:
            judged = self._assigned(name, value)
            if judged.decision != ALLOW:
                self._unclear(judged.reason)
        return script.simples

    def _unclear(self, why: str) -> None:
        self.clean = False
        self.why = self.why or why

    def _assigned(self, name: str, value: str) -> Judgement:
        """A variable set for a command: some are code."""
        for pattern, decision, reason in self.book.get("variables", ()):
            if name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1])):
                return Judgement(decision, f"shell.variable.{name}", f"`{name}={value}` {reason}")
        return Judgement(ALLOW, "shell.variable", "")

    def _act(self, act: Act) -> Judgement:
        judged = self._judged(act)
        for operator, target in act.simple.redirects:
            judged = _stricter(judged, self._redirect(operator, target))
        self.steps.append((act.simple.words, judged.decision, judged.rule, judged.reason))
        return judged

    def _judged(self, act: Act) -> Judgement:
        words = act.simple.words
        if act.opaque:
            decision = DENY if act.stern else ASK
            return Judgement(decision, "shell.opaque", f"{act.opaque[0].upper()}{act.opaque[1:]}.")
        if not words:
            return Judgement(ALLOW, "shell.redirect", "")
        name = base_name(words[0])
        if UNKNOWN in words[0] or "*" in name or "?" in name:
            return Judgement(ASK, "shell.unknown-name", "Nobody knows which program would run.")
        families = self.book["families"].get(name, ())
        if not families:
            return Judgement(ASK, "shell.unknown", f"Paige has no rule for `{name}`.")
        found: Judgement | None = None
        for family in families:
            found = _stricter_or(found, self._by_family(family, act))
        assert found is not None
        own = "/" in words[0] and not words[0].startswith(self.book.get("bins", ()))
        if found.decision == ALLOW and own:
            return Judgement(ASK, "shell.elsewhere", f"`{words[0]}` is not the usual `{name}`.")
        return found

    def _by_family(self, family: dict, act: Act) -> Judgement:
        call = parsed(act.simple.words, family)
        protected = self.book.get("protected", ())
        found: Judgement | None = None
        allowed: Judgement | None = None
        for rule in family["rules"]:
            if found is not None and _RANK[rule["decision"]] <= _RANK[found.decision]:
                continue
            if not fits(rule, call, self.place, act.simple.stdin, protected):
                continue
            judged = Judgement(rule["decision"], f"{family['name']}.{rule['id']}", rule["reason"])
            if rule["decision"] == ALLOW:
                allowed = allowed or judged
            else:
                found = judged
        if found is not None:
            return found
        if allowed is not None:
            return allowed
        name = family["name"]
        return Judgement(
            family.get("default", ASK), f"{name}.other", f"No rule of `{name}` allows this call."
        )

    def _redirect(self, operator: str, target: str) -> Judgement:
        if ">" not in operator:
            return Judgement(ALLOW, "shell.redirect", "")
        if operator.endswith("&") or target.isdigit() or target == "-":
            return Judgement(ALLOW, "shell.redirect", "")
        where = places_of(target, self.place, self.book.get("protected", ()))
        for name, decision, reason in self.book.get("redirects", ()):
            if name in where:
                return Judgement(decision, f"shell.write.{name}", f"`{target}` {reason}")
        return Judgement(ASK, "shell.write", f"It writes to `{target}`.")


def judge(command: str, place: Place, book: dict) -> Judgement:
    """The judgement on a command by the rules of a book."""
    return Judge(place, book).judge(command)


def _refused(command: str) -> Judgement | None:
    """What is refused or asked before anything is parsed."""
    if not command.strip():
        return Judgement(DENY, "shell.no-command", "There is no command to judge.")
    if len(command) > MOST_SIGNS:
        reason = f"It is longer than {MOST_SIGNS} signs; put it into a file and run that."
        return Judgement(DENY, "shell.too-long", reason)
    depth = deepest = 0
    for sign in command:
        if sign in "({":
            depth += 1
            deepest = max(deepest, depth)
        elif sign in ")}":
            depth = max(0, depth - 1)
    if deepest > MOST_DEPTH:
        return Judgement(DENY, "shell.too-deep", "It is nested too deeply to be judged.")
    if command.isascii():
        odd = any(sign in command for sign in ("\x00", "\r", "\x1b"))
    else:
        odd = "\x00" in command or "\r" in command or not _HIDDEN.isdisjoint(command)
    if odd:
        return Judgement(DENY, "shell.hidden-signs", "It holds signs that nobody can see.")
    return None


def _stricter(one: Judgement, other: Judgement) -> Judgement:
    return other if _RANK[other.decision] > _RANK[one.decision] else one


def _stricter_or(one: Judgement | None, other: Judgement) -> Judgement:
    return other if one is None else _stricter(one, other)
