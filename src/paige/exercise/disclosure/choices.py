"""Multiple choice, and yes or no: pointing at the right one, or leaving only it over."""

import re
from collections.abc import Iterator

from paige.exercise.disclosure.case import Case, Finding, Said
from paige.exercise.disclosure.giveaways import is_given, spans
from paige.exercise.disclosure.key import Form, Option
from paige.exercise.disclosure.lexicon import lexicon
from paige.language.patterns import LinearPattern

_LETTER = re.compile(
    r"(?:options?|choices?|answers?|letters?|alternatives?|pick|choose|select|tick|circle)"
    r"(?: (?:is|are|was|be|would be))?[\s:\"'(*`]+([A-Ha-h])(?![\w'])"
    r"|[(\"'*`]([A-Ha-h])[)\"'*`.]"
    r"|(?<![\w'])([B-H])(?![\w'])"
    r"|(?<![\w'])(A)(?=\s*(?:[.,;:!?)]|$|(?:is|and|or|nor|because|isn't|can't|cannot|does|doesn't|was|wasn't|won't|would|fails|needs|fits)\b))"
    r"|^\W*([a-h])\W*$"
)
_ORDINALS = {
    name: place
    for place, names in (
        *((0, "first 1st one 1 top"), (1, "second 2nd two 2"), (2, "third 3rd three 3")),
        *((3, "fourth 4th four 4"), (4, "fifth"), (-1, "last final bottom"), (-2, "penultimate")),
    )
    for name in names.split()
}
_ORDINAL = re.compile(
    r"\b(first|second|third|fourth|fifth|last|final|top|bottom|1st|2nd|3rd|4th|penultimate)"
    r"(?: (?:one|option|choice|answer|alternative|item|letter of the alphabet|word|letter"
    r"|in (?:the|your) list|of (?:those|these|the|your)|you (?:said|named|listed|mentioned)))"
    r"|\b(?:option|choice|number|answer)\s(?:number )?(one|two|three|four|1|2|3|4)\b"
    r"|\b(first|second|third|fourth|last)(?=\W*$)"
)
_OPENING = re.compile(r"^\W*(yes|no|true|false|yep|nope|yeah|oui|non|si|ja|nein|ya|tidak)\b")
_ASKS_HELP = LinearPattern(
    r"\b(?:can|could|would|will|may|are you able|do you)\b.*\b(?:you|i|we|help|hint|explain"
    r"|give)\b|\bhint\b"
    r"|\bhelp\b|\bplease\b|\bready\b|\bsorry\b"
)
_OTHERWISE = re.compile(r"\W*(?:problem|worries|rush|hurry|matter|need|hints?|idea|one|two)\b")
_POLITE = re.compile(
    r"\W*(?:of course|sure|let|i\b|we\b|here|gladly|happ|certainly|absolutely|you can|not yet"
    r"|sorry|but|please|"
    r"ask|that'?s what|always|any time|go ahead|do\b|good|$)"
)
_SHORT_YES = re.compile(
    r"^\W*(?:it|they|that|this|you|one) (?:is|are|does|do|can|will|would|was)\W*$"
)
_SHORT_NO = re.compile(
    r"^\W*(?:it|they|that|this|you|one) (?:(?:is|are|does|do|can|will|would|was)(?:n't| not)"
    r"|cannot|never (?:is|can|does))\W*$"
)
_VERDICT = re.compile(
    r"\b(?:statement|claim|sentence|answer|it|this|that|assertion|proposition)(?:'s| is| was"
    r"| must be| has to be|"
    r" would be)? (?:absolutely |indeed |definitely |completely |simply |actually |)(?P<not>not "
    r"|n't )?"
    r"(?P<truth>true|false|correct|incorrect|wrong|accurate|inaccurate|right|holds|valid|invalid"
    r"|a myth|a fact|"
    r"untrue|so|negative|affirmative|positive)\b"
)
_YES = frozenset(str.split("true correct accurate right holds valid so affirmative positive"))
_YES |= {"a fact"}
_AGREES = frozenset({"yes", "true", "yep", "yeah", "oui", "si", "ja", "ya"})
_HEDGE = re.compile(
    r"\b(?:if|whether|why|suppose|imagine|what if|when|think about|decide|how|not sure)\b"
)
_NOT = re.compile(r"\bnot\b|n't\b|\bnever\b|\bno\b|\bcannot\b|\bisnt\b|\bfalse\b|\bwrong\b")


