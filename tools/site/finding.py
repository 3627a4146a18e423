"""What the search of the site knows: the pages and their passages, in one script.

It is a script and not JSON, because a page opened from a folder may load scripts and nothing else.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from tools.site.markdown import Page
from tools.site.places import HOME

# How much a page weighs by where it lies: people look for what to do before why it was decided.
WEIGHTS = {"how-to": 1.3, "tutorial": 1.25, "explanation": 1.0, "reference": 0.8}
WEIGHTS |= {"decisions": 0.6, "changelog.html": 0.4, "roadmap.html": 0.5, "contributing.html": 0.7}
# Pages of measurements have everyday words in their titles, but few look for them.
FIGURES = ("hook-speed", "loop-speed", "scaling-figures", "study-month", "web-speed")
WEIGHTS |= {f"explanation/{name}.html": 0.8 for name in FIGURES}
USUAL = 0.9
SAME_WORDS = Path(__file__).parent / "same-words.txt"


def search_script(pages: Iterable[Page]) -> str:
    """The script that hands everything to the search."""
    listed: list[list[object]] = []
    passages: list[list[object]] = []
    for page in pages:
        if page.source == HOME:  # it only repeats the titles of all others
            continue
        folder = WEIGHTS.get(page.address.partition("/")[0], USUAL)
        weight = WEIGHTS.get(page.address, folder)
        for passage in page.passages:
            anchor = passage.heading.anchor if passage.heading.level > 1 else ""
            title = passage.heading.text if anchor else ""
            passages.append([len(listed), anchor, title, passage.text])
        listed.append([page.address, page.title, weight])
    data = {"pages": listed, "passages": passages, "same": same_words()}
    return f"paigeSearch({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n"


def same_words() -> list[list[str]]:
    """Other words for the same thing, each group once."""
    lines = SAME_WORDS.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and not line.startswith("#")]
