"""Quizzes as packages in QTI 1.2, which Canvas reads and with it most other platforms.

One XML file holds the whole quiz; a second one tells Canvas its title and points. Scores go from 0
to 100 for every question, its weight is in the metadata.
"""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

from paige.exercise.exchange.qti_parts import (
    XSI,
    accepted,
    check_quiz,
    document,
    html_of,
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
    Feedback,
    FillIn,
    Matching,
    MultipleChoice,
    Quiz,
    QuizQuestion,
    ShortAnswer,
    TrueFalse,
    plain,
)

_QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
_CONTENT = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
_CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
_FULL = 100.0
_SEVERAL = "multiple_answers_question"


def write_qti(quiz: Quiz) -> bytes:
    """A zip with the quiz.

    The same quiz gives the same bytes, and a question keeps its identifier when it is edited.
    Raises: BadInput, naming the question that nobody could answer rightly.
    """
    check_quiz(quiz)
    name = quiz_identifier(quiz)
    return package(
        {
            "imsmanifest.xml": document(_manifest(quiz, name)),
            f"{name}/{name}.xml": document(_assessment(quiz, name)),
            f"{name}/assessment_meta.xml": document(_meta(quiz, name)),
        }
    )


def _manifest(quiz: Quiz, name: str) -> ET.Element:
    attributes = {
        "identifier": identifier("manifest", name),
        "xmlns": _CONTENT,
        "xmlns:xsi": XSI,
        "xsi:schemaLocation": f"{_CONTENT} http://www.imsglobal.org/xsd/imscp_v1p1.xsd",
    }
    root = ET.Element("manifest", attributes)
    metadata = node(root, "metadata")
    node(metadata, "schema", "IMS Content")
    node(metadata, "schemaversion", "1.1.3")
    node(root, "organizations")
    resources = node(root, "resources")
    meta = identifier("meta", name)
    quiz_node = node(resources, "resource", identifier=name, type="imsqti_xmlv1p2")
    node(quiz_node, "file", href=f"{name}/{name}.xml")
    node(quiz_node, "dependency", identifierref=meta)
    kind = "associatedcontent/imscc_xmlv1p1/learning-application-resource"
    href = f"{name}/assessment_meta.xml"
    node(node(resources, "resource", identifier=meta, type=kind, href=href), "file", href=href)
    return root


def _meta(quiz: Quiz, name: str) -> ET.Element:
    root = ET.Element("quiz", {"identifier": name, "xmlns": _CANVAS})
    node(root, "title", short_title(quiz.title, 200))
    node(root, "description", html_of(quiz.description) if plain(quiz.description) else "")
    shuffled = any(isinstance(each, MultipleChoice) and each.shuffle for each in quiz.questions)
    node(root, "shuffle_answers", str(shuffled).lower())
    node(root, "scoring_policy", "keep_highest")
    node(root, "quiz_type", "assignment")
    node(root, "points_possible", number(sum(each.points for each in quiz.questions)))
    return root


def _assessment(quiz: Quiz, name: str) -> ET.Element:
    root = ET.Element("questestinterop", {"xmlns": _QTI, "xmlns:xsi": XSI})
    assessment = node(root, "assessment", ident=name, title=short_title(quiz.title, 200))
    metadata = node(assessment, "qtimetadata")
    _field(metadata, "cc_maxattempts", "1")
    section = node(assessment, "section", ident="root_section")
    for place, question in enumerate(quiz.questions, 1):
        ident = identifier("item", quiz.id or quiz.title, question.id)
        item = node(section, "item", ident=ident, title=f"Question {place}")
        _write(item, question)
    return root


def _write(item: ET.Element, question: QuizQuestion) -> None:
    match question:
        case MultipleChoice():
            _write_choices(item, question, question.choices)
        case TrueFalse():
            told = (Choice("True", question.answer), Choice("False", not question.answer))
            _write_choices(item, question, told)
        case ShortAnswer():
            _write_short(item, question)
        case FillIn():
            _write_blanks(item, question)
        case Matching():
            _write_pairs(item, question)
        case Essay():
            _write_essay(item, question)