_ALL_BUT = (
    r"(?:\bexcept|\ball but|\banything but|\beverything but|\bother than|\bapart from|\bleaves?|"
    r"\bleaving|\bbesides|\bbar)(?: for)?(?: only| just| you with| us with)?(?: option| answer)?"
    r"[\s\"'(*`]+"
)


def letters_in(said: Said) -> list[str]:
    """The option letters a text mentions, in order."""
    return [
        next(letter for letter in match.groups() if letter).lower()
        for match in _LETTER.finditer(said.seen)
    ]


def chosen(form: Form, case: Case) -> Iterator[Finding]:
    """The letter of the right option, its place in the list, or the only one left."""
    if form.letter:
        yield from _by_letter(form.letter, case)
        yield from _by_place(form.letter, case)
        yield from _by_elimination(form.letter, case)


def _by_letter(letter: str, case: Case) -> Iterator[Finding]:
    reply = case.reply
    if re.search(_ALL_BUT + rf"{letter}\b", reply.folded):
        yield Finding("eliminated", 4, "The reply rules out every option but the right one")
        return
    mentioned = set(letters_in(reply))
    if letter not in mentioned:
        return
    others = mentioned - {letter}
    ruled = _ruled_out(reply, case.options)
    if is_given(letter, reply, ends=False) and letter not in ruled:
        yield Finding("chosen", 4, "The reply points at the right option")
    elif not others and letter not in ruled:
        yield Finding("chosen", 4, "The reply singles out the right option")


def _by_place(letter: str, case: Case) -> Iterator[Finding]:
    for sentence in case.reply.sentences:
        if sentence.asks and not re.search(r"\babout\b|\bisn't\b", sentence.folded):
            continue
        for match in _ORDINAL.finditer(sentence.folded):
            place = _ORDINALS[match[1] or match[2] or match[3]]
            before = sentence.folded[: match.start()]
            if _NOT.search(before[-24:]) or re.search(r"\btry|attempt|guess\b", match[0]):
                continue
            if _at_place(place, letter, case):
                yield Finding("chosen", 4, "The reply says which option it is by its place")
                return


def _at_place(place: int, letter: str, case: Case) -> bool:
    listed = letters_in(case.last)
    for letters in (listed, [option.letter for option in case.options]):
        if len(letters) > 1 and -len(letters) <= place < len(letters):
            return letters[place] == letter
    return False


def _by_elimination(letter: str, case: Case) -> Iterator[Finding]:
    every = {option.letter for option in case.options}
    if len(every) < 2:
        every = {"a", "b", "c", "d"}
    now = _ruled_out(case.reply, case.options) - _guessed(case)
    before = set().union(*(_ruled_out(said, case.options) for said in case.tutor))
    wrong = every - {letter}
    other = re.search(r"\bthe other (?:one|option|word|choice)\b", case.reply.folded)
    if other and len(wrong) == 1 and wrong & _guessed(case):
        yield Finding("eliminated", 4, "The reply points at the other option")
    told = _spoken_of(case.reply, case.options)
    silent = len(wrong) > 1 and told == wrong
    if silent or (now - before and (now | before | _guessed(case)) >= wrong and letter not in now):
        yield Finding("eliminated", 4, "The reply rules out every option but the right one")


def _ruled_out(said: Said, options: tuple[Option, ...]) -> set[str]:
    """The letters of the options that the statements of a text call wrong."""
    ruling_out = lexicon().phrases["ruling_out"]
    denials = (
        clause
        for sentence in said.sentences
        if not sentence.asks and ruling_out.search(sentence.folded)
        for clause in _clauses(sentence)
        if ruling_out.search(clause.folded)
    )
    return {letter for clause in denials for letter in _named_in(clause, options)}


