"""QTI 2.1: a file for every question, one for the test, and the manifest of the package."""

from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

from paige.exercise.exchange.qti_parts import (
    XSI,
    accepted,
    document,
    identifier,
    node,
    number,
    package,
    pieces,
    quiz_identifier,
    right_sides,
    short_title,
)
from paige.exercise.exchange.values import (
    Choice,
    Essay,
    FillIn,
    Matching,
    MultipleChoice,
    Quiz,
    QuizQuestion,
    ShortAnswer,
    TrueFalse,
    plain,
)

_QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
_CONTENT = "http://www.imsglobal.org/xsd/imscp_v1p1"
_CHOSEN = "CHOSEN"


def write_21(quiz: Quiz) -> bytes:
    """The package of a quiz that was checked."""
    name = quiz_identifier(quiz)
    items = {
        identifier("item", quiz.id or quiz.title, question.id): question
        for question in quiz.questions
    }
    files = {f"items/{ident}.xml": _item(ident, items[ident]) for ident in items}
    return package(
        {
            "imsmanifest.xml": document(_manifest(name, list(items))),
            "assessment.xml": document(_test(quiz, name, list(items))),
            **files,
        }
    )


def _manifest(name: str, items: Sequence[str]) -> ET.Element:
    attributes = {
        "identifier": identifier("manifest", name),
        "xmlns": _CONTENT,
        "xmlns:xsi": XSI,
        "xsi:schemaLocation": f"{_CONTENT} http://www.imsglobal.org/xsd/qtiv2p1_imscpv1p2_v1p0.xsd",
    }
    root = ET.Element("manifest", attributes)
    metadata = node(root, "metadata")
    node(metadata, "schema", "QTIv2.1 Package")
    node(metadata, "schemaversion", "1.0.0")
    node(root, "organizations")
    resources = node(root, "resources")
    kind, href = "imsqti_test_xmlv2p1", "assessment.xml"
    test = node(resources, "resource", identifier=name, type=kind, href=href)
    node(test, "file", href=href)
    for item in items:
        node(test, "dependency", identifierref=item)
    for item in items:
        href = f"items/{item}.xml"
        kind = "imsqti_item_xmlv2p1"
        node(node(resources, "resource", identifier=item, type=kind, href=href), "file", href=href)
    return root


def _test(quiz: Quiz, name: str, items: Sequence[str]) -> ET.Element:
    attributes = {**_root(), "identifier": name, "title": short_title(quiz.title, 200)}
    root = ET.Element("assessmentTest", attributes)
    total = node(root, "outcomeDeclaration", identifier="SCORE", cardinality="single")
    total.set("baseType", "float")
    modes = {"navigationMode": "nonlinear", "submissionMode": "individual"}
    part = node(root, "testPart", identifier="part1", **modes)
    title = short_title(quiz.title, 200)
    section = node(part, "assessmentSection", identifier="section1", title=title, visible="true")
    if plain(quiz.description):
        _paragraphs(node(section, "rubricBlock", view="candidate"), quiz.description)
    for item in items:
        node(section, "assessmentItemRef", identifier=item, href=f"items/{item}.xml")
    outcome = node(node(root, "outcomeProcessing"), "setOutcomeValue", identifier="SCORE")
    node(node(outcome, "sum"), "testVariables", variableIdentifier="SCORE")
    return root


def _item(ident: str, question: QuizQuestion) -> bytes:
    attributes = {**_root(), "identifier": ident, "title": short_title(question.prompt)}
    root = ET.Element(
        "assessmentItem", {**attributes, "adaptive": "false", "timeDependent": "false"}
    )
    match question:
        case MultipleChoice():
            _choices(root, question, question.choices)
        case TrueFalse():
            told = (Choice("True", question.answer), Choice("False", not question.answer))
            _choices(root, question, told)
        case ShortAnswer():
            _blanks(root, question, (question.answers,))
        case FillIn():
            _blanks(root, question, question.blanks)
        case Matching():
            _pairs(root, question)
        case Essay():
            _essay(root, question)
    return document(root, indented=False)


def _root() -> dict[str, str]:
    location = f"{_QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
    return {"xmlns": _QTI, "xmlns:xsi": XSI, "xsi:schemaLocation": location}


