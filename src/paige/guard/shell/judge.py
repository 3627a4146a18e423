"""What a command is allowed to do: one judgement with the rule and the reason behind it.

Plain words are judged as they stand; everything else is parsed first. Any rule that denies decides,
then any that asks. An allow needs a proof for every command, well-known grammar and nothing hidden;
of the rest Paige has no opinion, and the host decides.
This page is on the hook's fast path: built-in modules only, the parser is imported late.
"""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.flows import leaking, sent
from paige.guard.shell.matcher import fits, parsed
from paige.guard.shell.prefilter import MOST_SIGNS, plain_words, refusal, shortened
from paige.guard.shell.proof import (
    KnownCall,
    is_own,
    is_proven,
    known_call,
    own_program,
    tells_of_itself,
)
from paige.guard.shell.resolver import SHELLS, Act, Resolver, base_name, plain_name
from paige.guard.shell.script import UNKNOWN, Simple
from paige.guard.shell.tampering import tampered
from paige.guard.shell.targets import matches, places_of

ALLOW, PASS, ASK, DENY = "allow", "pass", "ask", "deny"
_MOST_TEXTS = 60
_LONGEST_NAME = 60
_OTHER = ".other"  # no rule spoke
_RANK = {ALLOW: 0, PASS: 1, ASK: 2, DENY: 3}
# Places at which a path in a text for a database is no mere text.
_FILED = ("secret", "secrets", "dotenv", "profile", "protected")
_DUMPING = frozenset(("env", "printenv", "set", "export", "history"))
# A pager or an editor that does nothing of its own is no code.
_QUIET_VALUES = frozenset(("", "cat", "less", "more", "true", ":", "0", "1", "/bin/cat", "false"))
# What a command may be taken out of without anything else being done.
_CLEAR = frozenset((
    "sh", "bash", "dash", "zsh", "eval", "command", "builtin", "time", "timeout", "gtimeout",
    "nice", "nohup", "env", "stdbuf", "uv", "npx", "pnpx", "bunx", "poetry", "bundle", "pnpm",
    "yarn", "python", "!", "{", "(", "find",
))  # fmt: skip
# Rules that ask because a secret would be shown.
_SECRET_RULES = (".secrets", ".passwords", ".keys")
_DESTROYING_CALLS = (
    ".delete", ".destroy", ".remove", ".drop", ".cancel", ".purge", ".deleteMany", ".delete_many",
    ".deleteOne", ".delete_one", ".destroy_all", ".delete_all", ".truncate", ".dropDatabase",
    ".drop_all", ".remove_all", ".terminate", ".del", ".deleteAll", ".flushall", ".flushdb",
)  # fmt: skip


class Judgement(Record):
    """A judgement. `commands` are the words of every command that was found."""

    decision: str
    rule: str
    reason: str
    commands: tuple[tuple[str, ...], ...] = ()


