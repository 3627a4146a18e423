"""What counts as saying that work is done, in English and Japanese, and what does not."""

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.guard.checks import checks
from paige.guard.completion.claims import Words, find_claim, read_words
from paige.guard.completion.project_wishes import read_wishes
from paige.guard.fast.place import Place

PLACE = Place("/nowhere", "/nowhere", "", "", False)
TABLE = read_wishes(PLACE).tables["claims"]
WORDS: Words = read_words(TABLE)

DONE = [
    "I ran the tests and they pass.\n\nThe task is complete.",
    "All done!",
    "Done.",
    "Everything is now implemented.",
    "The migration has been completed. All 42 tests pass.",
    "I've fixed the bug in the parser and added a test for it.",
    "I have now implemented the retry with a backoff.",
    "The feature is fully implemented.\n\n- added `retry()`\n- updated the docs",
    "Your request has been completed.",
    "The new export endpoint is in place.",
    "All of the requested changes have been implemented and tested.",
    "**The refactoring is finished.**",
    "The branch is ready for review.",
    "Both issues are resolved.",
    "The work is done. Let me know what you think of it!",
    "実装が完了しました。",
    "すべての作業が完了しました。",
    "修正が完了しました。テストも通っています。",
    "バグの修正が終わりました。",
    "タスクは完了です。",
    "ログイン画面の実装を完了しました\uff01",
    "リファクタリングが完了いたしました。",
    "全てのテストが通り、対応が完了しました。",
    "I've finished adding pagination to the list view. The tests cover the edge cases.",
    "The login bug is now fixed.",
    "Pagination is implemented and all tests pass.",
    "All acceptance criteria are met and the feature is complete.",
    "Finished! The PR is ready to merge.",
    "The script is ready to use.",
    "We've successfully completed the upgrade to Python 3.12.",
    "Work complete.",
    "The implementation is complete. Summary of changes:\n\n"
    "1. Added x\n2. Removed y\n3. Updated z\n\nLet me know if you have questions.",
    "対応が完了しました。ご確認ください。",
    "機能の追加が完了しました。",
    "作業は以上で終了です。",
    "実装とテストが完了しました。",
    "All requested changes are complete.",
    "I have completed the task.",
]
MARKED = [
    "Some text.\n\n[DONE]",
    "TASK COMPLETE",
    "**TASK COMPLETE**",
    "IMPLEMENTATION COMPLETE - Feature PT-003 ready for testing",
    "以上です。\n【完了】",
    "All good\n<done/>",
]
NOT_DONE = [
    "",
    "Let me look at the file.",
    "I am not done yet.",
    "The task is not complete.",
    "The task isn't finished: two tests fail.",
    "The task is almost complete.",
    "Once the migration is complete, I will run the tests.",
    "When everything is done we can merge.",
    "If the fix is finished, please tell me.",
    "The first part of the task is done.",
    "Step 1 is done.",
    "Phase two is complete.",
    "Is the task done?",
    "Are we done?",
    "The task will be done soon.",
    "The work should be finished tomorrow.",
    "I think the bug is fixed.",
    "The issue was fixed upstream in 2.1.",
    "I've fixed the import. Next, I will update the tests.",
    "The parser is fixed. Now I'll run the tests.",
    "The fix is done, but the remaining tasks are the docs.",
    "I've implemented the parser. Two tests still fail.",
    "All tests are done except the slow ones.",
    "I have finished reading the file. Let me now change it.",
    "The code says `the task is done` in its log.",
    "```\nThe task is complete.\n```",
    "> The task is complete.",
    'The README says "the task is complete".',
    "Do you want me to continue? The first half is finished.",
    "I've completed the analysis. Shall I implement it?",
    "Nothing is done.",
    "The download completed in 3 s and I read the result.",
    "The function returns True when the job is done.",
    "This marks the todo as done in the database.",
    "A TASK COMPLETE marker is expected at the end?",
    "TASK COMPLETED?",
    "The build is half finished.",
    "It would be done by now if the network worked.",
    "I implemented nothing.",
    "まだ完了していません。",
    "実装が完了したら、テストを実行します。",
    "完了する予定です。",
    "修正は完了していません。",
    "作業はほぼ完了です。",
    "実装は完了しましたか\uff1f",
    "作業が完了した場合は教えてください。",
    "前半の実装が完了しました。次にテストを書きます。",
    "一部の修正が完了しました。",
    "設定の変更が完了しました。残りはドキュメントです。",
    "完了後に連絡します。",
    "「実装が完了しました」というメッセージを表示します。",
    "未完了のタスクが三つあります。",
    "I've found the cause: the cache is stale.",
    "The server is running.",
    "I've read the docs; here is my plan.",
    "We need to decide which option to use.",
    "The previous developer said everything was done.",
    "To finish the task, run make.",
    "You can mark the ticket as done after review.",
    "I could not complete the task because the network is down.",
    "The task cannot be completed without credentials.",
    "I've stopped because the tests are failing.",
    "There are three options. Which one is best?",
    "Here's a summary of the file: it handles jobs that are done.",
    "The upload is finished when the bar is full.",
    "I've implemented part of it; the API remains.",
    "I've fixed the typo, but the build fails.",
    "Before the migration is complete, do not deploy.",
    "テストを実行中です。",
    "このタスクは完了できませんでした。",
    "完了条件を教えてください。",
    "作業を完了するには権限が必要です。",
    "ファイルを確認しました。問題が見つかりました。",
    "I've completed step 2 of 5.",
    "The changes are complete in my head only, nothing is written yet.",
    "Is everything done? Let me check.",
    "The feature is implemented behind a flag but disabled.",
]


