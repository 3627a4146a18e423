"""Plots of plain text: readable without colour, in any terminal, in a mail."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from paige.learner.planning import ForecastDay
from paige.study.report import ConceptReport, Report

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SHADES = " .:+*#"
_BAR = 20
_LONGEST_TITLE = 28


def retention_plot(recall: Sequence[tuple[date, float]], planned: float) -> list[str]:
    """What would be remembered on the days to come; the planned share is a dotted line."""
    if not recall:
        return ["Nothing was learned yet, so nothing can be forgotten."]
    low = min(0.5, *(share for _, share in recall))
    rows = [round(1.0 - step * 0.1, 1) for step in range(round((1.0 - low) * 10 + 0.49) + 1)]
    lines: list[str] = []
    for row in rows:
        signs = (_point(share, row, planned) for _, share in recall)
        lines.append(f"{row:>5.0%} |{''.join(signs)}".rstrip())
    lines.append(f"      +{'-' * len(recall)}")
    first, last = recall[0][0], recall[-1][0]
    gap = max(len(recall) - 12, 1)
    lines.append(f"       {first:%d %b}{' ' * gap}{last:%d %b}")
    lines.append(f"       * remembered if nothing is reviewed, . planned ({planned:.0%})")
    return lines


def _point(share: float, row: float, planned: float) -> str:
    if abs(share - row) <= 0.05:
        return "*"
    return "." if abs(planned - row) < 0.05 else " "


def forecast_plot(forecast: Sequence[ForecastDay], days: int = 14) -> list[str]:
    """How much is due on the days to come, a bar each."""
    shown = forecast[:days]
    most = max((each.expected for each in shown), default=0)
    if not most:
        return ["Nothing is due on the days to come."]
    lines: list[str] = []
    for each in shown:
        length = round(each.expected / most * _BAR) if each.expected else 0
        bar = "#" * max(length, 1 if each.expected else 0)
        lines.append(f"{each.day:%a %d %b}  {each.expected:>3}  {bar}".rstrip())
    return lines


def calendar_plot(calendar: Mapping[date, int], today: date, weeks: int = 12) -> list[str]:
    """The exercises of the last weeks: a column a week, a row a weekday."""
    monday = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    most = max((count for day, count in calendar.items() if monday <= day <= today), default=0)
    lines = [f"     {_months(monday, weeks)}".rstrip()]
    for weekday, name in enumerate(_WEEKDAYS):
        days = (monday + timedelta(days=7 * week + weekday) for week in range(weeks))
        cells = "".join(_shade(calendar.get(day, 0), most, day <= today) for day in days)
        lines.append(f"{name}  {cells}".rstrip())
    lines.append(f"     none . , then {_SHADES[2:]} up to {most} a day")
    return lines


def _months(monday: date, weeks: int) -> str:
    """The name of a month above the week in which it begins, where there is room."""
    signs = [" "] * (2 * weeks + 4)
    for week in range(weeks):
        first = monday + timedelta(days=7 * week)
        if week == 0 or first.day <= 7:
            place = 2 * week
            if all(sign == " " for sign in signs[max(place - 1, 0) : place + 3]):
                signs[place : place + 3] = f"{first:%b}"
    return "".join(signs)


def _shade(count: int, most: int, past: bool) -> str:
    if not past:
        return "  "
    if not count:
        return ". "
    steps = len(_SHADES) - 2
    level = -(-count * steps // max(most, 1))  # rounded up, so that the busiest day is darkest
    return f"{_SHADES[1 + min(level, steps)]} "


def mastery_plot(concepts: Sequence[ConceptReport], today: date) -> list[str]:
    """Every concept with a bar for its mastery, by unit."""
    width = max((min(len(each.title), _LONGEST_TITLE) for each in concepts), default=0)
    lines: list[str] = []
    unit = None
    for each in concepts:
        if each.unit and each.unit != unit:
            lines.append(each.unit)
        unit = each.unit
        filled = round(each.mastery * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        title = each.title if len(each.title) <= width else f"{each.title[: width - 3]}..."
        lines.append(
            f"  {title:<{width}}  [{bar}]  {each.status:<10} {_when(each, today)}".rstrip()
        )
    return lines


def _when(each: ConceptReport, today: date) -> str:
    if each.due is None:
        return "can be begun" if each.ready else ""
    days = (each.due.date() - today).days
    if days <= 0:
        return "due"
    return f"due in {days} day{'s' if days > 1 else ''}"


def modality_plot(made: Report) -> list[str]:
    """How it went by kind of exercise."""
    lines: list[str] = []
    for each in made.modalities:
        filled = round(each.average * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        name = each.modality.replace("_", " ")
        lines.append(f"  {name:<13}  [{bar}]  {each.average:>4.0%} of {each.attempts}")
    return lines