class Judge:
    """Judges one command line by the rules of a book.

    `steps` say how it came to its judgement (words, decision, rule, reason), `scripts` what was
    read (text, whether all of it is well-known grammar, why not), `acts` what would run at last.
    """

    __slots__ = ("acts", "book", "clean", "known", "place", "refused", "resolver", "scripts", "set",
                 "steps", "texts", "why")  # fmt: skip

    def __init__(self, place: Place, book: dict) -> None:
        self.place = place
        self.book = book
        self.clean = True
        self.why = ""
        self.refused = ""
        self.texts = 0
        self.known: dict[str, str] = {}
        self.set: list[Judgement] = []
        self.acts: list[Act] = []
        self.steps: list[tuple[tuple[str, ...], str, str, str]] = []
        self.scripts: list[tuple[str, bool, str]] = []
        self.resolver = Resolver(book, self.front, place)

    def judge(self, command: str) -> Judgement:
        """The judgement on a command line; the stricter one where a project adds rules."""
        said = self._judge(command)
        if said.decision == DENY or "added" not in self.book:
            return said
        other = Judge(self.place, self.book["added"])
        stricter = _stricter(said, other.judge(command))
        if stricter is not said:
            self.steps = other.steps
        return stricter

    def _judge(self, command: str) -> Judgement:
        refused = refusal(command)
        if refused is not None:
            return Judgement(*refused)
        if len(command) > MOST_SIGNS:
            self._unclear(f"it is longer than {MOST_SIGNS} signs")
            command = shortened(command)
        if _calls_destroying(command):
            self.refused = "A call of a program's own language that deletes something."
        try:
            for simple in self.front(command):
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
            worst = _stricter(worst, self._assigned(name, value, exported=True))
        for judged in self.set:
            worst = _stricter(worst, judged)
        if worst.decision != DENY:
            worst = _stricter(worst, self._leak())
        if self.refused:
            return Judgement(DENY, "shell.refused", self.refused)
        if worst.decision != ALLOW:
            return worst
        self._doubted()
        if not self.clean:
            return Judgement(PASS, "shell.unclear", f"Paige cannot prove what it does: {self.why}.")
        return worst

    def _doubted(self) -> None:
        """Look for what speaks against a proof besides the commands themselves."""
        if self.resolver.doubt:
            self._unclear(self.resolver.doubt)
        for path in self.resolver.programs:
            if not path.startswith(self.book.get("bins", ())) and not is_own(path, self.place):
                self._unclear(f"`{path}` is not the usual `{base_name(path)}`")
        for act in self.acts:
            if not act.proven and not _CLEAR.issuperset(act.via):
                self._unclear(f"what `{act.via[-1]}` does")

    def front(
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
        from paige.guard.shell.parser import parse  # noqa: PLC0415 - most commands need none

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
        if script.broken and around is None and len(command) < MOST_SIGNS:
            self.refused = self.refused or "A quote in it never closes, so nobody can read it."
        for path, held in files.items():
            self.resolver.files[path] = self.resolver.files[self.resolver.path(path, _EMPTY)] = held
        for name, value in script.set:
            self.known[name] = value if self.known.get(name, value) == value else UNKNOWN
            self.set.append(self._assigned(name, value, exported=False))
        return script.simples

    def _unclear(self, why: str) -> None:
        self.clean = False
        self.why = self.why or why.rstrip(".")

    def _assigned(self, name: str, value: str, *, exported: bool) -> Judgement:
        """A variable set for a command: some are code, and few are known to change nothing.

        One that is set for the line alone changes nothing unless its name is one of the machine's.
        """
        if value.startswith("() {") or (
            base_name(value.partition(" ")[0]) in SHELLS and " " in value
        ):
            return Judgement(ASK, "shell.variable", f"`{name}` holds a command.")
        for pattern, decision, reason in self.book.get("variables", ()):
            if name == pattern or (pattern.endswith("*") and name.startswith(pattern[:-1])):
                if decision == ASK and value in _QUIET_VALUES and name.endswith("PAGER"):
                    return _QUIET
                if decision == ASK and value in _QUIET_VALUES and name not in ("PATH", "IFS"):
                    break
                return Judgement(decision, f"shell.variable.{name}", f"`{name}={value}` {reason}")
        if not exported and not name.isupper():
            return _QUIET
        return Judgement(PASS, "shell.variable", f"Paige does not know what `{name}` changes.")

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
        return tuple(place.at(cwd) for cwd in simple.cwds)

    def _judged(self, act: Act, place: Place) -> Judgement:
        words = act.simple.words
        if act.opaque:
            why = f"{act.opaque[0].upper()}{act.opaque[1:]}."
            decision = DENY if act.stern else PASS if act.mild else ASK
            said = Judgement(decision, "shell.opaque", why)
            return _stricter(said, self._named(act, place)) if words and words[0] else said
        if not words:
            return _REDIRECTED
        if not words[0]:
            return _UNKNOWN_NAME
        if act.proven:
            said = Judgement(ALLOW, "shell.proven", f"{act.proven[0].upper()}{act.proven[1:]}.")
            ruled = self._named(act, place)
            return ruled if ruled.decision == DENY else said
        return self._named(act, place)

    def _named(self, act: Act, place: Place) -> Judgement:
        """What is said of a program by its name."""
        words = act.simple.words
        name = base_name(words[0])
        if UNKNOWN in words[0]:
            return _UNKNOWN_NAME
        if any(word.startswith(("/dev/tcp/", "/dev/udp/")) for word in words):
            return Judgement(DENY, "shell.socket", "It opens a line to another machine.")
        if "*" in name or "?" in name or ("[" in name and len(name) > 2):
            return self._globbed(act, name, place)
        return self._ruled(act, name, place)

    def _ruled(self, act: Act, name: str, place: Place) -> Judgement:
        """What the rules say of a program; where they do not, whether its call is proven."""
        words = act.simple.words
        protected = self.book.get("protected", ())
        call = known_call(words, self.book.get("harmless", {}))
        touched = tampered(act.simple, call, place, protected)
        if touched:
            return Judgement(DENY, "shell.tampering", _TAMPERING.format(touched))
        families = self.book["families"].get(name) or self.book["families"].get(plain_name(name))
        found = _NO_RULE
        for family in families or ():
            ruled = self._by_family(family, act, place)
            found = ruled if found is _NO_RULE else _stricter(found, ruled)
            if family["name"] == "sql":
                found = _stricter(found, self._literals(act.simple, place))
        if found.decision in (ASK, DENY) and not found.rule.endswith(_OTHER):
            return found
        if "/" in words[0] and not words[0].startswith(self.book.get("bins", ())):
            proven = own_program(words, call, place, protected)
        elif call is not None:
            proven = found.decision == ALLOW or is_proven(call, place, protected)
        else:
            known = self.resolver.knows(plain_name(name)) or self.resolver.knows(name)
            proven = found.decision == ALLOW or (known and tells_of_itself(words))
        if proven:
            return found if found.decision == ALLOW else _HARMLESS
        if found.decision in (ASK, DENY):
            return found
        said = (
            "leads out of the project, or to a secret" if call else "is not known in all its words"
        )
        return Judgement(PASS, found.rule, f"This call of `{name}` {said}.")

    def _literals(self, simple: Simple, place: Place) -> Judgement:
        """Databases read and write files, too: a text of SQL that is a path may be one."""
        said = (*simple.words[1:], simple.stdin)
        texts = [each for word in said for each in word.split("'")[1::2]]
        for each in texts:
            if " " in each or ("/" not in each and each[:1] != "."):
                continue
            where = places_of(each, place, self.book.get("protected", ()))
            for name, decision, reason in (*_reads(self.book), *self.book.get("redirects", ())):
                if name in where and name in _FILED:
                    return Judgement(decision, f"sql.file.{name}", f"`{each}` {reason}")
        return _NOTHING

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
            family.get("default", PASS),
            f"{name}{_OTHER}",
            f"No rule of `{name}` speaks of this call.",
        )

    def _redirect(self, operator: str, target: str, place: Place) -> Judgement:
        if target.startswith(("/dev/tcp/", "/dev/udp/")):
            return Judgement(DENY, "shell.socket", f"`{target}` is a line to another machine.")
        if target.rstrip("-").isdigit() or target == "-":
            return _REDIRECTED
        where = places_of(target, place, self.book.get("protected", ()))
        if ">" not in operator:
            for name, decision, reason, searched in self.book.get("reads", ()):
                if operator == "<" and name in where and not searched:
                    return Judgement(decision, f"shell.read.{name}", f"`{target}` {reason}")
            if operator == "<" and not is_proven(KnownCall((("path", target),), True), place, ()):
                return Judgement(
                    PASS, "shell.read", f"`{target}` lies outside, or nobody knows it."
                )
            return _REDIRECTED
        for name, decision, reason in self.book.get("redirects", ()):
            if name in where:
                return Judgement(decision, f"shell.write.{name}", f"`{target}` {reason}")
        return Judgement(PASS, "shell.write", f"It writes to `{target}`.")

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


def _reads(book: dict) -> tuple[tuple[str, str, str], ...]:
    return tuple(group[:3] for group in book.get("reads", ()) if not group[3])


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
_HARMLESS = Judgement(ALLOW, "shell.harmless", "All of it is known, and it stays here.")
_NO_RULE = Judgement(PASS, "shell.unknown", "")
_QUIET = Judgement(ALLOW, "shell.variable", "")
_REDIRECTED = Judgement(ALLOW, "shell.redirect", "")
_TAMPERING = (
    "`{}` is what Paige or a coding agent's host rests on, and nothing but programs that are known "
    "to read only may be given it. Ask the person to change it."
)
_UNKNOWN_NAME = Judgement(ASK, "shell.unknown-name", "Nobody knows which program would run.")
