"""The month as pictures: SVG files drawn with nothing but text.

Four panels under each other: how likely each due thing truly was remembered when it was asked, how
much of what was learned is in mind on each day, what state the concepts are in, and the minutes of
each session with its kinds of exercise.
"""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from bench.study_learner import Day, Given

WIDTH, LEFT, RIGHT, TOP = 760, 56, 20, 34
PANEL, GAP = 130, 46
INK, FAINT, GRID, PAPER = "#1f2933", "#627384", "#d9dee4", "#ffffff"
TRUE, BELIEVED, PLANNED = "#0b7285", "#c2690c", "#a61e4d"
KINDS = {
    "conversation": "#3b7dd8",
    "worksheet": "#d9822b",
    "code": "#6741d9",
    "long_form": "#b0306a",
    "flashcard": "#2b8a3e",
    "repl": "#1098ad",
    "collaborative": "#8a6d3b",
}
STATES = {
    "mastered": "#2b8a3e",
    "review": "#74b816",
    "relearning": "#d9480f",
    "learning": "#f2c037",
    "new": "#e9ecef",
}


def picture(title: str, days: Sequence[Day], given: Sequence[Given], planned: float) -> str:
    """One learner's month as an SVG text."""
    panels = [
        ("Recall when it was due", list(_reviews(days, given, planned))),
        ("Of what was learned, in mind each evening before studying", list(_known(days, planned))),
        ("Concepts", list(_states(days))),
        ("Minutes of each session, by kind of exercise", list(_minutes(days, given))),
    ]
    height = TOP + len(panels) * (PANEL + GAP) + 30
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{INK}">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        f'<text x="{LEFT}" y="20" font-size="15" font-weight="600">{escape(title)}</text>',
    ]
    for number, (name, shapes) in enumerate(panels):
        top = TOP + number * (PANEL + GAP) + 22
        parts.append(f'<g transform="translate(0 {top})">')
        parts.append(f'<text x="{LEFT}" y="-8" fill="{FAINT}">{escape(name)}</text>')
        parts += shapes
        parts += _days_axis(len(days))
        parts.append("</g>")
    return "\n".join([*parts, "</svg>", ""])


def _x(day: float, count: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * (day + 0.5) / count, 1)


def _y(value: float, low: float, high: float) -> float:
    share = (min(max(value, low), high) - low) / (high - low)
    return round(PANEL * (1 - share), 1)


def _days_axis(count: int) -> Iterator[str]:
    yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{PANEL}" y2="{PANEL}" stroke="{FAINT}"/>'
    for day in range(0, count, 5 if count > 12 else 1):
        yield (
            f'<text x="{_x(day, count)}" y="{PANEL + 15}" text-anchor="middle" fill="{FAINT}">'
            f"{day + 1}</text>"
        )


def _scale(values: Iterable[float], low: float, high: float, form: str) -> Iterator[str]:
    for value in values:
        y = _y(value, low, high)
        yield f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" stroke="{GRID}"/>'
        yield (
            f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end" fill="{FAINT}">'
            f"{format(value, form)}</text>"
        )


def _line(points: Sequence[tuple[float, float]], colour: str) -> str:
    path = " ".join(f"{x},{y}" for x, y in points)
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'


def _plan_line(planned: float, low: float) -> Iterator[str]:
    y = _y(planned, low, 1.0)
    yield (
        f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}" stroke="{PLANNED}" '
        f'stroke-dasharray="6 4"/>'
    )
    yield (
        f'<text x="{WIDTH - RIGHT}" y="{y + 14}" text-anchor="end" fill="{PLANNED}">'
        f"planned {planned:.0%}</text>"
    )


