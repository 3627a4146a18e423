"""Texts hidden in a text: what a reply says once it is decoded.

`decoded` gives every reading of a reply worth checking, with a name a tutor understands. It never
decides anything: a reading matters only if an answer turns up in it. `disguised` does the reverse
for ciphers that cannot be undone without knowing what to look for: it dresses up the answer.
"""

import base64
import binascii
import html
import re
import urllib.parse
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from paige.exercise.disclosure.letters import fold, letters

_BASE64 = re.compile(
    r"(?<![\w+/])(?:[A-Za-z0-9+/_-]{4,}={0,2}|[A-Za-z0-9+/_-]{2,3}={1,2})(?![\w+/=])"
)
_BASE32 = re.compile(r"\b[A-Z2-7]{6,}={0,6}")
_HEX = re.compile(r"(?<![0-9a-zA-Z])(?:(?:0x|\\x|%)?[0-9a-fA-F]{2}[\s,:;-]*){2,}(?![0-9a-zA-Z])")
_BITS = re.compile(r"(?:[01]{7,8}[\s,.;|-]*){1,}")
_CODES = re.compile(r"\d{2,3}(?:[\s,.;:|-]+\d{2,3})+")
_PLACES = re.compile(r"\d{1,2}(?:[\s,.;:|>-]+\d{1,2})+")
_MORSE = re.compile(
    r"(?<![.\-\u00b7\u2022\u2013\u2014_*])[.\-\u00b7\u2022\u2013\u2014_*]+"
    r"(?:[ /|]+[.\-\u00b7\u2022\u2013\u2014_*]+)+"
)
_DOTS = str.maketrans(
    {"\u00b7": ".", "\u2022": ".", "*": ".", "_": "-", "\u2013": "-", "\u2014": "-"}
)
_ESCAPE = re.compile(r"\\u\{?([0-9a-fA-F]{4,6})\}?|U\+([0-9a-fA-F]{4,6})")
_SPELLED_AS = re.compile(r"\b([a-z])(?: is)? (?:for|as in|like|comme|wie|untuk) [a-z]+")
_ZERO_WIDTH = re.compile("[\u200b\u200c\u200d\u2060\ufeff]")
_LEET_WORD = re.compile(r"[\w@$!|+#(\u20ac]{3,}")


class Decoded(NamedTuple):
    """A reading of a text, folded, and how it was hidden."""

    how: str
    text: str


def decoded(raw: str, seen: str) -> Iterator[Decoded]:
    """Every hidden reading of a text; `seen` is the text as it looks."""
    for how, text in _readings(raw, seen):
        if text and (folded := fold(text)).strip():
            yield Decoded(how, folded)


def _readings(raw: str, seen: str) -> Iterator[tuple[str, str]]:
    yield from _from_escapes(raw, seen)
    for match in _BASE64.finditer(seen):
        yield from (("in base64", text) for text in _base64(match[0]))
    for match in _BASE32.finditer(seen):
        yield "in base32", _bytes(_base32, match[0])
    yield from _from_numbers(seen)
    yield from _from_signs(seen)
    yield from _from_invisible(raw)
    yield from _from_letter_names(seen)
    yield from _from_leet(seen)


def _from_escapes(raw: str, seen: str) -> Iterator[tuple[str, str]]:
    if "%" in seen:
        yield "as a web address", urllib.parse.unquote(seen)
    if "&" in seen:
        yield "as web page code", html.unescape(seen)
    if _ESCAPE.search(seen):
        codes = (int(one or two, 16) for one, two in _ESCAPE.findall(seen))
        yield "as character codes", "".join(chr(code) for code in codes if code < 0x110000)


def _base64(text: str) -> Iterator[str]:
    text = text.replace("-", "+").replace("_", "/")
    for part in {text, text.rstrip("=")}:
        yield _bytes(base64.b64decode, part + "=" * (-len(part) % 4))


def _base32(text: str) -> bytes:
    text = text.rstrip("=")
    return base64.b32decode(text + "=" * (-len(text) % 8))


def _bytes(decode: object, text: str) -> str:
    try:
        found = decode(text)  # type: ignore[operator]
    except (binascii.Error, ValueError):
        return ""
    return _text(found)


def _text(data: bytes) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if text.isprintable() else ""


