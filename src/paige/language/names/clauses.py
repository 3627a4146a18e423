"""Reads what stands after a possible name as a verb: does somebody do something here?

`Reed plays with the cable` has a subject and a verb; `Reed beds are` and `Bill splitting is` have
none that could be a person's. No grammar is needed for that, only the forms of some hundred verbs
and one look at the word after.
"""

from typing import NamedTuple

from paige.language.names.lists import Form, Kind, cue, lists
from paige.language.names.tokens import Token, is_ordinary

SURE = 0.75
_WEAK = 0.3
_SOME = 0.25
_PLACING = ("from", "in", "at", "beside", "behind", "on", "by")


class Deed(NamedTuple):
    """How much a verb speaks for a person, and which verb it is."""

    worth: float
    verb: str


_NONE = Deed(0.0, "")


def deed_after(tokens: list[Token], index: int, kind: Kind) -> Deed:
    """What the word that ends before `index` does, if that word is somebody."""
    if _belongs(tokens, index):
        return Deed(SURE, tokens[index].low)
    index = _past_adverbs(tokens, _past_phrase(tokens, index))
    word = _plain(tokens, index)
    if word is None:
        return _NONE
    if word in cue("is") and _plain(tokens, index + 1) not in ("after", "at", "away", "for", "up"):
        return Deed(_being(tokens, index + 1, kind), word)
    worth = _worth_at(tokens, index, word, kind)
    if 0.0 < worth < SURE and _of_person(tokens, index, kind):
        worth = SURE
    return Deed(worth, word)


def _of_person(tokens: list[Token], index: int, kind: Kind) -> bool:
    """Whether a verb that things have too has a person here: by what the clause goes on about."""
    if _in_class(tokens, index + 1) or _goes_on(tokens, index + 1):
        return True
    if kind in ("deed", "quality", "unknown") or tokens[index].low in cue("of_times"):
        return False
    return not _is_content(tokens, index + 1)


def _is_content(tokens: list[Token], index: int) -> bool:
    """Whether the clause goes on about what lessons are about, or names a place or an age."""
    return any(
        token.low in cue("content") or (token.shape == "cap" and token.sort in ("term", "figure"))
        for token in tokens[index : index + 12]
    )


def _worth_at(tokens: list[Token], index: int, word: str, kind: Kind) -> float:
    if word in cue("defines"):
        return 0.0
    if word in ("does", "did") and _plain(tokens, index + 1) in cue("do_how"):
        return SURE
    if word in cue("arrives") and _plain(tokens, index + 1) in ("late", "top", "first", "last"):
        return _SOME if _is_content(tokens, index) else SURE
    if word in cue("modals") or word in ("does", "did"):
        return _could(tokens, index + 1, kind)
    if word in cue("has"):
        return _having(tokens, index + 1, kind)
    form = lists().verbs.get(word) or _guessed(tokens, index, word)
    return 0.0 if form is None or form.tense == "base" else _doing(tokens, index, form, kind)


def _plain(tokens: list[Token], index: int) -> str | None:
    """The word at a place when it goes on with the same clause."""
    if index >= len(tokens) or tokens[index].shape != "lower":
        return None
    gap = tokens[index].gap
    return tokens[index].low if gap == " " or (gap == ". " and not tokens[index].first) else None


def _words(tokens: list[Token], index: int, count: int) -> list[str]:
    """The next plain words, at most so many."""
    found: list[str] = []
    while len(found) < count and (word := _plain(tokens, index + len(found))) is not None:
        found.append(word)
    return found


def _past_adverbs(tokens: list[Token], index: int) -> int:
    for _ in range(2):
        word = _plain(tokens, index)
        if word not in cue("adverbs") and not (word and word.endswith("ly") and len(word) > 5):
            break
        index += 1
    return index


def _belongs(tokens: list[Token], index: int) -> bool:
    """`Pat from the office`: somebody who works or learns there."""
    near = _words(tokens, index, 5)
    return near[:1] == ["from"] and any(word in cue("teams") for word in near[1:])


