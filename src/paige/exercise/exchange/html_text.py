"""Fields of cards as HTML, and the plain text of HTML that other people wrote.

Anki keeps fields as HTML. What is written here is only text with line breaks, so it comes back
exactly. What others wrote is read for its words: blocks become lines, lists get dashes, pictures
and sounds are named, scripts and styles are left out.
"""

import html
import re
from html.parser import HTMLParser

from paige.exercise.exchange.values import plain

_BLOCKS = {
    *("address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "footer"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre"),
    *("section", "table", "tbody", "thead", "tr", "ul", "figcaption"),
}
_HIDDEN = {"script", "style", "template", "title"}
_SOUND = re.compile(r"\[sound:([^\]]{0,500})\]")
_SPOKEN = re.compile(r"\[anki:tts[^\[\]]*+\](.*?)(?:\[/anki:tts\]|\Z)", re.DOTALL)
_FOLDED = re.compile(r"(?:(?<![ \t])[ \t]++)?\n\s*+")
_COMMAND = re.compile(r"\[(?=(?:sound|anki):)")
_REMARK = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNENDED = re.compile(r"<(?![^<>]*+>)")
_CDATA = "<![CDATA["
_LONG = 2_000
_BLOCK = "\x02"  # stands for the edge of a block until all text is known
_SIGN = "\x04"  # a sign that opens no tag
_BREAK = "\x03"  # a line break that somebody asked for


def to_html(text: str) -> str:
    """Plain text as a field: markup is shown, not obeyed, and so are commands of Anki."""
    escaped = html.escape(text, quote=False).replace("\n", "<br>")
    return _COMMAND.sub("&#91;", escaped)


def from_html(text: str) -> str:
    """The plain text of a field."""
    reader = _Reader()
    if len(text) > _LONG:
        # The parser looks for the end of every tag to the end of the text: what has none is text.
        text = _UNENDED.sub(_SIGN, _REMARK.sub("", text))
    reader.feed(text)
    reader.close()
    joined = "".join(reader.parts)
    joined = re.sub(rf"(?:(?<![ \t])[ \t]++)?{_BLOCK}[ \t{_BLOCK}]*+", _BLOCK, joined)
    joined = joined.strip(_BLOCK).replace(_SIGN, "<")
    return plain(joined.replace(_BLOCK, "\n").replace(_BREAK, "\n"))


class _Reader(HTMLParser):
    """Collects text; what stands for the layout is put in as marks."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.parts: list[str] = []
        self._hidden = 0
        self._kept = 0
        self._closes = True

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self._add(_BREAK)
        elif tag in _BLOCKS:
            self._kept += tag == "pre"
            self._add(f"{_BLOCK}- " if tag == "li" else _BLOCK)
        elif tag in ("td", "th"):
            self._add("\t" if self.parts and self.parts[-1] != _BLOCK else "")
        elif tag in ("img", "audio", "video", "object", "embed"):
            self._add(_named(tag, dict(attrs)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag in _HIDDEN:
            self._hidden -= 1

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag in _BLOCKS:
            self._kept = max(0, self._kept - (tag == "pre"))
            self._add(_BLOCK)

    def handle_data(self, data: str) -> None:
        text = _SPOKEN.sub(r"\1", _SOUND.sub(r"(sound: \1)", data))
        self._add(text.replace("\n", _BREAK) if self._kept else _FOLDED.sub(" ", text))

    def handle_entityref(self, name: str) -> None:
        # An editor writes a space it wants to keep this way; it is not part of the words.
        self._add(" " if name == "nbsp" else _unescaped(f"&{name};", name))

    def handle_charref(self, name: str) -> None:
        self._add(" " if name in ("160", "xa0", "xA0") else html.unescape(f"&#{name};"))

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """`<![CDATA[…]]>` is text, all else is a remark: the parser's own reading breaks on it."""
        end = -1
        if self._closes and self.rawdata.startswith(_CDATA, i):
            end = self.rawdata.find("]]>", i)
            self._closes = end >= 0  # what does not end here ends nowhere behind it
        if end < 0:
            return self.parse_bogus_comment(i)
        self._add(self.rawdata[i + len(_CDATA) : end])
        return end + len("]]>")

    def _add(self, text: str) -> None:
        if not self._hidden and text:
            self.parts.append(text)


def _unescaped(entity: str, name: str) -> str:
    """The character of a named entity; what is none was only an ampersand before a word."""
    found = html.unescape(entity)
    return f"&{name}" if found == entity else found


def _named(tag: str, attrs: dict[str, str | None]) -> str:
    kind = {"img": "image", "audio": "sound"}.get(tag, tag)
    name = attrs.get("alt") or attrs.get("src") or attrs.get("data") or "without a name"
    return f"({kind}: {'inline' if name.startswith('data:') else name})"