def _from_numbers(seen: str) -> Iterator[tuple[str, str]]:
    if not any(sign.isdigit() for sign in seen) and "%" not in seen and "\\x" not in seen:
        return
    for match in _HEX.finditer(seen):
        digits = re.sub(r"0x|\\x|[^0-9a-fA-F]", "", match[0])
        yield "in hexadecimal", _bytes(bytes.fromhex, digits)
    for match in _BITS.finditer(seen):
        for size in (8, 7):
            bits = re.sub(r"[^01]", "", match[0])
            groups = [bits[at : at + size] for at in range(0, len(bits), size)]
            yield "in binary", "".join(chr(int(group, 2)) for group in groups if len(group) == size)
    for match in _CODES.finditer(seen):
        yield "as character codes", "".join(chr(int(code)) for code in re.findall(r"\d+", match[0]))
    for match in _PLACES.finditer(seen):
        places = [int(place) for place in re.findall(r"\d+", match[0])]
        if all(0 < place < 27 for place in places) and len(places) > 2:
            yield "as places in the alphabet", "".join(chr(96 + place) for place in places)


def _from_signs(seen: str) -> Iterator[tuple[str, str]]:
    known = letters()
    for match in _MORSE.finditer(seen):
        marks = re.split(r"[ /|]+", match[0].translate(_DOTS))
        yield "in Morse code", "".join(known.morse.get(mark, "?") for mark in marks)
    if not seen.isascii():
        if any(ord(sign) in known.braille for sign in seen):
            yield "in braille", seen.translate(known.braille)
        turned = seen.casefold().translate(known.upside_down)
        if turned != seen.casefold():
            yield "upside down", turned
            yield "upside down", turned[::-1]


def _from_invisible(raw: str) -> Iterator[tuple[str, str]]:
    if raw.isascii():
        return
    tags = "".join(chr(ord(sign) - 0xE0000) for sign in raw if 0xE0020 <= ord(sign) <= 0xE007E)
    if tags:
        yield "in invisible characters", tags
    if any(ord(sign) in letters().braille for sign in raw):
        yield "in braille", raw.translate(letters().braille)
    if any(ord(sign) in letters().upside_down for sign in raw):
        turned = raw.casefold().translate(letters().upside_down)
        yield "upside down", turned
        yield "upside down", turned[::-1]
    hidden = _ZERO_WIDTH.findall(raw)
    if len(hidden) >= 16:
        for zero in set(hidden):
            bits = "".join("0" if sign == zero else "1" for sign in hidden)
            groups = [bits[at : at + 8] for at in range(0, len(bits) - 7, 8)]
            yield "in invisible characters", "".join(chr(int(group, 2)) for group in groups)


def _from_letter_names(seen: str) -> Iterator[tuple[str, str]]:
    folded = seen.casefold()
    named = _SPELLED_AS.findall(folded)
    if len(named) > 1:
        yield "letter by letter", "".join(named)
    radio = letters().radio
    run = ""
    for word in [*re.findall(r"\w+", folded.replace("x-ray", "xray")), ""]:
        if word in radio:
            run += radio[word]
            continue
        if len(run) > 1:
            yield "in the radio alphabet", run
        run = ""


def _from_leet(seen: str) -> Iterator[tuple[str, str]]:
    found = [word for word in _LEET_WORD.findall(seen) if not word.isalpha()]
    mixed = [word for word in found if any(sign.isalpha() for sign in word)]
    if mixed:
        for table in letters().leet:
            yield "with digits for letters", " ".join(mixed).casefold().translate(table)


@lru_cache(maxsize=2048)
def disguised(word: str) -> tuple[tuple[str, str], ...]:
    """A folded Latin word as it looks in ciphers that only shift or turn letters."""
    if not (word.isascii() and word.isalpha()):
        return ((word[::-1], "spelled backwards"),)
    found = [(word[::-1], "spelled backwards"), (_pig(word), "in Pig Latin")]
    found += [(_pig(word).replace("way", "ay"), "in Pig Latin")]
    found += [(_shift(word, by), "with shifted letters") for by in range(1, 26)]
    found += [("".join(chr(219 - ord(sign)) for sign in word), "with the alphabet turned round")]
    found += [("".join(sign * 2 for sign in word), "with doubled letters")]
    found += [(word[1:] + word[0], "with its letters moved"), (word[-1] + word[:-1], "moved")]
    half = len(word) // 2
    found += [(word[half:] + word[:half], "with its halves swapped")]
    skeleton = re.sub(r"[aeiou]", "", word)
    if len(skeleton) > 3:
        found.append((skeleton, "without its vowels"))
    return tuple((dressed, how) for dressed, how in found if dressed != word)


def _shift(word: str, by: int) -> str:
    return "".join(chr((ord(sign) - 97 + by) % 26 + 97) for sign in word)


def _pig(word: str) -> str:
    start = re.match(r"[^aeiou]*", word)
    front = start[0] if start else ""
    return f"{word[len(front) :]}{front}ay" if front else f"{word}way"
