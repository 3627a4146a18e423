import pytest

from paige.exercise.marking.marker import mark

RIGHT = [
    # Malay and English
    ("Good morning:", "selamat pagi", "Selamat Pagi"),
    ("Good morning:", "selamat pagi", "  selamat   pagi! "),
    ("Good afternoon:", "selamat tengah hari / selamat petang", "selamat petang"),
    ("Thank you:", "terima kasih", "terimakasih"),
    ("How are you? (formal):", "apa khabar", "apa khabar?"),
    ("Translate into English: kucing", "cat", "a cat"),
    ("Translate into English: kucing", "cat", "The cat."),
    ("makan", "eat / to eat", "to eat"),
    ("makan", "eat", "to eat"),
    ("Translate: I am going to the market", "Saya pergi ke pasar", "saya pergi ke pasar."),
    ("rumah", "house / home", "home"),
    ("rumah", "house / home", "house or home"),
    ("You are leaving at night, you say:", "selamat malam / selamat tinggal", "Selamat tinggal"),
    ("orang tua", "parents / old person", "Parents"),
    ("air", "water", "the water"),
    # French and English
    ("the house (in French)", "la maison", "La maison"),
    ("the house (in French)", "la maison", "maison"),
    ("water in French", "l'eau", "l\u2019eau"),
    ("sister in French", "sœur", "soeur"),
    ("coffee in French", "café", "Café"),
    ("coffee in French", "le café", "café"),
    ("I have in French", "j'ai", "j\u2019ai"),
    ("Translate: the book", "le livre", "le livre"),
    ("bibliothèque", "library", "a library"),
    # German and Spanish
    ("the girl in German", "das Mädchen", "das Maedchen"),
    ("street in German", "die Straße", "die Strasse"),
    ("dog in German", "der Hund", "Hund"),
    ("house in Spanish", "la casa", "casa"),
    ("tomorrow in Spanish", "mañana", "MAÑANA"),
    # English
    ("What is the capital of France?", "Paris", "paris"),
    ("What is the capital of France?", "Paris", "It is Paris."),
    ("What is the capital of France?", "Paris", "It's Paris"),
    ("What is the capital of France?", "Paris", "The answer is Paris"),
    ("Write in full: don't", "do not", "do not"),
    ("Make it negative: I can go", "I cannot go", "I can't go"),
    ("Past of go", "went", "Went"),
    ("Which colour is grass?", "green", "Green"),
    ("British word for color", "colour", "colour"),
    ("What do you call the hue of a thing?", "colour", "color"),
    ("What is the hue of a thing called?", "colo(u)r", "colour"),
    ("What is the hue of a thing called?", "colo(u)r", "color"),
    ("Who wrote Hamlet?", "(William) Shakespeare", "Shakespeare"),
    ("Who wrote Hamlet?", "(William) Shakespeare", "William Shakespeare"),
    ("A cold dessert", "ice cream", "ice-cream"),
    ("A cold dessert", "ice cream", "icecream"),
    # numbers
    ("How many months has a year?", "12", "twelve"),
    ("How many months has a year?", "twelve", "12"),
    ("How many months has a year?", "12", "12.0"),
    ("How many?", "1000", "1,000"),
    ("How many?", "1,000", "one thousand"),
    ("How many?", "21", "twenty-one"),
    ("How many?", "205", "two hundred and five"),
    ("Which share?", "50 %", "0.5"),
    ("Which share?", "0.5", "50%"),
    ("Which share?", "1/2", "0.5"),
    ("Which share?", "1/2", "half"),
    ("Which share?", "3/4", "75 percent"),
    ("Solve 2x = 10", "5", "x = 5"),
    ("Work out 3 - 8", "-5", "minus five"),
    ("Work out 3 - 8", "-5", "\u22125"),
    ("Pi to two places", "3.14", "3.14159"),
    ("How many in 1.5 thousand?", "1500", "1.5e3"),
    ("How many?", "3.5", "3,5"),
    ("How many?", "3 1/2", "3.5"),
    ("How many million?", "2000000", "two million"),
    # units and money
    ("How far is it?", "5 km", "5000 m"),
    ("How far is it?", "5 km", "5 kilometres"),
    ("How far is it?", "5 km", "5km"),
    ("How heavy?", "2 kg", "2000 grams"),
    ("How long?", "90 minutes", "1.5 hours"),
    ("How long?", "two hours", "120 min"),
    ("How fast?", "36 km/h", "10 m/s"),
    ("How much?", "$5", "5 dollars"),
    ("How much?", "RM 10", "10 ringgit"),
    ("How much?", "€3.50", "3.50 euros"),
    ("How much?", "£2", "200 pence"),
    ("Which temperature?", "20 °C", "20 celsius"),
    ("How many volts?", "1.5", "1.5 V"),
    # dates
    ("When?", "14 July 1789", "July 14, 1789"),
    ("When?", "14 July 1789", "14th of July 1789"),
    ("When?", "14 July 1789", "1789-07-14"),
    ("When?", "14 July 1789", "14/07/1789"),
    ("When?", "14 July 1789", "14 juillet 1789"),
    ("When?", "31 August 1957", "31 Ogos 1957"),
    ("Which day is it?", "1 May", "May 1st"),
    # letters, true and false
    ("1. Selamat pagi", "B", "b"),
    ("1. Selamat pagi", "B", "(B)"),
    ("1. Selamat pagi", "B", "B. Morning greeting"),
    ("1. Selamat pagi", "B", "option b"),
    ("The sun is a star.", "True", "t"),
    ("The sun is a star.", "True", "Yes"),
    ("The sun is a planet.", "false", "False, it is a star"),
    # lists
    ("Name the primary colours.", "red, green, blue", "blue, red and green"),
    ("Name the primary colours.", "red, green, blue", "Red; Green; Blue"),
    ("Name the three states.", "solid, liquid and gas", "gas, solid, liquid"),
    ("Put them in ascending order.", "1, 2, 3", "1, 2, 3"),
    # code
    ("What does print([1, 2]) output?", "[1, 2]", "[1,2]"),
    ("What does this print?", "{'a': 1}", '{"a": 1}'),
    ("What does the code print?", "`Hello`", "Hello"),
    ("What is the output?", "True", "True"),
    ("Which call adds an item?", "items.append(x)", "items.append( x )"),
    ("What does the loop print?", "0\n1\n2", "0\n1\n2\n"),
]

