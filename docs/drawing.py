"""Draws small diagrams as SVG: boxes, lines between them, words on the lines.

A diagram is readable by day and by night: alone it follows the theme of the system, and the site
puts it into the page, where it takes the page's colours.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

STYLE = """<style>
  text { font: 14px system-ui, sans-serif; fill: #1d2a26; }
  .soft { fill: #4d5b55; }
  .small { font-size: 12px; }
  .strong { font-weight: 700; }
  .label { stroke: #fffefa; stroke-width: 5px; paint-order: stroke; }
  .back { fill: #fffefa; }
  .box { fill: #f5f5ee; stroke: #7d8a83; }
  .plan { fill: #f7dfa0; } .study { fill: #c9e3c4; } .coach { fill: #c4deed; }
  .guard { fill: #f5cfc4; } .desk { fill: #dfdfe8; }
  .line { fill: none; stroke: #4d5b55; stroke-width: 1.5; }
  .faint { fill: none; stroke: #4d5b55; opacity: 0.25; }
  .dashed { stroke-dasharray: 5 4; }
  .tip { fill: #4d5b55; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e9eee7; }
    .soft { fill: #a9b8af; }
    .label { stroke: #1b2521; }
    .back { fill: #1b2521; }
    .box { fill: #131b18; stroke: #6d7d75; }
    .plan { fill: #3d3117; } .study { fill: #1e3a25; } .coach { fill: #18354a; }
    .guard { fill: #45251e; } .desk { fill: #2a2c3a; }
    .line, .faint { stroke: #a9b8af; }
    .tip { fill: #a9b8af; }
  }
</style>"""
LINE_HEIGHT = 18
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A box around its middle; the first line of its words is the strong one."""

    x: float
    y: float
    words: str
    kind: str = ""  # plan, study, coach, guard, desk
    width: float = 130
    height: float = 40


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line from one box to another, with words on it; `via` bends it."""

    start: str
    end: str
    words: str = ""
    via: tuple[Point, ...] = ()
    dashed: bool = False
    faint: bool = False
    both: bool = False


def drawn(
    boxes: Mapping[str, Box],
    arrows: Iterable[Arrow],
    *,
    told: str,
    size: tuple[int, int],
    notes: Sequence[tuple[float, float, str]] = (),
) -> str:
    """The diagram; `told` is what someone hears who does not see it."""
    width, height = size
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="diagram" role="img" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'aria-label="{escape(told)}">',
        STYLE,
        f'<rect class="back" width="{width}" height="{height}" rx="8"/>',
    ]
    labels: list[str] = []
    for arrow in sorted(arrows, key=lambda each: not each.faint):
        lines += _arrow(arrow, boxes)
        if arrow.words:
            labels.append(_label(arrow, boxes))
    for box in boxes.values():
        lines += _box(box)
    lines += labels
    lines += [
        f'<text class="soft small" x="{x:g}" y="{y:g}">{escape(t)}</text>' for x, y, t in notes
    ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def _box(box: Box) -> Iterable[str]:
    left, top = box.x - box.width / 2, box.y - box.height / 2
    yield (
        f'<rect class="box {box.kind}" x="{left:g}" y="{top:g}" width="{box.width:g}" '
        f'height="{box.height:g}" rx="6"/>'
    )
    words = box.words.split("\n")
    first = box.y + 5 - LINE_HEIGHT * (len(words) - 1) / 2
    for number, text in enumerate(words):
        kind = "strong" if number == 0 else "soft small"
        y = first + LINE_HEIGHT * number
        yield _text(kind, (box.x, y), text)


def _arrow(arrow: Arrow, boxes: Mapping[str, Box]) -> Iterable[str]:
    points = _points(arrow, boxes)
    path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    kind = "faint" if arrow.faint else "line"
    yield f'<path class="{kind}{" dashed" * arrow.dashed}" d="{path}"/>'
    if not arrow.faint:
        yield _tip(points[-2], points[-1])
    if arrow.both:
        yield _tip(points[1], points[0])


def _points(arrow: Arrow, boxes: Mapping[str, Box]) -> list[Point]:
    start, end = boxes[arrow.start], boxes[arrow.end]
    towards = arrow.via[0] if arrow.via else (end.x, end.y)
    coming = arrow.via[-1] if arrow.via else (start.x, start.y)
    return [_edge(start, towards), *arrow.via, _edge(end, coming)]


def _edge(box: Box, towards: Point) -> Point:
    """Where a line from the middle of a box leaves it; straight on where it can be."""
    dx, dy = towards[0] - box.x, towards[1] - box.y
    if dx == 0 and dy == 0:
        return box.x, box.y
    across = box.width / 2 / abs(dx) if dx else float("inf")
    along = box.height / 2 / abs(dy) if dy else float("inf")
    part = min(across, along)
    return box.x + dx * part, box.y + dy * part


def _tip(before: Point, end: Point) -> str:
    dx, dy = end[0] - before[0], end[1] - before[1]
    length = (dx * dx + dy * dy) ** 0.5 or 1.0
    ux, uy = dx / length, dy / length
    back = (end[0] - 9 * ux, end[1] - 9 * uy)
    sides = ((back[0] - 4.5 * uy, back[1] + 4.5 * ux), (back[0] + 4.5 * uy, back[1] - 4.5 * ux))
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (end, *sides))
    return f'<polygon class="tip" points="{corners}"/>'


def _label(arrow: Arrow, boxes: Mapping[str, Box]) -> str:
    points = _points(arrow, boxes)
    middle = len(points) // 2
    (x1, y1), (x2, y2) = points[middle - 1], points[middle]
    x, y = (x1 + x2) / 2, (y1 + y2) / 2 + 4
    return _text("soft small label", (x, y), arrow.words)


def _text(kind: str, at: Point, words: str) -> str:
    place = f'x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="middle"'
    return f'<text class="{kind}" {place}>{escape(words)}</text>'
