"""Worksheets as quizzes in QTI 1.2, which Canvas reads and with it most other platforms.

One XML file holds the whole quiz; a second one tells Canvas its title and points. Scores go from 0
to 100 for every question, its weight is in the metadata. The standard library's XML does it: the
packages that exist for QTI make one version for one kind of program each, number their questions
anew every time, and bring a markdown reader.
"""

import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import NamedTuple
from xml.etree import ElementTree as ET

from paige.base.errors import BadInput
from paige.exercise.exchange.values import plain
from paige.exercise.worksheet.key import alternatives, key_parts
from paige.exercise.worksheet.values import Question, Section, Worksheet

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_CONTENT = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_FULL = 100.0
_BLANKS = re.compile(r"_{3,}")
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)
_MAX_TITLE = 200
_ESSAY_ROWS = "3"


class _Part(NamedTuple):
    """One thing to answer: what is shown, the answers by their label, and which are right."""

    name: str
    shown: str
    answers: Mapping[str, str]
    right: Sequence[str]


class _Item(NamedTuple):
    """One question of the quiz; one without parts wants a text that a person marks."""

    id: str
    kind: str
    prompt: str
    points: int = 1
    parts: Sequence[_Part] = ()


def write_qti(worksheet: Worksheet) -> bytes:
    """A zip with the quiz of a worksheet.

    The same worksheet gives the same bytes, and a question keeps its identifier when it is edited.
    Raises: BadInput, naming the question that nobody could answer rightly.
    """
    title = " ".join(plain(worksheet.title).split())
    if not title:
        raise BadInput("A quiz needs a title")
    items = tuple(_items(worksheet))
    if not items:
        raise BadInput(f"The quiz `{title}` has no questions")
    whole = f"{worksheet.course}/{worksheet.concept}/{worksheet.generated}"
    name = _identifier("quiz", whole)
    short = title if len(title) <= _MAX_TITLE else f"{title[: _MAX_TITLE - 1].rstrip()}…"
    return _package(
        {
            "imsmanifest.xml": _manifest(name),
            f"{name}/{name}.xml": _assessment(items, name, short, whole),
            f"{name}/assessment_meta.xml": _meta(items, name, short, worksheet.instructions),
        }
    )


def _items(worksheet: Worksheet) -> Iterator[_Item]:
    """The questions, named as in the worksheet; a table to match is one of them."""
    key = dict(worksheet.key or {})
    for section in worksheet.sections:
        matching = _matching(section, key)
        made = [matching] if matching else [_question(section, q, key) for q in section.questions]
        for item in made:
            if not plain(item.prompt):
                raise BadInput(f"The question `{item.id}` asks nothing")
            yield item


def _question(section: Section, question: Question, key: Mapping[str, str]) -> _Item:
    parts = key_parts(key.get(question.id, ""), question.blanks)
    answers = [[each for each in alternatives(part) if plain(each)] for part in parts]
    if section.matching or len(answers) != question.blanks or not all(answers):
        return _Item(question.id, "essay_question", question.prompt)
    pieces = _BLANKS.split(plain(question.prompt))
    if len(pieces) - 1 != len(answers):
        raise BadInput(
            f"The question `{question.id}` has {len(pieces) - 1} blanks and answers for"
            f" {len(answers)}"
        )
    names = [f"blank{place}" for place in range(1, len(answers) + 1)]
    prompt = "".join(f"{text}[{name}]" for text, name in zip(pieces, names, strict=False))
    made = [_blank(name, texts) for name, texts in zip(names, answers, strict=True)]
    kind = "fill_in_multiple_blanks_question"
    return _Item(question.id, kind, f"{prompt}{pieces[-1]}", question.blanks, made)


def _blank(name: str, accepted: Sequence[str]) -> _Part:
    texts = dict.fromkeys(plain(each) for each in accepted)
    answers = {f"{name}_{place}": text for place, text in enumerate(texts, 1)}
    return _Part(name, name, answers, list(answers))


def _matching(section: Section, key: Mapping[str, str]) -> _Item | None:
    """The pairs of a table, when the key knows the letter of each."""
    offered = {choice.letter.upper(): plain(choice.text) for choice in section.choices}
    found = [key.get(question.id, "").strip().upper() for question in section.questions]
    if len(found) < 2 or not all(letter in offered for letter in found):
        return None
    lefts = [plain(question.prompt) for question in section.questions]
    if not all(lefts) or not all(offered[letter] for letter in found):
        raise BadInput(f"The question `{section.number}` has a pair with an empty side")
    if len(set(lefts)) < len(lefts):
        raise BadInput(f"The question `{section.number}` has the same thing to match twice")
    # In the order of the alphabet: that of the pairs would give the answers away.
    texts = sorted(set(offered.values()) - {""}, key=lambda text: (text.casefold(), text))
    labels = {text: f"match_{place}" for place, text in enumerate(texts, 1)}
    answers = {label: text for text, label in labels.items()}
    parts = [
        _Part(str(place), left, answers, [labels[offered[letter]]])
        for place, (left, letter) in enumerate(zip(lefts, found, strict=True), 1)
    ]
    asked = section.intro or section.title or "Match each with what belongs to it."
    return _Item(str(section.number), "matching_question", asked, len(parts), parts)


