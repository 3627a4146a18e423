"""A correction is told from an ordinary next request, in three languages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.guard.fast.place import Place
from paige.guard.graph.corrections import (
    Before,
    Deed,
    correction_in,
    is_interruption,
    read_words,
    shipped_words,
)

WORDS = shipped_words()
DEEDS = (
    Deed(about="write src/app.py"),
    Deed(about="write docs/guide.md, src/client.py"),
    Deed(about="run:git commit git commit -m 'Add retry'"),
    Deed(about="run:git push git push origin main"),
    Deed(about="run:pytest pytest tests/test_upload.py -q"),
    Deed(about="run:rm rm -rf build dist"),
    Deed(about="read README.md", looked=True),
    Deed(about="search upload", looked=True),
    Deed(about="delegate Review the upload module"),
)
# What people write when they simply go on.
ORDINARY = """\
Now commit it
Commit and push
Push it to the branch
Great, thanks
Looks good, go on
Perfect. Next: the settings page
Yes
Yes, do that
Yes please, and add a test
ok
Okay, continue
continue
go on
Run the tests
Run the tests again
Now run the whole suite
Also add a test for the empty case
Can you also update the README?
What does this function do?
Why is the build so slow?
How would you test that?
Is there a simpler way?
Explain the change in src/app.py
Show me the diff
No problem, go on
No worries, take your time
No need to add tests for that one
No rush on the docs
No more changes, please commit
No further questions
No, that's all for today
No, thanks
no that's fine
No, go ahead
nope, that's all
Not yet, first update the changelog
Not sure, what do you think?
Not bad!
Don't worry about the warnings
Don't forget the changelog
Don't hesitate to refactor
Never mind, go on with the next issue
Nothing else, thank you
Add an undo button to the editor
Undo and redo should work in the editor
Implement revert for orders
Stop the server when the tests are done
Add a check that nobody can delete the wrong file
The user wants to stop and resume later
Please write a function that says no to empty input
I would like a dark mode
I think we should cache that
I asked Anna, she says the API is stable
Write a test that it should not have side effects
Make the error say that the input is wrong
Fix the wrong total on the invoice page
The total on the invoice page is wrong, please fix it
There is a bug: the upload never ends
The button does not work on mobile, can you fix it?
Let's use httpx for the client
Use tabs for the Makefile
Rename the module to uploads
Next, translate the page into German
Try it on a different branch
Move the helper into src/client.py
That is better
That's great, ship it
That's not bad at all
It works now
This is what I wanted
Could you split src/app.py into two files?
Refactor the upload function in src/client.py
Delete the build folder
Remove the dist folder and build again
Review your change once more, then commit
Good. Now push to origin main
Which tests cover the retry?
Does it also handle timeouts?
Weiter
Mach weiter
Ja, bitte
Sehr gut, danke
Nein danke
Nein, passt so
Nein, mach weiter
Kein Problem
Keine Sorge wegen der Warnungen
Nicht schlecht!
Nicht vergessen: das Changelog
Noch nicht, erst die Tests
Jetzt bitte committen
Füge noch einen Test hinzu
Kannst du das erklären?
Warum ist der Build so langsam?
Benenne die Funktion um
Der Knopf ist falsch beschriftet, bitte ändern
Stell das Projekt auf httpx um
はい、お願いします
続けてください
ありがとうございます
いいですね、次は設定ページをお願いします
テストも追加してください
この関数は何をしますか?
違うブランチで試してください
問題ありません、続けてください
いいえ、大丈夫です
いいえ、続けてください
README も更新してください
次はドイツ語に翻訳してください
なぜビルドが遅いのですか?
""".splitlines()
CORRECTIONS = [
    ("No, use tabs", "refused"),
    ("no", "refused"),
    ("Nope. It has to be async.", "refused"),
    ("No - the other file", "refused"),
    ("That's wrong.", "strong"),
    ("that\u2019s not what I asked for", "strong"),
    ("This is not what I meant, I wanted a list", "strong"),
    ("Hm, that's not what I wanted", "strong"),
    ("I said httpx, not requests", "strong"),
    ("I told you not to touch the tests", "strong"),
    ("undo", "strong"),
    ("Undo that", "strong"),
    ("Revert your last change please", "strong"),
    ("You forgot the tests", "strong"),
    ("You should not have pushed", "strong"),
    ("Wrong file!", "strong"),
    ("Stop it", "strong"),
    ("don't do that", "strong"),
    ("Don't touch src/app.py", "pointed"),
    ("Please don't push to origin", "pointed"),
    ("Never do it like that", "pointed"),
    ("Nein, die andere Datei", "refused"),
    ("Das ist falsch", "strong"),
    ("So nicht!", "strong"),
    ("Ich habe gesagt, ohne neue Abhängigkeit", "strong"),
    ("Mach das rückgängig", "strong"),
    ("いいえ、別のファイルです", "refused"),
    ("違います", "strong"),
    ("そうじゃない", "strong"),
    ("元に戻して", "strong"),
    ("やめてください", "strong"),
]
befores = st.builds(
    Before,
    did=st.lists(st.sampled_from(DEEDS), min_size=0, max_size=6).map(tuple),
    prompt=st.sampled_from(["", "Add a retry to the upload", *ORDINARY]),
    asked=st.booleans(),
)


@given(said=st.sampled_from(ORDINARY), before=befores)
def test_an_ordinary_request_never_counts_as_a_correction(said: str, before: Before) -> None:
    assert correction_in(said, before, WORDS) is None


def test_no_ordinary_request_counts_after_any_single_deed() -> None:
    fired = [
        (said, did.about)
        for said in ORDINARY
        for did in DEEDS
        if correction_in(said, Before(did=(did,)), WORDS) is not None
    ]

    assert fired == []


@pytest.mark.parametrize(("said", "sign"), CORRECTIONS)
def test_a_correction_is_known_by_its_words(said: str, sign: str) -> None:
    did = (Deed(about="write src/app.py"), Deed(about="run:git push git push origin main"))
    found = correction_in(said, Before(did=did), WORDS)

    assert found is not None
    assert found.sign == sign
    assert 0.5 <= found.confidence <= 1


@given(said=st.text(max_size=600), before=befores)
def test_any_text_is_judged_and_nothing_corrects_nothing(said: str, before: Before) -> None:
    found = correction_in(said, before, WORDS)

    if not before.did:
        assert found is None
    if found is not None:
        assert 0 <= found.about < len(before.did)


def test_the_answer_to_a_question_is_no_correction() -> None:
    did = (Deed(about="write src/app.py"),)

    assert correction_in("No, just commit", Before(did=did, asked=True), WORDS) is None
    assert correction_in("That's wrong", Before(did=did, asked=True), WORDS) is not None


def test_the_same_request_again_says_that_it_was_not_done() -> None:
    asked = "Add a retry with backoff to the upload function"
    did = (Deed(about="write src/app.py"),)
    found = correction_in(f"{asked}!", Before(did=did, prompt=asked), WORDS)

    assert found is not None
    assert found.sign == "repeated"
    assert correction_in("Run the tests of the upload module", Before(
        did=did, prompt="Run the tests of the upload module"
    ), WORDS) is None  # fmt: skip


def test_what_was_stopped_by_a_person_is_corrected_unless_they_say_go_on() -> None:
    cut = (Deed(about="write a.py"), Deed(about="run:npm npm install", interrupted=True))
    found = correction_in("Use pnpm for this repository", Before(did=cut), WORDS)

    assert found is not None
    assert (found.sign, found.about) == ("interrupted", 1)
    assert correction_in("continue", Before(did=cut), WORDS) is None
    assert is_interruption("[Request interrupted by user for tool use]", WORDS)
    assert not is_interruption("exit code 1: interrupted system call", WORDS)


def test_the_deed_that_is_named_is_the_one_that_is_meant() -> None:
    did = (
        Deed(about="write src/app.py"),
        Deed(about="write src/client.py"),
        Deed(about="read x.md"),
    )
    found = correction_in("No, app.py must stay as it was", Before(did=did), WORDS)

    assert found is not None
    assert found.about == 0


def test_a_project_cannot_change_the_words(tmp_path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    own = tmp_path / ".ai" / "guard"
    own.mkdir(parents=True)
    (own / "corrections.toml").write_text("[confidence]\nleast = 1.0\n")
    words = read_words(Place(str(tmp_path), str(tmp_path), "", "", True))

    assert words.confidence["least"] == WORDS.confidence["least"]