def _past_phrase(tokens: list[Token], index: int) -> int:
    """`Carol in the library keeps`: the verb stands after the phrase."""
    if _plain(tokens, index) not in _PLACING:
        return index
    for place in range(index + 1, min(index + 6, len(tokens))):
        if tokens[place].gap not in (" ", " 2", " 3") and not tokens[place].gap.strip().isalnum():
            break
        form = lists().verbs.get(tokens[place].low)
        if form is not None and form.tense == "now" and not _is_noun(tokens, place, form):
            return place
    return index


def _is_noun(tokens: list[Token], index: int, form: Form) -> bool:
    """`chains` in `Daisy chains are`, `models` in `Clay models of cells`."""
    near = _words(tokens, index + 1, 2)
    if near and near[0] in cue("plural"):
        return True
    if not form.noun:
        return False
    if not near:  # `Hinge questions` ends here, `plays Lady Macbeth` goes on
        return index + 1 >= len(tokens) or tokens[index + 1].gap != " "
    after = near[0]
    if after in cue("is") or after in cue("modals") or after in cue("has"):
        return True
    if after in ("of", "from", "for", "and", "or") and near[1:2] not in (["me"], ["us"], ["him"]):
        return True
    verb = lists().verbs.get(after)
    return verb is not None and verb.tense != "now" and after not in cue("little")


def _guessed(tokens: list[Token], index: int, word: str) -> Form | None:
    """A verb that is not on the list: `zips the`, `zipped along`; what stands after it tells."""
    after = _plain(tokens, index + 1)
    acts = after in cue("objects")
    if len(word) < 5 or not is_ordinary(word, lists()):
        return None
    if acts and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return Form("now", noun=False, thing=True, state=True)
    if word.endswith("ed") and (acts or after in cue("ways") or after in cue("towards")):
        return Form("past", noun=False, thing=True, state=True)
    return None


def _doing(tokens: list[Token], index: int, form: Form, kind: Kind) -> float:
    if form.tense == "now" and _is_noun(tokens, index, form):
        return 0.0
    after = _plain(tokens, index + 1)
    if (form.noun and form.tense == "now") or form.same:
        # `Mark answers in pencil`, but `Chase runs ahead`; `June tests in the hall`, but not `Paris
        # skips breakfast`.
        clear = after in cue("objects") or after in cue("ways")
        if kind in ("deed", "quality") and not clear:
            return _WEAK
        if (
            kind in ("place", "unknown")
            and after in cue("towards")
            and not _with_particle(tokens, index)
        ):
            return _WEAK
    return SURE if _personal(form, kind) else _WEAK


def _with_particle(tokens: list[Token], index: int) -> bool:
    """`hands in`, `joins in`: a verb of two words."""
    return tokens[index].low in cue("in_too") and _plain(tokens, index + 1) == "in"


def _personal(form: Form, kind: Kind) -> bool:
    """Whether a word of this kind would not do that."""
    if kind in ("place", "unknown"):
        return not form.thing and not form.state
    return not form.thing if kind == "stuff" else True


def _could(tokens: list[Token], index: int, kind: Kind) -> float:
    """`should sit`, `would rather present`, `will not write`, `ought to have`."""
    while _plain(tokens, index) in ("not", "rather", "probably", "only", "to", "be", "have"):
        index += 1
    index = _past_adverbs(tokens, index)
    word = _plain(tokens, index) or ""
    if word in cue("is_like") or word in cue("done_to"):
        return SURE
    if word == "do" and _plain(tokens, index + 1) in cue("do_how"):
        return SURE
    form = lists().verbs.get(word)
    if form is None:
        return _SOME
    return SURE if _personal(form, kind) else _WEAK


