"""What editors, formatters and people do to a worksheet, as functions of its text.

Each takes the lines of a filled-in worksheet and a source of chance, and gives lines back. None of
them changes what the learner answered, unless it is listed in `LOSSY`: then the answer may be gone
or unclear, and a message must say so.
"""

import random
import re
import textwrap
from collections.abc import Callable

Damage = Callable[[list[str], random.Random], list[str]]

_ITEM = re.compile(r"^(\d+)\. ")
_SIMPLE = re.compile(r"^(\d+\. [^:]*: )([^_\"|]+)$")


def _body(lines: list[str]) -> range:
    """The lines between header and key."""
    end = next((i for i, line in enumerate(lines) if "ANSWER_KEY" in line), len(lines))
    start = next((i for i, line in enumerate(lines) if line.startswith("## ")), 0)
    return range(start, end)


def _items(lines: list[str]) -> list[int]:
    return [i for i in _body(lines) if _ITEM.match(lines[i])]


def _each_item(lines: list[str], change: Callable[[str], str]) -> list[str]:
    items = set(_items(lines))
    return [change(line) if i in items else line for i, line in enumerate(lines)]


def tabs_for_spaces(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: line.replace(". ", ".\t", 1))


def trailing_spaces(lines: list[str], chance: random.Random) -> list[str]:
    return [line + " " * chance.randint(0, 4) for line in lines]


def smart_quotes(lines: list[str], chance: random.Random) -> list[str]:
    return [re.sub(r'"([^"]*)"', "\u201c\\1\u201d", line) for line in lines]


def smart_apostrophes(lines: list[str], chance: random.Random) -> list[str]:
    return [re.sub(r"(\w)'(\w)", "\\1\u2019\\2", line) for line in lines]


def brackets_for_dots(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: _ITEM.sub(r"\1) ", line))


def indented_lists(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: "  " + line)


def bold_numbers(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: _ITEM.sub(r"**\1.** ", line))


def bullets_for_numbers(lines: list[str], chance: random.Random) -> list[str]:
    mark = chance.choice("-*+")
    return _each_item(lines, lambda line: _ITEM.sub(f"{mark} ", line))


def all_numbered_one(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: _ITEM.sub("1. ", line))


def bold_answers(lines: list[str], chance: random.Random) -> list[str]:
    mark = chance.choice(["**", "*", "`", "_", "__", '"'])
    return _each_item(lines, lambda line: _SIMPLE.sub(rf"\1{mark}\2{mark}", line))


def answer_after_the_blank(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: _SIMPLE.sub(r"\1___ \2", line))


def answer_between_underscores(lines: list[str], chance: random.Random) -> list[str]:
    return _each_item(lines, lambda line: _SIMPLE.sub(r"\1___\2___", line))


def answer_on_the_next_line(lines: list[str], chance: random.Random) -> list[str]:
    blank = chance.choice(["", "___"])
    lead = chance.choice(["", "   ", "   - ", "> "])
    made: list[str] = []
    for line in _each_item(lines, lambda line: _SIMPLE.sub(rf"\1{blank}\n{lead}\2", line)):
        made.extend(line.split("\n"))
    return made


def answer_below_a_gap(lines: list[str], chance: random.Random) -> list[str]:
    made: list[str] = []
    for line in _each_item(lines, lambda line: _SIMPLE.sub(r"\1___\n\n   \2\n", line)):
        made.extend(line.split("\n"))
    return made


def blank_lines_added(lines: list[str], chance: random.Random) -> list[str]:
    made: list[str] = []
    inside = _body(lines)
    for i, line in enumerate(lines):
        made.append(line)
        if i in inside and not line.startswith("|") and chance.random() < 0.5:
            made.append("")
    return made


def blank_lines_removed(lines: list[str], chance: random.Random) -> list[str]:
    inside = _body(lines)
    return [line for i, line in enumerate(lines) if line.strip() or i not in inside]


def notes_added(lines: list[str], chance: random.Random) -> list[str]:
    if not (there := _items(lines)):
        return lines
    at = chance.choice(there)
    note = chance.choice(
        ["(I am not sure about this one)", "Note: ask the teacher", "<!-- look this up -->"]
    )
    return [*lines[: at + 1], note, *lines[at + 1 :]]


def paragraph_note(lines: list[str], chance: random.Random) -> list[str]:
    if not (there := _items(lines)):
        return lines
    at = chance.choice(there)
    return [*lines[: at + 1], "", "Note to myself: revise this tomorrow.", "", *lines[at + 1 :]]


def line_doubled(lines: list[str], chance: random.Random) -> list[str]:
    if not (there := _items(lines)):
        return lines
    at = chance.choice(there)
    return [*lines[: at + 1], lines[at], *lines[at + 1 :]]


def template_line_pasted_back(lines: list[str], chance: random.Random) -> list[str]:
    simple = [i for i in _items(lines) if _SIMPLE.match(lines[i])]
    if not (there := simple):
        return lines
    at = chance.choice(there)
    return [*lines[:at], _SIMPLE.sub(r"\1___", lines[at]), *lines[at:]]


def lines_moved(lines: list[str], chance: random.Random) -> list[str]:
    items = [i for i in _items(lines) if i + 1 in _items(lines)]
    if not (there := items):
        return lines
    at = chance.choice(there)
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def lines_wrapped(lines: list[str], chance: random.Random) -> list[str]:
    width = chance.choice([48, 60, 72])
    items = set(_items(lines))
    made: list[str] = []
    for i, line in enumerate(lines):
        if i in items and len(line) > width:
            made.extend(textwrap.wrap(line, width, subsequent_indent="   "))
        else:
            made.append(line)
    return made