def _reviews(days: Sequence[Day], given: Sequence[Given], planned: float) -> Iterator[str]:
    low = 0.5
    yield from _scale((0.5, 0.75, 1.0), low, 1.0, ".0%")
    yield from _plan_line(planned, low)
    for each in given:
        if each.scheduled:
            fill = TRUE if each.recalled else PAPER
            yield (
                f'<circle cx="{_x(each.day, len(days))}" cy="{_y(each.recall, low, 1.0)}" r="4" '
                f'fill="{fill}" stroke="{TRUE}"><title>{escape(each.concept)}: '
                f"{each.recall:.0%}</title></circle>"
            )
    x = LEFT + 170
    yield f'<circle cx="{x}" cy="-12" r="4" fill="{TRUE}" stroke="{TRUE}"/>'
    yield f'<text x="{x + 8}" y="-8" fill="{FAINT}">remembered</text>'
    yield f'<circle cx="{x + 96}" cy="-12" r="4" fill="{PAPER}" stroke="{TRUE}"/>'
    yield f'<text x="{x + 104}" y="-8" fill="{FAINT}">forgotten</text>'


def _known(days: Sequence[Day], planned: float) -> Iterator[str]:
    low = 0.5
    yield from _scale((0.5, 0.75, 1.0), low, 1.0, ".0%")
    yield from _plan_line(planned, low)
    for name, colour, x in (("truth", TRUE, 400), ("believed", BELIEVED, 480)):
        points = [
            (_x(day.day, len(days)), _y(sum(found.values()) / len(found), low, 1.0))
            for day in days
            if (found := getattr(day, name))
        ]
        yield _line(points, colour)
        said = "true" if name == "truth" else "as Paige believes"
        yield f'<text x="{LEFT + x}" y="-8" fill="{colour}">{said}</text>'


def _states(days: Sequence[Day]) -> Iterator[str]:
    most = max(len(day.statuses) for day in days)
    yield from _scale((0, most), 0, most, ".0f")
    width = (WIDTH - LEFT - RIGHT) / len(days)
    for day in days:
        done = 0
        for state, colour in STATES.items():
            count = sum(each == state for each in day.statuses.values())
            if count:
                x, y = _x(day.day, len(days)) - width / 2, _y(done + count, 0, most)
                height = round(PANEL * count / most, 1)
                yield (
                    f'<rect x="{x:.1f}" y="{y}" width="{width - 1:.1f}" height="{height}" '
                    f'fill="{colour}"/>'
                )
                done += count
    for number, (state, colour) in enumerate(STATES.items()):
        yield from _key(LEFT + 90 + number * 110, state, colour)


def _minutes(days: Sequence[Day], given: Sequence[Given]) -> Iterator[str]:
    limit = max(day.planned_minutes for day in days)
    most = limit * 1.2
    yield from _scale((0, limit), 0, most, ".0f")
    width = (WIDTH - LEFT - RIGHT) / len(days) * 0.7
    used = dict.fromkeys(each.modality for each in given)
    for day in days:
        todays = [each for each in given if each.day == day.day]
        total = sum(each.seconds for each in todays) / 60
        x, done = _x(day.day, len(days)) - width / 2, 0.0
        parts = [(max(day.minutes - total, 0.0), "#ced4da", "reading")]
        parts += [
            (each.seconds / 60, KINDS.get(each.modality, INK), each.modality) for each in todays
        ]
        for minutes, colour, name in parts:
            if minutes > 0:
                y = _y(done + minutes, 0, most)
                yield (
                    f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" fill="{colour}" '
                    f'height="{PANEL * minutes / most:.1f}"><title>{escape(name)}</title></rect>'
                )
                done += minutes
    yield from _key(LEFT, "reading", "#ced4da", y=PANEL + 24)
    for number, name in enumerate(used, 1):
        x = LEFT + number * 100
        yield from _key(x, name.replace("_", "-"), KINDS.get(name, INK), y=PANEL + 24)


def _key(x: float, name: str, colour: str, y: float = -17) -> Iterator[str]:
    yield f'<rect x="{x}" y="{y}" width="10" height="10" fill="{colour}"/>'
    yield f'<text x="{x + 14}" y="{y + 9}" fill="{FAINT}">{escape(name)}</text>'
