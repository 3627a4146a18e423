"""Whole numbers in words: English, French, Spanish, German, Malay, Italian, Portuguese.

Folded text: no accents, hyphens are spaces. Only what is looked for is made, so each language has
the forms people use, up to 9999.
"""

from functools import lru_cache

_EN = str.split(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen"
    " fourteen fifteen sixteen seventeen eighteen nineteen"
)
_EN_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ENGLISH = {word: value for value, word in enumerate(_EN)}
ENGLISH |= {word: 20 + 10 * at for at, word in enumerate(_EN_TENS)}

_FR = [
    *str.split(
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze"
        " seize"
    ),
    *("dix sept", "dix huit", "dix neuf"),
]
_FR_TENS = ["vingt", "trente", "quarante", "cinquante", "soixante"]
_ES = str.split(
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce"
    " quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos"
    " veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve"
)
_ES_TENS = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
_ES_HUNDREDS = [
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
]
_DE = str.split(
    "null eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn"
    " vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn"
)
_DE_TENS = ["zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_MS = str.split("kosong satu dua tiga empat lima enam tujuh lapan sembilan sepuluh sebelas")
_IT = str.split(
    "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici"
    " quattordici quindici sedici diciassette diciotto diciannove"
)
_IT_TENS = [
    "venti",
    "trenta",
    "quaranta",
    "cinquanta",
    "sessanta",
    "settanta",
    "ottanta",
    "novanta",
]
_PT = str.split(
    "zero um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze"
    " quinze dezesseis dezessete dezoito dezenove"
)
_PT_TENS = ["vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa"]
_PT_HUNDREDS = [
    "cento",
    "duzentos",
    "trezentos",
    "quatrocentos",
    "quinhentos",
    "seiscentos",
    "setecentos",
    "oitocentos",
    "novecentos",
]


@lru_cache(maxsize=2048)
def spoken(value: int) -> frozenset[str]:
    """The ways to say a whole number from 0 to 9999; nothing for the others."""
    if not 0 <= value <= 9999:
        return frozenset()
    makers = (_english, _french, _spanish, _german, _malay, _italian, _portuguese)
    found = {maker(value) for maker in makers} | {_english(value).replace(" and ", " ")}
    found |= {_english(value).replace("one hundred", "a hundred"), _german(value, "dreizig")}
    if 100 < value < 1000 and value % 100 > 9:
        found.add(f"{_english(value // 100)} {_english(value % 100)}")
    if 1000 < value < 2100 and value % 100:
        tail = _english(value % 100) if value % 100 > 9 else f"oh {_english(value % 100)}"
        found.add(f"{_english(value // 100)} {tail}")
        found |= {f"{_english(value // 100)} hundred {each}{tail}" for each in ("", "and ")}
    return frozenset(" ".join(each.split()) for each in found)


def _english(value: int) -> str:
    if value < 20:
        return _EN[value]
    if value < 100:
        tens = _EN_TENS[value // 10 - 2]
        return f"{tens} {_EN[value % 10]}" if value % 10 else tens
    if value < 1000:
        rest = f" and {_english(value % 100)}" if value % 100 else ""
        return f"{_EN[value // 100]} hundred{rest}"
    rest = value % 1000
    joined = "" if not rest else f" {'and ' if rest < 100 else ''}{_english(rest)}"
    return f"{_english(value // 1000)} thousand{joined}"


def _french(value: int) -> str:
    if value < 20:
        return _FR[value]
    if value < 70:
        tens, unit = _FR_TENS[value // 10 - 2], value % 10
        joiner = " et " if unit == 1 else " "
        return f"{tens}{joiner}{_FR[unit]}" if unit else tens
    if value < 80:
        return "soixante et onze" if value == 71 else f"soixante {_french(value - 60)}"
    if value < 100:
        return "quatre vingts" if value == 80 else f"quatre vingt {_french(value - 80)}"
    unit, rest, name = _group(value, "cent", "mille")
    return f"{_french(unit) if unit > 1 else ''} {name} {_french(rest) if rest else ''}"


def _spanish(value: int) -> str:
    if value < 30:
        return _ES[value]
    if value < 100:
        tens = _ES_TENS[value // 10 - 3]
        return f"{tens} y {_ES[value % 10]}" if value % 10 else tens
    if value == 100:
        return "cien"
    if value < 1000:
        rest = f" {_spanish(value % 100)}" if value % 100 else ""
        return f"{_ES_HUNDREDS[value // 100 - 1]}{rest}"
    unit, rest, name = _group(value, "", "mil")
    return f"{_spanish(unit) if unit > 1 else ''} {name} {_spanish(rest) if rest else ''}"


def _german(value: int, thirty: str = "dreissig") -> str:
    if value < 20:
        return _DE[value]
    if value < 100:
        tens = thirty if 30 <= value < 40 else _DE_TENS[value // 10 - 2]
        unit = "ein" if value % 10 == 1 else _DE[value % 10]
        return f"{unit}und{tens}" if value % 10 else tens
    unit, rest, name = _group(value, "hundert", "tausend")
    front = "ein" if unit == 1 else _german(unit)
    return f"{front}{name}{_german(rest) if rest else ''}"


def _malay(value: int) -> str:
    if value < 12:
        return _MS[value]
    if value < 20:
        return f"{_MS[value - 10]} belas"
    if value < 100:
        unit = f" {_MS[value % 10]}" if value % 10 else ""
        return f"{_MS[value // 10]} puluh{unit}"
    unit, rest, name = _group(value, "ratus", "ribu")
    front = f"se{name}" if unit == 1 else f"{_malay(unit)} {name}"
    return f"{front} {_malay(rest) if rest else ''}"


def _italian(value: int) -> str:
    if value < 20:
        return _IT[value]
    if value < 100:
        tens, unit = _IT_TENS[value // 10 - 2], value % 10
        return f"{tens[:-1] if unit in (1, 8) else tens}{_IT[unit] if unit else ''}"
    unit, rest, name = _group(value, "cento", "mila")
    front = ("cento" if name == "cento" else "mille") if unit == 1 else f"{_italian(unit)}{name}"
    return f"{front}{_italian(rest) if rest else ''}"


def _portuguese(value: int) -> str:
    if value < 20:
        return _PT[value]
    if value < 100:
        tens = _PT_TENS[value // 10 - 2]
        return f"{tens} e {_PT[value % 10]}" if value % 10 else tens
    if value == 100:
        return "cem"
    if value < 1000:
        rest = f" e {_portuguese(value % 100)}" if value % 100 else ""
        return f"{_PT_HUNDREDS[value // 100 - 1]}{rest}"
    unit, rest, name = _group(value, "", "mil")
    joined = f"{'e ' if rest < 100 else ''}{_portuguese(rest)}" if rest else ""
    return f"{_portuguese(unit) if unit > 1 else ''} {name} {joined}"


def _group(value: int, hundred: str, thousand: str) -> tuple[int, int, str]:
    size, name = (100, hundred) if value < 1000 else (1000, thousand)
    return value // size, value % size, name