PARTLY = [
    ("coffee in French", "café", "cafe", "café"),
    ("tomorrow in Spanish", "mañana", "manana", "mañana"),
    ("student in French", "élève", "eleve", "accent"),
    ("the house (in French)", "la maison", "le maison", "la"),
    ("dog in German", "der Hund", "die Hund", "der"),
    ("Good morning:", "selamat pagi", "selamat pgai", "pagi"),
    ("library in Malay", "perpustakaan", "perpustakan", "perpustakaan"),
    ("Thank you:", "terima kasih", "trima kasih", "terima"),
    ("Which gas do plants need?", "carbon dioxide", "carbon dioxyde", "dioxide"),
    ("Translate: I eat rice", "saya makan nasi", "makan saya nasi", "order"),
    ("Good morning:", "selamat pagi", "selamat pagi cikgu", "cikgu"),
    ("How far is it?", "5 km", "5", "unit"),
    ("When?", "14 July 1789", "14 July", "year"),
    ("Pi to four places", "3.1416", "3.14", "close"),
    ("Name the primary colours.", "red, green, blue", "red, green", "blue"),
    ("Name the primary colours.", "red, green, blue", "red, green, yellow", "yellow"),
    ("Put them in ascending order.", "1, 2, 3", "3, 2, 1", "order"),
    ("What does this print?", "[True]", "[true]", "letters"),
    ("What does this print?", "[1, 2]", "1, 2", "brackets"),
    ("What is the capital of France?", "Paris", "Paris or London", "London"),
    ("cats in English", "cats", "cat", "cats"),
]

WRONG = [
    ("Good morning:", "selamat pagi", "apa khabar"),
    ("Translate: cat", "kucing", "anjing"),
    ("How many months has a year?", "12", "13"),
    ("How many months has a year?", "12", "twenty"),
    ("How far is it?", "5 km", "5 m"),
    ("How far is it?", "5 km", "5 kg"),
    ("When?", "14 July 1789", "14 July 1798"),
    ("1. Selamat pagi", "B", "A"),
    ("The sun is a star.", "true", "false"),
    ("The sun is a star.", "true", "not true"),
    ("Where does the letter come ___?", "from", "form"),
    ("Which number comes after two?", "three", "there"),
    ("What is the capital of France?", "Paris", "not Paris"),
    ("What does this print?", "[1, 2]", "[2, 1]"),
    ("Which share?", "50 %", "50"),
    ("How much?", "$5", "£5"),
    ("twelve in French", "douze", "12"),
    ("Translate: yes", "ya", "yes"),
    ("What is the capital of France?", "Paris", "idk"),
    ("What is the capital of France?", "Paris", "___"),
]


@pytest.mark.parametrize(("question", "reference", "answer"), RIGHT)
def test_an_answer_that_says_the_same_is_correct(question: str, reference: str, answer: str):
    assert mark(question, reference, answer).verdict == "correct"


@pytest.mark.parametrize(("question", "reference", "answer", "named"), PARTLY)
def test_a_nearly_right_answer_is_partial_and_told_why(
    question: str, reference: str, answer: str, named: str
):
    found = mark(question, reference, answer)
    assert found.verdict == "partial"
    assert named in found.feedback
    assert 0 < found.score < 1


@pytest.mark.parametrize(("question", "reference", "answer"), WRONG)
def test_a_wrong_answer_is_incorrect_and_told_the_right_one(
    question: str, reference: str, answer: str
):
    found = mark(question, reference, answer)
    assert found.verdict == "incorrect"
    assert found.score < 0.3
    assert found.matched in reference
    assert len(found.feedback) > 20


def test_an_error_is_named_where_it_is_plain():
    assert mark("coffee in French", "café", "cafe").error_type == "spelling"
    assert mark("I eat rice in Malay", "saya makan nasi", "nasi makan saya").error_type == (
        "word_order"
    )
    assert mark("How many?", "12", "13").error_type == "off_by_one"
    assert mark("dog in German", "der Hund", "die Hund").error_type == "grammar_pattern"
    assert mark("walk in Malay", "berjalan", "menjalan").error_type == "affix_error"


def test_a_right_answer_hears_what_else_is_accepted():
    assert "“house”" in mark("rumah", "house / home", "home").feedback


@pytest.mark.parametrize(
    "written", ["1e999", f"{'9' * 400}/3", f"{'9' * 5000}/2", f"7e{'9' * 20}", "9" * 5000]
)
def test_a_number_beyond_all_bounds_is_a_wrong_answer(written: str) -> None:
    assert mark("What is 3 + 4?", "7", written).verdict == "incorrect"
    assert mark("What is 3 + 4?", written, "7").verdict == "incorrect"
