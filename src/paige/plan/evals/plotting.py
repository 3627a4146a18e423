"""Plots of a report as plain SVG: bars of criteria, quality against cost, memory over time.

Nothing is drawn that the tables do not say; every mark has its figure as a title, and shapes as
well as colours tell configurations apart.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

Json = Mapping[str, Any]
COLOURS = ("#1b6ca8", "#d1495b", "#2e933c", "#8d5a97", "#b8860b", "#444444", "#00798c", "#a0522d")
WIDTH = 760
_LEFT, _TOP, _BAR, _GAP = 190, 64, 11, 9
_FONT = 'font-family="system-ui, sans-serif" font-size="12"'


def criteria_bars(summaries: Sequence[Json]) -> str:
    """How often each criterion was met, a bar for each configuration."""
    names = list(dict.fromkeys(name for each in summaries for name in each["criteria"]))
    group = len(summaries) * _BAR + _GAP
    height = _TOP + len(names) * group + 30
    parts = [*_title("Criteria met", summaries)]
    full = WIDTH - _LEFT - 60
    for row, name in enumerate(names):
        top = _TOP + row * group
        parts.append(_text(_LEFT - 8, top + group / 2, name, anchor="end"))
        for index, each in enumerate(summaries):
            share = each["criteria"].get(name, 0.0)
            y = top + index * _BAR
            parts.append(
                f'<rect x="{_LEFT}" y="{y}" width="{share * full:.1f}" height="{_BAR - 2}" '
                f'fill="{_colour(index)}"><title>{escape(each["config"])}: {share:.0%}</title>'
                "</rect>"
            )
            parts.append(_small(_LEFT + share * full + 5, y + _BAR - 3, f"{share:.0%}"))
    return _svg(height, parts)


def cost_quality(summaries: Sequence[Json]) -> str:
    """Quality against what a lesson takes: money where it is known, else tokens of the prompt."""
    money = all(each["cost_usd"] is not None for each in summaries) and any(
        each["cost_usd"] for each in summaries
    )
    cost = "cost_usd" if money else "prompt_tokens"
    top_cost = max((each[cost] or 0 for each in summaries), default=0) * 1.1 or 1
    left, bottom, width, height = 70, 330, WIDTH - 110, 240
    label = "US dollars a lesson" if money else "tokens of the prompt (upper bound)"
    parts = [*_title(f"Quality against {label}", summaries), *_axes(left, bottom, width, height)]
    parts.append(_text(left + width / 2, bottom + 34, label, anchor="middle"))
    for tick in range(5):
        value = top_cost * tick / 4
        x = left + width * tick / 4
        told = f"{value:.3f}" if money else f"{value:,.0f}"
        parts.append(_text(x, bottom + 16, told, anchor="middle"))
    for index, each in enumerate(summaries):
        x = left + width * (each[cost] or 0) / top_cost
        y = bottom - height * each["quality"]
        told = f"{each['config']}: quality {each['quality']:.2f}, {each[cost]:,.4g}"
        told += f", of that {each['memory_tokens']:,.0f} tokens of memory"
        parts.append(_mark(x, y, index, told))
    return _svg(380, parts)


def over_time(points: Sequence[Json]) -> str:
    """How often a teacher had to say a wish, lesson by lesson."""
    configs = list(dict.fromkeys(each["config"] for each in points))
    last = max((each["number"] for each in points), default=1)
    left, bottom, width, height = 70, 330, WIDTH - 110, 240
    named = [{"config": name} for name in configs]
    parts = [*_title("Sections revised, lesson by lesson", named)]
    parts += _axes(left, bottom, width, height)
    parts.append(_text(left + width / 2, bottom + 34, "lesson", anchor="middle"))
    for number in range(1, last + 1):
        x = _across(left, width, number, last)
        parts.append(_text(x, bottom + 16, str(number), anchor="middle"))
    for index, config in enumerate(configs):
        means = _means([each for each in points if each["config"] == config])
        spots = [
            (_across(left, width, number, last), bottom - height * min(1.0, mean))
            for number, mean in means.items()
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{_colour(index)}" stroke-width="2"/>'
        )
        for (x, y), (number, mean) in zip(spots, means.items(), strict=True):
            parts.append(_mark(x, y, index, f"{config}, lesson {number}: {mean:.2f} a lesson"))
    return _svg(380, parts)


def _means(points: Sequence[Json]) -> dict[int, float]:
    found: dict[int, list[int]] = {}
    for each in points:
        found.setdefault(each["number"], []).append(each["revised"])
    return {number: sum(all_) / len(all_) for number, all_ in sorted(found.items())}


def _across(left: float, width: float, number: int, last: int) -> float:
    return left + width * (number - 0.5) / last


def _title(title: str, summaries: Sequence[Json]) -> list[str]:
    """A heading, and which colour and shape belong to whom."""
    parts = [f'<text x="16" y="22" {_FONT} font-weight="600">{escape(title)}</text>']
    x = 16.0
    for index, each in enumerate(summaries):
        parts += [_mark(x + 5, 41, index, each["config"]), _text(x + 15, 45, each["config"])]
        x += 34 + 7 * len(each["config"])
    return parts


def _axes(left: float, bottom: float, width: float, height: float) -> list[str]:
    """A frame with a scale from 0 to 1 at its side."""
    parts = [
        f'<path d="M{left} {bottom - height}V{bottom}H{left + width}" fill="none" stroke="#888"/>'
    ]
    for tick in range(5):
        y = bottom - height * tick / 4
        parts.append(_text(left - 8, y + 4, f"{tick / 4:.2f}", anchor="end"))
        parts.append(f'<path d="M{left} {y}H{left + width}" stroke="#ddd" stroke-width="0.5"/>')
    return parts


def _mark(x: float, y: float, index: int, title: str) -> str:
    """A circle, a square or a diamond in the colour of a configuration."""
    told, colour = f"<title>{escape(title)}</title>", _colour(index)
    match index % 3:
        case 0:
            return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{colour}">{told}</circle>'
        case 1:
            box = f'x="{x - 4.5:.1f}" y="{y - 4.5:.1f}" width="9" height="9"'
            return f'<rect {box} fill="{colour}">{told}</rect>'
        case _:
            path = f"M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z"
            return f'<path d="{path}" fill="{colour}">{told}</path>'


def _text(x: float, y: float, text: str, *, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {_FONT}>{escape(text)}</text>'


def _small(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {_FONT.replace("12", "9")}>{escape(text)}</text>'


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _svg(height: float, parts: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img">'
    )
    back = f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>'
    return "\n".join([head, back, *parts, "</svg>"]) + "\n"
