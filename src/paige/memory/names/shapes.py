"""Names that no list holds, known by how they are built.

Punjabi names join two parts of a small stock, Chinese ones join syllables of pinyin, Slavic ones
and many surnames have endings that few other words have. A word is asked for its shape only when no
list knows it.
"""

import re
from typing import Literal

_PUNJABI = re.compile(
    r"(?:aman|amar|amrit|ansh|arsh|av|bal|bhag|bhup|bir|char(?:an)?|dal|dav|deep|dev|dharam|dil|"
    r"ek|gagan|gian|gul|gur|har|harman|hir|inder|ish|jag|jap|jas|jat|jiv|jot|kamal|karam|karan|"
    r"khush|kiran|kul|lakh|lov|love|mal|man|mand|meh(?:ar)?|mohan|nav|nir|noor|pal|par|param|parm|"
    r"pav|prab(?:h)?|prit|preet|raj|ram(?:an)?|ran|rav|rip|roop|rup|saha?j|sam(?:ar)?|san|sat|"
    r"shar(?:an)?|sher|sim(?:ar|ran)?|sukh|sur|taj|tar(?:an)?|tej|var|veer|vikram|vir|yad|yuv)"
    r"(?:preet|jeet|jit|deep|dip|w?inder|vinder|pal|leen|want|b[ie]r|veer|vir|dev|jot|"
    r"meet|roop|noor|sharan|raj|kirat|kiran|simran|mandeep|neet|tej)"
)
_INITIALS = r"(?:zh|ch|sh|[bpmfdtnlgkhjqxrzcsyw])"
_FINALS = (
    r"(?:iang|iong|uang|ang|eng|ing|ong|ian|iao|uai|uan|ai|an|ao|ei|en|er|ia|ie|in|iu|ou|ua|ue|ui|"
    r"un|uo|[aeiou])"
)
_PINYIN = re.compile(rf"{_INITIALS}?{_FINALS}(?:{_INITIALS}{_FINALS})")
# At least one part that English hardly has; `Banana` and `Panda` are built of pinyin too.
_CHINESE = re.compile(
    r"zh|x[iu]|q[^u]|uang|iang|iao|iong|yu[aeiou]?n|[jh]ua|[dghlnrtz]uo|[lmhjnty]ui?ao"
    r"|(?:yu|yi|wei|jie|hui|xin|qing|ling|ming|feng|hong|rong|zhen|yan|lei|fei|ying|jun|han)$"
)
_SLAVIC_GIVEN = re.compile(
    r".{2,}(?:slaw|slawa|slav|slava|myr|myra|mira|mierz|osz|iusz|usz|ysia|eczek|yna|iia|iya|ianna)"
)
_SURNAME = re.compile(
    r".{2,}(?:owski|owska|ewski|ewska|inski|inska|ynski|ynska|[a-z]cki|[a-z]cka|dzki|dzka|ski|ska|"
    r"owicz|ewicz|czyk|czak|czuk|enko|chuk|shyn|yshyn|skyi|skyy|skyj|tsky|tska|skaya|ovych|"
    r"evych|vych|dottir|poulos|idis|escu)"
)

Shape = Literal["given", "surname"]


def shape_of(low: str) -> Shape | None:
    """Whether an unknown word is built like a given name or a surname."""
    if len(low) < 5 or not low.isascii():
        return None
    if _PUNJABI.fullmatch(low) or _SLAVIC_GIVEN.fullmatch(low):
        return "given"
    if _PINYIN.fullmatch(low) and _CHINESE.search(low):
        return "given"
    return "surname" if _SURNAME.fullmatch(low) else None