def table_widened(lines: list[str], chance: random.Random) -> list[str]:
    def wide(line: str) -> str:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if set("".join(cells)) <= set("-: "):
            return "| " + " | ".join("-" * 24 for _ in cells) + " |"
        return "| " + " | ".join(cell.ljust(24) for cell in cells) + " |"

    return [wide(line) if line.startswith("|") else line for line in lines]


def table_without_outer_pipes(lines: list[str], chance: random.Random) -> list[str]:
    return [line.strip("|").strip() if line.startswith("|") else line for line in lines]


def table_with_extra_column(lines: list[str], chance: random.Random) -> list[str]:
    def more(line: str) -> str:
        return line + ("---|" if set(line) <= set("|-: ") else "   |")

    return [more(line) if line.startswith("|") else line for line in lines]


def table_escaped(lines: list[str], chance: random.Random) -> list[str]:
    return [re.sub(r"^\| (\d)\. ", r"| \1\\. ", line) for line in lines]


def letters_decorated(lines: list[str], chance: random.Random) -> list[str]:
    shape = chance.choice(["{}.", "({})", "**{}**", "{})", "`{}`"])
    return [
        re.sub(r"\| ([A-Z]) \|", lambda found: f"| {shape.format(found[1])} |", line)
        for line in lines
    ]


def letters_small(lines: list[str], chance: random.Random) -> list[str]:
    return [re.sub(r"\| ([A-Z]) \|", lambda f: f"| {f[1].lower()} |", line) for line in lines]


def titles_changed(lines: list[str], chance: random.Random) -> list[str]:
    change = chance.choice(
        [
            lambda t: t.replace("## ", "### "),
            lambda t: t.replace("Section", "section"),
            lambda t: t + " (done)",
            lambda t: t.replace(":", " -", 1),
            lambda t: t.replace("## ", "##"),
        ]
    )
    return [change(line) if line.startswith("## ") else line for line in lines]


def rules_changed(lines: list[str], chance: random.Random) -> list[str]:
    rule = chance.choice(["***", "- - -", "\u2014", "________", ""])
    return [rule if line == "---" else line for line in lines]


def underscores_escaped(lines: list[str], chance: random.Random) -> list[str]:
    inside = _body(lines)
    return [
        line.replace("___", "\\_\\_\\_") if i in inside else line for i, line in enumerate(lines)
    ]


def key_block_reordered(lines: list[str], chance: random.Random) -> list[str]:
    at = [i for i, line in enumerate(lines) if re.match(r"^\d+\.\d+: ", line)]
    shuffled = [lines[i] for i in at]
    chance.shuffle(shuffled)
    made = list(lines)
    for i, line in zip(at, shuffled, strict=True):
        made[i] = line
    return made


def text_below_the_key(lines: list[str], chance: random.Random) -> list[str]:
    return [*lines, "", "Note: finished at eight."]


def prompt_misspelt(lines: list[str], chance: random.Random) -> list[str]:
    simple = [i for i in _items(lines) if _SIMPLE.match(lines[i])]
    if not (there := simple):
        return lines
    at = chance.choice(there)
    made = list(lines)
    made[at] = re.sub(r"([a-z]{4,})", lambda f: f[1][:-1], made[at], count=1)
    return made


def question_deleted(lines: list[str], chance: random.Random) -> list[str]:
    if not (there := _items(lines)):
        return lines
    at = chance.choice(there)
    return [*lines[:at], *lines[at + 1 :]]


def prompt_deleted(lines: list[str], chance: random.Random) -> list[str]:
    simple = [i for i in _items(lines) if _SIMPLE.match(lines[i])]
    if not (there := simple):
        return lines
    at = chance.choice(there)
    made = list(lines)
    made[at] = re.sub(r"^(\d+\. ).*: ", r"\1", made[at])
    return made


def comments_stripped(lines: list[str], chance: random.Random) -> list[str]:
    return re.sub(r"<!--.*?-->\n?", "", "\n".join(lines), flags=re.DOTALL).split("\n")


def key_removed(lines: list[str], chance: random.Random) -> list[str]:
    at = next((i for i, line in enumerate(lines) if "ANSWER_KEY" in line), len(lines))
    return lines[:at]


SAFE: tuple[Damage, ...] = (
    tabs_for_spaces,
    trailing_spaces,
    smart_quotes,
    smart_apostrophes,
    brackets_for_dots,
    indented_lists,
    bold_numbers,
    bullets_for_numbers,
    all_numbered_one,
    bold_answers,
    answer_after_the_blank,
    answer_between_underscores,
    answer_on_the_next_line,
    answer_below_a_gap,
    blank_lines_added,
    blank_lines_removed,
    notes_added,
    paragraph_note,
    line_doubled,
    template_line_pasted_back,
    lines_moved,
    lines_wrapped,
    table_widened,
    table_without_outer_pipes,
    table_with_extra_column,
    table_escaped,
    letters_decorated,
    letters_small,
    titles_changed,
    rules_changed,
    underscores_escaped,
    key_block_reordered,
    text_below_the_key,
    prompt_misspelt,
    prompt_deleted,
)
LOSSY: tuple[Damage, ...] = (question_deleted,)
KEY_LOST: tuple[Damage, ...] = (comments_stripped, key_removed)


def line_ends(text: str, chance: random.Random) -> str:
    """Another system's line ends, and perhaps a mark at the start."""
    ended = text.replace("\n", chance.choice(["\n", "\r\n", "\r"]))
    return chance.choice(["", "\ufeff"]) + ended
