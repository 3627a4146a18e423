"""Whether a command fits a rule. Rules are compiled to plain dicts. Built-in modules only."""

from paige.base.record import Record
from paige.guard.fast.place import Place
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import holds, matches, places_of

_LEAST_ABBREVIATION = 4  # `--fo` may be many things, `--for` is `--force`
_MOST_VERBS = 6
_NO_DASHES = 999
_OFF = ("false", "none", "no", "off", "0")
_INTO = ("-t", "--target-directory")
# A rule that allows any option does not mean these, unless it says that it is `free` with them.
_RISKY = (
    "--exec", "--delete", "--remove", "--edit", "--force", "--fix", "--in-place",
    "--inplace", "--write", "--save", "--apply", "--reset", "--clear", "--clean", "--purge",
    "--upgrade", "--update", "--create", "--set-", "--add-", "--overwrite", "--log-file",
    "--output-file", "--output-dir", "--outfile", "--out-file", "--outdir", "--editor", "--shell",
    "--command", "--unsafe", "--enable", "--disable", "--import", "--rename", "--replace-all",
    "--unset", "--move", "--append", "--destroy", "--kill", "--restart",
    "--plugin", "--eval", "--script", "--program", "--pager", "--cmd", "--run", "--hook",
)  # fmt: skip


class CallWords(Record):
    """The words of a command told apart. `options` are pairs of name and value or nothing."""

    name: str
    options: tuple[tuple[str, str | None], ...]
    operands: tuple[str, ...]
    ended: int
    """How many operands stood before `--`; all of them when there was none."""


def parsed(words: tuple[str, ...], family: dict) -> CallWords:
    """The options and operands of a command by what its family knows of them."""
    options: list[tuple[str, str | None]] = []
    operands: list[str] = []
    values = family.get("values", ())
    sub_values = family.get("sub_values", {})
    clusters = family.get("clusters", True)
    flags = family.get("flags")
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
        if equals and value in _OFF and name.startswith("--dry"):
            continue  # `--dry-run=false` is no trial
        if equals and (word.startswith("--") or not clusters):
            options.append((name, value))
            continue
        if word.startswith("--") or not clusters:
            taken = at < len(words) and (word in values or _takes(word, words[at], flags))
            options.append((word, words[at] if taken else None))
            at += taken
            continue
        at = _cluster(word, words, at, values, options)
    return CallWords(
        words[0].rpartition("/")[2],
        tuple(options),
        tuple(operands),
        ended if ended >= 0 else _NO_DASHES,
    )


def fits(rule: dict, call: CallWords, place: Place, stdin: str, protected: tuple[str, ...]) -> bool:
    """Whether a rule speaks of a call."""
    operands = _after_sub(rule, call)
    if operands is None or not _options_fit(rule, call.options):
        return False
    if not _operands_fit(rule, operands, place, protected):
        return False
    if "targets" in rule and not _lies(rule, call, operands, place, protected):
        return False
    if not _text_fits(rule, call, operands, stdin):
        return False
    if "sql" in rule and not _only_reads(rule["sql"], call, operands, stdin):
        return False
    return rule.get("only") is None or _only(rule, call)


def _after_sub(rule: dict, call: CallWords) -> tuple[str, ...] | None:
    """The operands after the subcommand; nothing when the call is not what the rule is about."""
    operands = call.operands
    if "names" in rule and call.name not in rule["names"]:
        return None
    if "sub" in rule or "sub_words" in rule:
        sub = _sub(rule, operands)
        if sub is None:
            return None
        operands = operands[sub:]
    if "verb" in rule and not _verb(rule["verb"], call.operands):
        return None
    if "noverb" in rule and _verb(rule["noverb"], call.operands):
        return None
    return None if "dashes" in rule and call.ended == _NO_DASHES else operands


def _operands_fit(
    rule: dict, operands: tuple[str, ...], place: Place, protected: tuple[str, ...]
) -> bool:
    least, most = rule.get("operands", (0, 9999))
    if not least <= len(operands) <= most:
        return False
    patterns = rule.get("operand")
    named = operands[-1:] if rule.get("last") else operands
    if patterns and not any(matches(each, one) for each in named for one in patterns):
        return False
    spared = rule.get("unless")
    if spared and operands and all(_spared(each, spared) for each in operands):
        return False
    within = rule.get("within")
    return not within or all(
        where in within for path in operands for where in places_of(path, place, protected)
    )


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


def _takes(word: str, following: str, flags: tuple | frozenset | None) -> bool:
    """Whether an option takes the next word where a family knows only those that do not."""
    return flags is not None and word not in flags and following[:1] != "-"


def _spared(operand: str, patterns: tuple) -> bool:
    """Whether the last part of a path fits one of the patterns."""
    name = operand.rstrip("/").rpartition("/")[2]
    return any(matches(name, each) for each in patterns)


