"""Small questions about texts: how long, on one line, alike, in which language."""

from rapidfuzz import fuzz

from paige.language.words import word_count

_LANGUAGES = {
    "ar": "Arabic", "bn": "Bengali", "cs": "Czech", "cy": "Welsh", "da": "Danish", "de": "German",
    "el": "Greek", "en": "English", "eo": "Esperanto", "es": "Spanish", "fa": "Persian",
    "fi": "Finnish", "fr": "French", "ga": "Irish", "gd": "Scottish Gaelic", "he": "Hebrew",
    "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "la": "Latin", "ms": "Malay", "nb": "Norwegian", "nl": "Dutch",
    "no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian",
    "sco": "Scots", "sv": "Swedish", "sw": "Swahili", "ta": "Tamil", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def one_line(text: str) -> str:
    """A text without line ends and runs of spaces."""
    return " ".join(text.split())


def is_short(text: str, most: int) -> bool:
    """Whether a text is one line of at most so many words."""
    return "\n" not in text.strip() and word_count(text) <= most


def plain(text: str) -> str:
    """A text as two of them are compared: letters and digits only, small."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def likeness(one: str, other: str) -> float:
    """How alike two texts look, between 0 and 1."""
    return fuzz.ratio(one.casefold(), other.casefold()) / 100


def language_name(code: str) -> str:
    """The English name of a language, or its code where it has none here."""
    return _LANGUAGES.get(code.partition("-")[0].lower(), code)


def lettered(texts: tuple[str, ...]) -> list[tuple[str, str]]:
    """Choices with their letters, from A."""
    return [(chr(ord("A") + at), text) for at, text in enumerate(texts)]