def _manifest(name: str) -> ET.Element:
    attributes = {
        "identifier": _identifier("manifest", name),
        "xmlns": _CONTENT,
        "xmlns:xsi": _XSI,
        "xsi:schemaLocation": f"{_CONTENT} http://www.imsglobal.org/xsd/imscp_v1p1.xsd",
    }
    root = ET.Element("manifest", attributes)
    metadata = _node(root, "metadata")
    _node(metadata, "schema", "IMS Content")
    _node(metadata, "schemaversion", "1.1.3")
    _node(root, "organizations")
    resources = _node(root, "resources")
    meta = _identifier("meta", name)
    quiz = _node(resources, "resource", identifier=name, type="imsqti_xmlv1p2")
    _node(quiz, "file", href=f"{name}/{name}.xml")
    _node(quiz, "dependency", identifierref=meta)
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    href = f"{name}/assessment_meta.xml"
    _node(_node(resources, "resource", identifier=meta, type=kind, href=href), "file", href=href)
    return root


def _meta(items: Sequence[_Item], name: str, title: str, description: str) -> ET.Element:
    root = ET.Element("quiz", {"identifier": name, "xmlns": _CANVAS})
    _node(root, "title", title)
    _node(root, "description", _html(description) if plain(description) else "")
    _node(root, "shuffle_answers", "false")
    _node(root, "scoring_policy", "keep_highest")
    _node(root, "quiz_type", "assignment")
    _node(root, "points_possible", str(sum(each.points for each in items)))
    return root


def _assessment(items: Sequence[_Item], name: str, title: str, whole: str) -> ET.Element:
    root = ET.Element("questestinterop", {"xmlns": _QTI, "xmlns:xsi": _XSI})
    assessment = _node(root, "assessment", ident=name, title=title)
    _field(_node(assessment, "qtimetadata"), "cc_maxattempts", "1")
    section = _node(assessment, "section", ident="root_section")
    for place, item in enumerate(items, 1):
        ident = _identifier("item", whole, item.id)
        _write_item(_node(section, "item", ident=ident, title=f"Question {place}"), item)
    return root


def _write_item(node: ET.Element, item: _Item) -> None:
    metadata = _node(_node(node, "itemmetadata"), "qtimetadata")
    _field(metadata, "question_type", item.kind)
    _field(metadata, "points_possible", str(item.points))
    labels = dict.fromkeys(label for part in item.parts for label in part.answers)
    if labels:
        _field(metadata, "original_answer_ids", ",".join(labels))
    presentation = _node(node, "presentation")
    _material(presentation, item.prompt)
    for part in item.parts:
        response = _node(presentation, "response_lid", ident=f"response_{part.name}")
        _material(response, part.shown, plain_text=True)
        choice = _node(response, "render_choice")
        for label, text in part.answers.items():
            _material(_node(choice, "response_label", ident=label), text, plain_text=True)
    if not item.parts:
        response = _node(presentation, "response_str", ident="response1", rcardinality="Single")
        render = _node(response, "render_fib", rows=_ESSAY_ROWS)
        _node(render, "response_label", ident="answer1", rshuffle="No")
    _write_marking(node, item.parts)


def _write_marking(item: ET.Element, parts: Sequence[_Part]) -> None:
    """Every part that is right adds its share; the shares are 100 together, to the last digit."""
    marking = _node(item, "resprocessing")
    outcome = {"maxvalue": _number(_FULL), "minvalue": "0", "varname": "SCORE"}
    _node(_node(marking, "outcomes"), "decvar", vartype="Decimal", **outcome)
    if not parts:
        _node(_node(_condition(marking, "No"), "conditionvar"), "other")
        return
    share = round(_FULL / len(parts), 2)
    for place, part in enumerate(parts, 1):
        last = place == len(parts)
        worth = round(_FULL - share * (len(parts) - 1), 2) if last else share
        for label in part.right:
            condition = _condition(marking, "Yes")
            response = f"response_{part.name}"
            _node(_node(condition, "conditionvar"), "varequal", label, respident=response)
            _node(condition, "setvar", _number(worth), action="Add", varname="SCORE")


def _condition(marking: ET.Element, goes_on: str) -> ET.Element:
    return _node(marking, "respcondition", **{"continue": goes_on})


def _material(parent: ET.Element, text: str, *, plain_text: bool = False) -> None:
    kind = "text/plain" if plain_text else "text/html"
    shown = plain(text) if plain_text else _html(text)
    _node(_node(parent, "material"), "mattext", shown, texttype=kind)


def _field(metadata: ET.Element, label: str, entry: str) -> None:
    made = _node(metadata, "qtimetadatafield")
    _node(made, "fieldlabel", label)
    _node(made, "fieldentry", entry)


def _identifier(kind: str, *parts: str) -> str:
    """A name that XML allows, the same for the same parts in every export."""
    joined = "\x1f".join(plain(part) for part in parts)
    return f"{kind}_{sha256(joined.encode()).hexdigest()[:24]}"


def _html(text: str) -> str:
    """Plain text as paragraphs of HTML, for formats that carry HTML as text."""
    paragraphs = re.split(r"\n{2,}", plain(text))
    return "".join(f"<p>{escape(each).replace(chr(10), '<br/>')}</p>" for each in paragraphs)


def _number(value: float) -> str:
    """2 rather than 2.0."""
    return str(int(value)) if value.is_integer() else repr(value)


def _node(parent: ET.Element, tag: str, text: str | None = None, **attributes: str) -> ET.Element:
    made = ET.SubElement(parent, tag, attributes)
    made.text = text
    return made


def _package(files: Mapping[str, ET.Element]) -> bytes:
    """A zip with these documents, the same bytes for the same documents."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, root in files.items():
            ET.indent(root)
            entry = zipfile.ZipInfo(name, _FIXED_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            document = ET.tostring(root, encoding="UTF-8", xml_declaration=True) + b"\n"
            zipped.writestr(entry, document)
    return content.getvalue()