@pytest.mark.parametrize("text", DONE)
def test_an_answer_that_plainly_says_so_is_a_claim(text: str) -> None:
    found = find_claim(text, WORDS)

    assert found is not None
    assert found.by == "keyword"


@pytest.mark.parametrize("text", MARKED)
def test_a_marker_on_its_own_line_is_a_claim(text: str) -> None:
    found = find_claim(text, WORDS)

    assert found is not None
    assert found.by == "marker"


@pytest.mark.parametrize("text", NOT_DONE)
def test_plans_conditions_denials_parts_questions_and_quotations_are_none(text: str) -> None:
    assert find_claim(text, WORDS) is None


@given(st.sampled_from([*DONE, *MARKED]), st.sampled_from(["```", "~~~"]))
def test_what_stands_in_code_is_never_a_claim(text: str, fence: str) -> None:
    assert find_claim(f"See:\n{fence}\n{text}\n{fence}\nWhat now?", WORDS) is None


@given(st.sampled_from([*DONE, *MARKED]))
def test_a_claim_counts_only_at_the_end(text: str) -> None:
    after = "\n".join(f"Then there is point {number} of the long list." for number in range(8))

    found = find_claim(f"{text}\n{after}", WORDS)

    assert found is None or found.by == "marker"


@given(st.text(max_size=2000))
def test_any_text_can_be_read(text: str) -> None:
    find_claim(text, WORDS)


@pytest.mark.parametrize("piece", ["the task is ", "all ", "`", "「", "```\n", "[", "a.", "完了"])
def test_a_hostile_text_takes_no_longer_than_its_length(piece: str) -> None:
    assert find_claim(piece * 200_000, WORDS) is None


def test_words_that_cannot_be_read_are_named() -> None:
    with pytest.raises(BadInput, match=r"claims\.english"):
        read_words({**TABLE, "english": ["(unclosed"]})


@pytest.mark.parametrize("expression", [r"(done)\1", "done(?!r)"])
def test_an_expression_that_cannot_be_bounded_is_refused_by_its_name(expression: str) -> None:
    with pytest.raises(BadInput, match=r"`claims\.english`.*bounded time"):
        read_words({**TABLE, "english": [expression]})


def test_a_persons_expression_cannot_hold_up_a_stop() -> None:
    words = read_words({**TABLE, "english": ["(?:(?:d|o|n|e)+)+$"]})
    start = time.thread_time()
    find_claim("done" * 1500 + "-", words)
    assert time.thread_time() - start < 1


def test_doctor_names_an_expression_that_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "config" / "ai" / "guard"
    own.mkdir(parents=True)
    (own / "completion.toml").write_text("[claims]\nenglish = ['(done)\\1']\n", encoding="utf-8")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = Settings(environ=dict(os.environ), cwd=tmp_path)
    found = [each for each in checks(settings) if "completions" in each.name]
    assert [(each.status, "claims.english" in each.message) for each in found] == [("fail", True)]