def _choices(
    root: ET.Element, question: MultipleChoice | TrueFalse, choices: Sequence[Choice]
) -> None:
    several = isinstance(question, MultipleChoice) and question.several
    cardinality = "multiple" if several else "single"
    labels = [f"choice_{place}" for place in range(1, len(choices) + 1)]
    pairs = list(zip(labels, choices, strict=True))
    response = _declare(root, "responseDeclaration", "RESPONSE", "identifier", cardinality)
    right = node(response, "correctResponse")
    for label, choice in pairs:
        if choice.correct:
            node(right, "value", label)
    _outcomes(root, question)
    remarked = any(plain(choice.feedback) for choice in choices)
    if remarked:
        _declare(root, "outcomeDeclaration", _CHOSEN, "identifier", cardinality)
    shuffle = isinstance(question, MultipleChoice) and question.shuffle
    interaction = node(
        node(root, "itemBody"),
        "choiceInteraction",
        responseIdentifier="RESPONSE",
        shuffle=str(shuffle).lower(),
        maxChoices="0" if several else "1",
    )
    _inline(node(interaction, "prompt"), question.prompt)
    for label, choice in pairs:
        made = node(interaction, "simpleChoice", identifier=label)
        _inline(made, choice.text)
        if plain(choice.feedback):
            shown = {"outcomeIdentifier": _CHOSEN, "identifier": label, "showHide": "show"}
            _inline(node(made, "feedbackInline", **shown), choice.feedback)
    processing = node(root, "responseProcessing")
    if remarked:
        chosen = node(processing, "setOutcomeValue", identifier=_CHOSEN)
        node(chosen, "variable", identifier="RESPONSE")
    condition = node(processing, "responseCondition")
    is_right = node(condition, "responseIf")
    same = node(is_right, "match")
    node(same, "variable", identifier="RESPONSE")
    node(same, "correct", identifier="RESPONSE")
    _set(is_right, "SCORE", "float", number(question.points))
    _judge(question, is_right, condition)
    _modal(root, question)


def _blanks(
    root: ET.Element, question: ShortAnswer | FillIn, blanks: Sequence[Sequence[str]]
) -> None:
    names = [f"RESPONSE_{place}" for place in range(1, len(blanks) + 1)]
    exact = str(question.case_sensitive).lower()
    for name, answers in zip(names, blanks, strict=True):
        response = _declare(root, "responseDeclaration", name, "string", "single")
        texts = accepted(answers)
        node(node(response, "correctResponse"), "value", texts[0])
        mapping = node(response, "mapping", defaultValue="0")
        for text in texts:
            node(mapping, "mapEntry", mapKey=text, mappedValue="1", caseSensitive=exact)
    _outcomes(root, question)
    body = node(root, "itemBody")
    if isinstance(question, ShortAnswer):
        _paragraphs(body, question.prompt)
        _entry(node(body, "p"), names[0])
    else:
        _text_with_entries(node(body, "p"), pieces(question.prompt), names)
    _scored(root, question, names, len(names))


def _text_with_entries(paragraph: ET.Element, texts: Sequence[str], names: Sequence[str]) -> None:
    _inline_part(paragraph, texts[0])
    for text, name in zip(texts[1:], names, strict=True):
        _entry(paragraph, name)
        _inline_part(paragraph, text)


def _entry(paragraph: ET.Element, name: str) -> None:
    node(paragraph, "textEntryInteraction", responseIdentifier=name, expectedLength="20")


def _pairs(root: ET.Element, question: Matching) -> None:
    rights = {text: f"right_{place}" for place, text in enumerate(right_sides(question), 1)}
    lefts = [f"left_{place}" for place in range(1, len(question.pairs) + 1)]
    found = [
        f"{left} {rights[plain(right)]}"
        for left, (_, right) in zip(lefts, question.pairs, strict=True)
    ]
    response = _declare(root, "responseDeclaration", "RESPONSE", "directedPair", "multiple")
    right_ones = node(response, "correctResponse")
    for pair in found:
        node(right_ones, "value", pair)
    mapping = node(response, "mapping", defaultValue="0")
    for pair in found:
        node(mapping, "mapEntry", mapKey=pair, mappedValue="1")
    _outcomes(root, question)
    interaction = node(
        node(root, "itemBody"),
        "matchInteraction",
        responseIdentifier="RESPONSE",
        shuffle="false",
        maxAssociations=str(len(lefts)),
    )
    _inline(node(interaction, "prompt"), question.prompt)
    first = node(interaction, "simpleMatchSet")
    for ident, (left, _) in zip(lefts, question.pairs, strict=True):
        _inline(node(first, "simpleAssociableChoice", identifier=ident, matchMax="1"), left)
    second = node(interaction, "simpleMatchSet")
    most = str(len(lefts))
    for text, ident in rights.items():
        _inline(node(second, "simpleAssociableChoice", identifier=ident, matchMax=most), text)
    _scored(root, question, ["RESPONSE"], len(lefts))