def _write_choices(
    item: ET.Element, question: MultipleChoice | TrueFalse, choices: Sequence[Choice]
) -> None:
    several = isinstance(question, MultipleChoice) and question.several
    chosen = (
        "true_false_question" if isinstance(question, TrueFalse) else "multiple_choice_question"
    )
    labels = [f"choice_{place}" for place in range(1, len(choices) + 1)]
    presentation = _begin(item, question, _SEVERAL if several else chosen, labels)
    cardinality = "Multiple" if several else "Single"
    response = node(presentation, "response_lid", ident="response1", rcardinality=cardinality)
    shuffle = isinstance(question, MultipleChoice) and question.shuffle
    render = node(response, "render_choice", shuffle="Yes" if shuffle else "No")
    for label, choice in zip(labels, choices, strict=True):
        _material(node(render, "response_label", ident=label), choice.text)
    processing = _processing(item, question.feedback)
    said = [(label, each.feedback) for label, each in zip(labels, choices, strict=True)]
    for label, text in said:
        if plain(text):
            condition = _condition(processing, go_on=True)
            _equal(node(condition, "conditionvar"), "response1", label)
            _say(condition, f"{label}_fb")
    right = _condition(processing)
    _right_choices(node(right, "conditionvar"), labels, choices, several=several)
    node(right, "setvar", number(_FULL), action="Set", varname="SCORE")
    _say_correct(right, question.feedback)
    _end(item, processing, question.feedback)
    for label, text in said:
        _feedback(item, f"{label}_fb", text)


def _right_choices(
    condition: ET.Element, labels: Sequence[str], choices: Sequence[Choice], *, several: bool
) -> None:
    """One choice; or of several all that are right and none that is not."""
    target = node(condition, "and") if several else condition
    for label, choice in zip(labels, choices, strict=True):
        if choice.correct:
            _equal(target, "response1", label)
        elif several:
            _equal(node(target, "not"), "response1", label)


def _write_short(item: ET.Element, question: ShortAnswer) -> None:
    presentation = _begin(item, question, "short_answer_question", [])
    response = node(presentation, "response_str", ident="response1", rcardinality="Single")
    node(node(response, "render_fib"), "response_label", ident="answer1", rshuffle="No")
    processing = _processing(item, question.feedback)
    _right_answers(processing, question)
    _end(item, processing, question.feedback)


def _right_answers(processing: ET.Element, question: ShortAnswer) -> None:
    """A condition for each answer: several in one would all have to be given at once."""
    for answer in accepted(question.answers):
        right = _condition(processing)
        case = "Yes" if question.case_sensitive else "No"
        _equal(node(right, "conditionvar"), "response1", answer, case=case)
        node(right, "setvar", number(_FULL), action="Set", varname="SCORE")
        _say_correct(right, question.feedback)


def _write_blanks(item: ET.Element, question: FillIn) -> None:
    names = [f"blank{place}" for place in range(1, len(question.blanks) + 1)]
    answers = [accepted(each) for each in question.blanks]
    labels = [
        [f"{name}_{place}" for place in range(1, len(texts) + 1)]
        for name, texts in zip(names, answers, strict=True)
    ]
    texts = pieces(question.prompt)
    prompt = "".join(f"{text}[{name}]" for text, name in zip(texts, [*names, ""], strict=True))
    flat = [label for each in labels for label in each]
    presentation = _begin(
        item, question, "fill_in_multiple_blanks_question", flat, prompt.removesuffix("[]")
    )
    for name, own, texts in zip(names, labels, answers, strict=True):
        response = node(presentation, "response_lid", ident=f"response_{name}")
        _material(response, name, plain_text=True)
        render = node(response, "render_choice")
        for label, text in zip(own, texts, strict=True):
            _material(node(render, "response_label", ident=label), text, plain_text=True)
    asked = [(f"response_{name}", own) for name, own in zip(names, labels, strict=True)]
    _write_shares(item, question.feedback, asked)


def _write_pairs(item: ET.Element, question: Matching) -> None:
    rights = right_sides(question)
    labels = {text: f"match_{place}" for place, text in enumerate(rights, 1)}
    presentation = _begin(item, question, "matching_question", list(labels.values()))
    asked: list[tuple[str, list[str]]] = []
    for place, (left, right) in enumerate(question.pairs, 1):
        response = node(presentation, "response_lid", ident=f"response_{place}")
        _material(response, left, plain_text=True)
        render = node(response, "render_choice")
        for text, label in labels.items():
            _material(node(render, "response_label", ident=label), text, plain_text=True)
        asked.append((f"response_{place}", [labels[plain(right)]]))
    _write_shares(item, question.feedback, asked)