def _sub(rule: dict, operands: tuple[str, ...]) -> int | None:
    """How many words the subcommand has that fits; nothing when none does."""
    if operands and operands[0] in rule.get("sub_words", ()):
        return 1
    for each in rule.get("sub", ()):
        count = len(each)
        if len(operands) >= count and all(
            matches(word, one) for word, one in zip(operands, each, strict=False)
        ):
            return count
    return None


def _verb(verbs: tuple, operands: tuple[str, ...]) -> bool:
    """Whether one of the first operands is a verb: tools put it before or after the thing."""
    words, patterns = verbs
    for each in operands[:_MOST_VERBS]:
        word = each.lower()
        if word in words or any(matches(word, one) for one in patterns):
            return True
    return False


def _options_fit(rule: dict, options: tuple) -> bool:
    some = rule.get("any")
    if some and not any(has(options, each) for each in some):
        return False
    if not all(any(has(options, one) for one in each) for each in rule.get("all", ())):
        return False
    if any(has(options, each) for each in rule.get("none", ())):
        return False
    named = rule.get("option")
    if named and not any(matches(name, each) for name, _ in options for each in named):
        return False
    if "with" in rule and not _given(rule["with"], options):
        return False
    return "without" not in rule or not _given(rule["without"], options)


def _given(pairs: tuple, options: tuple) -> bool:
    """Whether an option has one of the values."""
    return any(
        has(((name, value),), wanted) and matches((value or "").lower(), pattern)
        for name, value in options
        for wanted, pattern in pairs
    )


def _only_reads(program: tuple, call: CallWords, operands: tuple[str, ...], stdin: str) -> bool:
    """Whether the SQL a tool is given only reads: that of its options, else that of an operand."""
    named, at = program
    scripts = [value or "" for name, value in call.options if name in named]
    if not scripts and at >= 0:
        scripts = list(operands[at : at + 1])
    scripts = scripts or ([stdin] if stdin else [])
    from paige.guard.shell.sql import sql_is_plain  # noqa: PLC0415 - few rules ask

    return bool(scripts) and all(sql_is_plain(each) for each in scripts)


def _text_fits(rule: dict, call: CallWords, operands: tuple[str, ...], stdin: str) -> bool:
    texts, without = rule.get("text"), rule.get("notext")
    if not texts and not without:
        return True
    said = " ".join((*operands, *(value or "" for _, value in call.options), stdin)).lower()
    if texts and not any(says(said, each) for each in texts):
        return False
    return not (without and any(says(said, each) for each in without))


def _lies(
    rule: dict, call: CallWords, operands: tuple[str, ...], place: Place, protected: tuple[str, ...]
) -> bool:
    named = rule.get("target_options")
    paths = list(operands[rule.get("skip", 0) :])
    if named:
        paths = [value for name, value in call.options if name in named and value]
    elif rule.get("last"):
        paths = paths[-1:]
    elif rule.get("sources") and not any(name in _INTO for name, _ in call.options):
        paths = paths[:-1]
    if rule.get("anywhere"):
        # What an option takes may be a file as well, where options are not known one by one.
        paths += [value for _, value in call.options if value and "/" in value]
    if rule.get("known"):
        paths = [path for path in paths if UNKNOWN not in path]
    wanted = rule["targets"]
    if "holding" in wanted and any(holds(path, place, protected) for path in paths):
        return True
    return any(where in wanted for path in paths for where in places_of(path, place, protected))


def says(said: str, wanted: str) -> bool:
    """Whether a text holds the words of another in their order, each a word of its own."""
    at = 0
    for word in wanted.split():
        at = _found(said, word, at)
        if at < 0:
            return False
    return True


def _found(said: str, word: str, at: int) -> int:
    """Where a word ends in a text; it may stand in a longer one only by signs."""
    while True:
        at = said.find(word, at)
        if at < 0:
            return -1
        end = at + len(word)
        before = word[0].isalnum() and at > 0 and _in_word(said[at - 1])
        after = word[-1].isalnum() and end < len(said) and _in_word(said[end])
        if not before and not after:
            return end
        at += 1


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def _only(rule: dict, call: CallWords) -> bool:
    """Whether nothing but what a rule names is there; unknown words might be anything."""
    allowed = rule["only"]
    unknown = rule.get("unknown", False)
    for name, value in call.options:
        if not unknown and (UNKNOWN in name or UNKNOWN in (value or "")):
            return False
        if allowed == "*":
            if name.startswith(_RISKY) and not rule.get("free"):
                return False
        elif name not in allowed:
            return False
    if unknown:
        return True
    # After `--` an unknown word is no option.
    return not any(UNKNOWN in each for each in call.operands[: call.ended])