def _scored(root: ET.Element, question: QuizQuestion, names: Sequence[str], most: int) -> None:
    """Points for each part that is right; all of them is what is called correct."""
    processing = node(root, "responseProcessing")
    score = node(processing, "setOutcomeValue", identifier="SCORE")
    share = node(score, "divide")
    product = node(share, "product")
    _sum(product, names)
    node(product, "baseValue", number(question.points), baseType="float")
    node(share, "baseValue", number(most), baseType="float")
    if plain(question.feedback.correct) or plain(question.feedback.incorrect):
        condition = node(processing, "responseCondition")
        is_right = node(condition, "responseIf")
        enough = node(is_right, "gte")
        _sum(enough, names)
        node(enough, "baseValue", number(most), baseType="float")
        _judge(question, is_right, condition)
    _modal(root, question)


def _sum(parent: ET.Element, names: Sequence[str]) -> None:
    total = node(parent, "sum")
    for name in names:
        node(total, "mapResponse", identifier=name)


def _essay(root: ET.Element, question: Essay) -> None:
    """Nobody but a person gives points for it, so there is no response processing."""
    _declare(root, "responseDeclaration", "RESPONSE", "string", "single")
    _outcomes(root, question)
    body = node(root, "itemBody")
    if plain(question.model_answer):
        _paragraphs(node(body, "rubricBlock", view="scorer tutor"), question.model_answer)
    lines = str(max(1, question.lines))
    interaction = node(
        body, "extendedTextInteraction", responseIdentifier="RESPONSE", expectedLines=lines
    )
    _inline(node(interaction, "prompt"), question.prompt)
    _modal(root, question)


def _outcomes(root: ET.Element, question: QuizQuestion) -> None:
    score = _declare(root, "outcomeDeclaration", "SCORE", "float", "single")
    node(node(score, "defaultValue"), "value", "0")
    most = _declare(root, "outcomeDeclaration", "MAXSCORE", "float", "single")
    node(node(most, "defaultValue"), "value", number(question.points))
    if _judged(question):
        _declare(root, "outcomeDeclaration", "FEEDBACK", "identifier", "single")
    if plain(question.feedback.general):
        always = _declare(root, "outcomeDeclaration", "GENERAL", "identifier", "single")
        node(node(always, "defaultValue"), "value", "general")


def _judged(question: QuizQuestion) -> bool:
    said = plain(question.feedback.correct) or plain(question.feedback.incorrect)
    return bool(said) and not isinstance(question, Essay)


def _judge(question: QuizQuestion, is_right: ET.Element, condition: ET.Element) -> None:
    """Choose what is said afterwards."""
    if _judged(question):
        _set(is_right, "FEEDBACK", "identifier", "correct")
        _set(node(condition, "responseElse"), "FEEDBACK", "identifier", "incorrect")


def _modal(root: ET.Element, question: QuizQuestion) -> None:
    said = [("GENERAL", "general", question.feedback.general)]
    if _judged(question):
        said += [("FEEDBACK", "correct", question.feedback.correct)]
        said += [("FEEDBACK", "incorrect", question.feedback.incorrect)]
    for outcome, ident, text in said:
        if plain(text):
            shown = {"outcomeIdentifier": outcome, "identifier": ident, "showHide": "show"}
            _paragraphs(node(root, "modalFeedback", **shown), text)


def _declare(
    root: ET.Element, tag: str, ident: str, base_type: str, cardinality: str
) -> ET.Element:
    return node(root, tag, identifier=ident, cardinality=cardinality, baseType=base_type)


def _set(parent: ET.Element, outcome: str, base_type: str, value: str) -> None:
    made = node(parent, "setOutcomeValue", identifier=outcome)
    node(made, "baseValue", value, baseType=base_type)


def _paragraphs(parent: ET.Element, text: str) -> None:
    for paragraph in plain(text).split("\n\n"):
        _inline(node(parent, "p"), paragraph)


def _inline(parent: ET.Element, text: str) -> None:
    """Text with its line breaks, as the whole content of an element."""
    _inline_part(parent, plain(text))


def _inline_part(parent: ET.Element, text: str) -> None:
    """Text after what an element holds already."""
    lines = text.split("\n")
    _append(parent, lines[0])
    for _, line in pairwise(lines):
        node(parent, "br").tail = line


def _append(parent: ET.Element, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