def _write_shares(
    item: ET.Element, feedback: Feedback, asked: Sequence[tuple[str, Sequence[str]]]
) -> None:
    """Every part that is right adds its share; the shares are 100 together, to the last digit."""
    processing = _processing(item, feedback)
    share = round(_FULL / len(asked), 2)
    for place, (response, labels) in enumerate(asked, 1):
        last = place == len(asked)
        worth = round(_FULL - share * (len(asked) - 1), 2) if last else share
        for label in labels:
            condition = _condition(processing, go_on=True)
            _equal(node(condition, "conditionvar"), response, label)
            node(condition, "setvar", number(worth), action="Add", varname="SCORE")
    if plain(feedback.correct) or plain(feedback.incorrect):
        right = _condition(processing)
        every = node(node(right, "conditionvar"), "and")
        for response, labels in asked:
            either = node(every, "or")
            for label in labels:
                _equal(either, response, label)
        _say_correct(right, feedback)
    _end(item, processing, feedback)


def _write_essay(item: ET.Element, question: Essay) -> None:
    presentation = _begin(item, question, "essay_question", [])
    response = node(presentation, "response_str", ident="response1", rcardinality="Single")
    render = node(response, "render_fib", rows=str(max(1, question.lines)))
    node(render, "response_label", ident="answer1", rshuffle="No")
    shown = [plain(question.feedback.general), plain(question.model_answer)]
    general = Feedback(general="\n\n".join(text for text in shown if text))
    processing = _processing(item, general)
    node(node(_condition(processing), "conditionvar"), "other")
    _end(item, processing, general)


def _begin(
    item: ET.Element,
    question: QuizQuestion,
    kind: str,
    labels: Sequence[str],
    prompt: str | None = None,
) -> ET.Element:
    """What comes before the answers: the metadata and the question itself."""
    metadata = node(node(item, "itemmetadata"), "qtimetadata")
    _field(metadata, "question_type", kind)
    _field(metadata, "points_possible", number(question.points))
    if labels:
        _field(metadata, "original_answer_ids", ",".join(labels))
    presentation = node(item, "presentation")
    _material(presentation, question.prompt if prompt is None else prompt)
    return presentation


def _processing(item: ET.Element, feedback: Feedback) -> ET.Element:
    processing = node(item, "resprocessing")
    outcome = {"maxvalue": number(_FULL), "minvalue": "0", "varname": "SCORE"}
    node(node(processing, "outcomes"), "decvar", vartype="Decimal", **outcome)
    if plain(feedback.general):
        always = _condition(processing, go_on=True)
        node(node(always, "conditionvar"), "other")
        _say(always, "general_fb")
    return processing


def _say_correct(right: ET.Element, feedback: Feedback) -> None:
    if plain(feedback.correct):
        _say(right, "correct_fb")


def _end(item: ET.Element, processing: ET.Element, feedback: Feedback) -> None:
    """What is said when nothing before was right, and the texts of all that is said."""
    if plain(feedback.incorrect):
        otherwise = _condition(processing, go_on=True)
        node(node(otherwise, "conditionvar"), "other")
        _say(otherwise, "general_incorrect_fb")
    _feedback(item, "general_fb", feedback.general)
    _feedback(item, "correct_fb", feedback.correct)
    _feedback(item, "general_incorrect_fb", feedback.incorrect)


def _feedback(item: ET.Element, ident: str, text: str) -> None:
    if plain(text):
        _material(node(node(item, "itemfeedback", ident=ident), "flow_mat"), text)


def _condition(processing: ET.Element, *, go_on: bool = False) -> ET.Element:
    return node(processing, "respcondition", **{"continue": "Yes" if go_on else "No"})


def _equal(parent: ET.Element, response: str, value: str, **attributes: str) -> None:
    node(parent, "varequal", value, respident=response, **attributes)


def _say(condition: ET.Element, ident: str) -> None:
    node(condition, "displayfeedback", feedbacktype="Response", linkrefid=ident)


def _material(parent: ET.Element, text: str, *, plain_text: bool = False) -> None:
    kind = "text/plain" if plain_text else "text/html"
    shown = plain(text) if plain_text else html_of(text)
    node(node(parent, "material"), "mattext", shown, texttype=kind)


def _field(metadata: ET.Element, label: str, entry: str) -> None:
    made = node(metadata, "qtimetadatafield")
    node(made, "fieldlabel", label)
    node(made, "fieldentry", entry)
