"""Whether a command fits a rule. Rules are compiled to plain dicts. Built-in modules only."""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import matches, places_of

_LEAST_ABBREVIATION = 4  # `--fo` may be many things, `--for` is `--force`


class Parsed(Record):
    """The words of a command told apart. `options` are pairs of name and value or nothing."""

    __slots__ = ("name", "options", "operands", "ended")
    name: str
    options: tuple[tuple[str, str | None], ...]
    operands: tuple[str, ...]
    ended: int
    """How many operands stood before `--`; all of them when there was none."""


def parsed(words: tuple[str, ...], family: dict) -> Parsed:
    """The options and operands of a command by what its family knows of them."""
    options: list[tuple[str, str | None]] = []
    operands: list[str] = []
    values = family.get("values", ())
    sub_values = family.get("sub_values", {})
    clusters = family.get("clusters", True)
    ended = -1
    at = 1
    while at < len(words):
        word = words[at]
        at += 1
        if ended >= 0 or len(word) < 2 or word[0] != "-":
            if not operands and word in sub_values:
                values = (*values, *sub_values[word])
            operands.append(word)
            continue
        if word == "--":
            ended = len(operands)
            continue
        name, equals, value = word.partition("=")
        if equals and (word.startswith("--") or not clusters):
            options.append((name, value))
            continue
        if word.startswith("--") or not clusters:
            taken = word in values and at < len(words)
            options.append((word, words[at] if taken else None))
            at += taken
            continue
        at = _cluster(word, words, at, values, options)
    return Parsed(
        words[0].rpartition("/")[2], tuple(options), tuple(operands), ended if ended >= 0 else 999
    )


def fits(rule: dict, call: Parsed, place: Place, stdin: str, protected: tuple[str, ...]) -> bool:
    """Whether a rule speaks of a call."""
    operands = call.operands
    subs = rule.get("sub")
    if subs:
        sub = _sub(subs, operands)
        if sub is None:
            return False
        operands = operands[sub:]
    if not _options_fit(rule, call.options):
        return False
    least, most = rule.get("operands", (0, 9999))
    if not least <= len(operands) <= most:
        return False
    patterns = rule.get("operand")
    if patterns and not any(matches(each, one) for each in operands for one in patterns):
        return False
    wanted = rule.get("targets")
    if wanted and not _lies(rule, call, operands, place, protected):
        return False
    texts = rule.get("text")
    if texts:
        said = " ".join((*operands, *(value or "" for _, value in call.options), stdin)).lower()
        if not any(_says(said, each) for each in texts):
            return False
    if rule.get("only") is not None:
        return _only(rule, call)
    return True


def has(options: tuple, wanted: str) -> bool:
    """Whether an option is there; a long one may be shortened."""
    for name, _ in options:
        if name == wanted:
            return True
        if len(name) >= _LEAST_ABBREVIATION and name.startswith("--") and wanted.startswith(name):
            return True
        if UNKNOWN in name and wanted.startswith(name.partition(UNKNOWN)[0]):
            return True
    return False


def _cluster(
    word: str, words: tuple[str, ...], at: int, values: tuple[str, ...], options: list
) -> int:
    """Take in short options that stand in one word; where to go on."""
    for place, sign in enumerate(word[1:], start=1):
        name = f"-{sign}"
        if name in values:
            rest = word[place + 1 :]
            if rest:
                options.append((name, rest))
                return at
            options.append((name, words[at] if at < len(words) else None))
            return at + 1
        options.append((name, None))
    return at


def _sub(subs: tuple, operands: tuple[str, ...]) -> int | None:
    """How many words the subcommand has that fits; nothing when none does."""
    for each in subs:
        count = len(each)
        if len(operands) >= count and all(
            matches(word, one) for word, one in zip(operands, each, strict=False)
        ):
            return count
    return None


def _options_fit(rule: dict, options: tuple) -> bool:
    some = rule.get("any")
    if some and not any(has(options, each) for each in some):
        return False
    if not all(has(options, each) for each in rule.get("all", ())):
        return False
    return not any(has(options, each) for each in rule.get("none", ()))


def _lies(
    rule: dict, call: Parsed, operands: tuple[str, ...], place: Place, protected: tuple[str, ...]
) -> bool:
    named = rule.get("target_options")
    paths = list(operands)
    if named:
        paths = [value for name, value in call.options if name in named and value]
    elif rule.get("last"):
        paths = paths[-1:]
    wanted = rule["targets"]
    return any(where in wanted for path in paths for where in places_of(path, place, protected))


def _says(said: str, wanted: str) -> bool:
    """Whether a text holds the words of another in their order, each a word of its own."""
    at = 0
    for word in wanted.split():
        at = said.find(word, at)
        if at < 0:
            return False
        at += len(word)
    return True


def _only(rule: dict, call: Parsed) -> bool:
    """Whether nothing but what a rule names is there; unknown words might be anything."""
    allowed = rule["only"]
    unknown = rule.get("unknown", False)
    for name, value in call.options:
        if not unknown and (UNKNOWN in name or UNKNOWN in (value or "")):
            return False
        if allowed != "*" and name not in allowed:
            return False
    if unknown:
        return True
    # After `--` an unknown word is no option.
    return not any(UNKNOWN in each for each in call.operands[: call.ended])
