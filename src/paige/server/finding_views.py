"""What was found and what waits, as the web app is told it: with the page that shows each."""

from collections.abc import Callable, Mapping
from urllib.parse import quote, urlencode

from paige.app import finding, notices
from paige.app.finding_words import Part
from paige.server import finding_wire as wire


def found_of(found: finding.Found, words: str) -> wire.SearchFound:
    """The answer to a search."""
    return wire.SearchFound(
        groups=[_group(group, found, words) for group in found.groups],
        problems=[wire.SearchProblem.model_validate(each) for each in found.problems],
    )


def notices_of(waiting: notices.Waiting) -> wire.Notices:
    """What waits."""
    return wire.Notices(
        notices=[_notice(each) for each in waiting.notices],
        problems=[wire.NoticeProblem.model_validate(each) for each in waiting.missed],
    )


def link_of(hit: finding.Hit, words: str) -> str:
    """The page that shows a hit."""
    return _LINKS[hit.kind](hit, words)


def notice_link(notice: notices.Notice) -> str:
    """The page where something can be done about a notice."""
    match notice.kind:
        case "question":
            return "/coach" if notice.door == "coach" else _page("/plan", session=notice.subject)
        case "reviews":
            return _below("/study", notice.subject)
        case "coaching":
            return "/coach"
        case "proposal" | "shadow":
            return _page("/guard/guards", id=notice.subject)
        case "blocked":
            return "/guard/orchestra"


def _group(group: finding.Group, found: finding.Found, words: str) -> wire.SearchGroup:
    return wire.SearchGroup(
        kind=group.kind,
        door=finding.DOORS[group.kind],
        hits=[
            wire.SearchHit(
                id=hit.id,
                title=_parts(found.title_of(hit)),
                snippet=_parts(hit.snippet),
                within=hit.within,
                origin=ranked.origin,
                why=ranked.why,
                score=ranked.score,
                at=hit.at,
                link=link_of(hit, words),
            )
            for hit in group.hits
            for ranked in [found.ranked(hit)]
        ],
        more=group.more,
    )


def _notice(notice: notices.Notice) -> wire.Notice:
    return wire.Notice(
        id=notice.id,
        kind=notice.kind,
        door=notice.door,
        title=notice.title,
        detail=notice.detail,
        count=notice.count,
        since=notice.since,
        link=notice_link(notice),
    )


def _parts(parts: tuple[Part, ...]) -> list[wire.SearchPart]:
    return [wire.SearchPart(text=each.text, hit=each.hit) for each in parts]


def _below(path: str, name: str) -> str:
    return f"{path}/{quote(name, safe='')}"


def _number(line: int | None) -> str:
    return "" if line is None else str(line)


def _page(path: str, **said: str) -> str:
    given = {name: value for name, value in said.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


_LINKS: Mapping[finding.Kind, Callable[[finding.Hit, str], str]] = {
    "session": lambda hit, words: _page("/plan", session=hit.id, find=words),
    "lesson": lambda hit, _: _page("/plan", lesson=hit.id, pane="document"),
    "file": lambda hit, _: _page("/plan", file=hit.id, line=_number(hit.line), pane="document"),
    "course": lambda hit, _: _below("/study", hit.id),
    "concept": lambda hit, _: _page(_below("/study", hit.within), concept=hit.id),
    "coaching": lambda hit, _: _page("/coach", session=hit.id),
    "gap": lambda hit, _: _page("/coach", gap=hit.title),
    "kata": lambda hit, _: _below("/coach/practice", hit.id),
    "memory": lambda hit, _: _page("/memory", id=hit.id),
    "document": lambda hit, _: _page("/memory", tab="documents", file=hit.id),
    "guard": lambda hit, _: _page("/guard/guards", id=hit.id),
    # The list shows a decision only among those that fit.
    "decision": lambda hit, words: _page("/guard", query=words, id=hit.id),
    "trace": lambda hit, _: _page("/guard/graph", id=hit.id),
}
