"""What else a given name may be: a place or a month, a substance, something to do, a quality.

It decides how much the words around prove. A thing that can be counted needs `the` or `a` in front
of it, so `Daisy drew` is a person, while `Hope springs` and `India gained` need more than a verb.
"""

from typing import Literal

from paige.memory.names.lists import lists, words_of

Kind = Literal["thing", "stuff", "deed", "quality", "place", "unknown"]
"""`unknown` is a word that no list has: a product, a place or a name."""

_STUFF = words_of(
    "angel art ash autumn basil bliss blossom charity china clay clover comfort coral crystal dawn "
    "deep delight destiny ebony faith favour fern fortune ginger glory goodness grace happy "
    "harmony hazel heather henna holly honesty honey honor honour hope indigo ivy jade jasmine joy "
    "justice karma lavender liberty love magnolia melody mercy moss myrtle olive pansy patience "
    "peace pearl pepper poppy praise prosperity rain rosemary ruby saffron sage salam serenity "
    "shade silver sky song spring storm summer sunshine temperance trinity triumph truth unity "
    "velvet verity victory violet wisdom winter yoga willow primrose laurel"
)
_DEEDS = words_of(
    "bill bob buck can chance chase cook dash don drew duke earl gene grant guy hunt jack lance "
    "mark may nick norm pat peg pierce prosper rob rock rush said skip sue trip ward whisper will "
    "read page"
)
_QUALITIES = words_of(
    "small short black white green brown sharp little good low best smart hardy noble major savage "
    "swift stark sweet wise moody bright elder younger cross power high "
    "amber blue bonnie christian deep divine earnest frank german gray grey happy harsh hazel "
    "innocent jolly long lovely lucky marvellous misty olive precious rich rocky roman royal rusty "
    "sandy scarlet silver sincere sterling sunny teal unique violet wilder young"
)


# Listed among the terms for other reasons, but things and qualities when they are not names.
_NO_PLACES = words_of("river earl ram van unity nat christian roman abbey")


def kind_of(low: str) -> Kind:
    """What a word is when it is not a name."""
    known = lists()
    if (low in known.terms or low in known.figures) and low not in _NO_PLACES:
        return "place"
    if low in _DEEDS:
        return "deed"
    if low in _QUALITIES:
        return "quality"
    return "stuff" if low in _STUFF else "thing"