def _being(tokens: list[Token], index: int, kind: Kind) -> float:
    near = _words(tokens, index, 4)
    if any(is_like(word, kind) for word in near[:3]) or any(
        word in cue("done_to") for word in near
    ):
        return SURE
    if set(near[:2]) & cue("things_are") and "too" not in near:
        # `June is making good progress`, `Ruby is new to the class`; `June is quiet` is no pupil.
        bare = tokens[index - 2].low not in cue("months") and kind != "unknown"
        bare = bare and not _is_content(tokens, index)
        return SURE if bare or _in_class(tokens, index) else _SOME
    if near[1:2] == ["at"] and near[0] in cue("skilled"):
        return SURE
    if near[:1] == ["in"] and set(near) & (cue("teams") | cue("classroom")):
        return SURE
    if near[:1] == ["not"]:
        near = near[1:]
    if near and near[0].endswith("ing") and _person_doing(near[0]):
        return SURE
    if near and near[0] in ("a", "an", "our", "my", "the", "one") and set(near) & cue("persons"):
        return SURE
    return _SOME


def is_like(word: str, kind: Kind) -> bool:
    """Whether a word of this kind is so only when it is somebody: June is late, but not absent."""
    if kind in ("place", "stuff", "unknown") and word in cue("things_are"):
        return False
    return word in cue("is_like")


def _person_doing(word: str) -> bool:
    """Whether only people are `-ing` like that."""
    stem = word[:-3]
    for base in (stem, f"{stem}e", stem[:-1] if stem[-1:] == stem[-2:-1] else stem):
        form = lists().verbs.get(base)
        if form is not None:
            return not form.thing
    return False


def _having(tokens: list[Token], index: int, kind: Kind) -> float:
    near = _words(tokens, index, 5)
    if near[:1] == ["to"]:
        return _could(tokens, index, kind)
    index += near[:1] == ["not"]
    if near[:1] == ["been"]:
        return _being(tokens, index + 1, kind)
    if any(word in cue("theirs") or word in cue("owned") for word in near):
        return SURE
    index = _past_adverbs(tokens, index)
    form = lists().verbs.get(_plain(tokens, index) or "")
    if form is None or form.tense != "past":
        return _SOME
    return SURE if _personal(form, kind) else _WEAK


def _in_class(tokens: list[Token], index: int) -> bool:
    """Whether the clause goes on about what pupils have around them."""
    near = _words(tokens, index, 7)
    if any(word in cue("owned") or word in cue("classroom") for word in near):
        return True
    if "class" in near and near[near.index("class") - 1] == "in":
        return True
    if "set" in near and near[near.index("set") - 1] in (
        "next",
        "top",
        "bottom",
        "higher",
        "lower",
    ):
        return True
    return "extra" in near and bool(set(near) & {"time", "help", "support"})


def _goes_on(tokens: list[Token], index: int) -> bool:
    """`Chelsea supports Hearts and writes about it`: a second verb that only people do."""
    for place in range(index, min(index + 6, len(tokens) - 1)):
        if tokens[place].low == "and" and tokens[place].gap == " ":
            form = lists().verbs.get(_plain(tokens, place + 1) or "")
            return form is not None and form.tense == "now" and not (form.thing or form.noun)
    return False


def are_together(tokens: list[Token], index: int) -> bool:
    """Whether two people do something after `index`: `argue`, `are brothers`, `do not get on`."""
    near = _words(tokens, index, 6)
    if not near:
        return False
    if "other" in near or "apart" in near or near[:3] == ["do", "not", "get"]:
        return True
    if near[0] in ("are", "were") and len(near) > 1:
        return near[1] in cue("roles") or near[1] in cue("is_like") or near[1] in cue("kin")
    if near[0] in cue("modals"):
        near = [word for word in near[1:] if word not in ("not", "both", "be")]
    form = lists().verbs.get(near[0]) if near else None
    return form is not None and form.tense == "base" and not form.thing and not form.state


def are_taught(tokens: list[Token], index: int) -> bool:
    """Whether two names are what a lesson is about: `are the two poets`, `are characters in`."""
    near = _words(tokens, index, 5)
    return near[:1] in (["are"], ["were"]) and any(word in cue("taught_about") for word in near[1:])