def _spoken_of(said: Said, options: tuple[Option, ...]) -> set[str]:
    """The letters of the options that the statements of a text mention at all."""
    told = (sentence for sentence in said.sentences if not sentence.asks)
    return {letter for sentence in told for letter in _named_in(sentence, options)}


def _named_in(said: Said, options: tuple[Option, ...]) -> set[str]:
    named = {one.letter for one in options if one.words and f" {' '.join(one.words)} " in said.line}
    return named.union(letters_in(said))


def _guessed(case: Case) -> set[str]:
    """The options the learner tried; that they are wrong may be said."""
    tried = [said for said in case.learner if len(said.words) < 14]
    return set().union(*(_spoken_of(Said(f"{said.raw}."), case.options) for said in tried))


def _clauses(sentence: Said) -> list[Said]:
    pieces = re.split(
        r"\bbut\b|;|\bso\b|\bwhile\b|\bwhereas\b|\bleaving\b|\bleaves\b", sentence.seen
    )
    return [Said(piece) for piece in pieces if piece.strip()]


def eliminated_text(form: Form, case: Case) -> Iterator[Finding]:
    """The right option by its text, when it is the only one spoken of."""
    right = next((one for one in case.options if one.words == form.words), None)
    if right is None or not form.words:
        return
    text = " ".join(form.words)
    if not spans(text, case.reply.folded) or right.letter in _ruled_out(case.reply, case.options):
        return
    others = [
        option
        for option in case.options
        if option is not right and option.words and spans(" ".join(option.words), case.reply.folded)
    ]
    common = all(word in lexicon().common for word in form.words)
    subject = re.search(
        rf"(?:^|[.!?\n])\W*(?:an? |the )?{re.escape(text)}s? "
        r"(?:can|is|are|has|have|will|does|do)\b",
        case.reply.folded,
    )
    singled = not others and (subject or not common)
    if is_given(text, case.reply, ends=common) or singled:
        yield Finding("chosen", 4, "The reply singles out the right option")


def settled(form: Form, case: Case) -> Iterator[Finding]:
    """Yes or no, true or false: said, or said of the statement."""
    if not form.truth:
        return
    opening = _OPENING.match(case.reply.folded)
    asked = _ASKS_HELP.matches(case.last.folded)
    if opening and (opening[1] in _AGREES) == (form.truth == "yes"):
        rest = case.reply.folded[opening.end() :]
        if not _OTHERWISE.match(rest) and not (asked and _POLITE.match(rest)):
            yield Finding("settled", 4, "The reply settles the question")
            return
    for sentence in case.reply.sentences:
        if not sentence.asks and _settles(sentence, form.truth, case):
            yield Finding("settled", 4, "The reply settles the question")
            return


def _settles(sentence: Said, truth: str, case: Case) -> bool:
    verdict = _VERDICT.search(sentence.folded)
    if verdict and not _HEDGE.search(sentence.folded[: verdict.start()]):
        says = verdict["truth"] in _YES and not verdict["not"]
        says = says or (verdict["truth"] not in _YES and bool(verdict["not"]))
        if says == (truth == "yes"):
            return True
    if (_SHORT_YES if truth == "yes" else _SHORT_NO).match(sentence.folded):
        return True
    if _HEDGE.search(sentence.folded):
        return False
    return _asserts_question(sentence, truth, case)


def _asserts_question(sentence: Said, truth: str, case: Case) -> bool:
    """A statement with all the ideas of the question takes a side."""
    stop = lexicon().stop | {"true", "false", "yes", "no", "statement", "question", "answer"}
    wanted = {word for word in case.question.words if word not in stop}
    if not wanted or not wanted <= set(sentence.words):
        return False
    claim = re.sub(r"true or false|yes or no|right or wrong", "", case.question.folded)
    denied = bool(_NOT.search(sentence.folded)) != bool(_NOT.search(claim))
    return denied == (truth == "no")
