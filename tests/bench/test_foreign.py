"""Text that nobody here wrote, through every path that reads such text: a sample of the bench."""

import pytest

from bench.foreign import LIMIT, PATHS, attacks, run, sampled


def test_strangers_files_are_read_in_time_by_every_path() -> None:
    slow = [each for each in run(sampled(15, seed=22), PATHS) if each.seconds > LIMIT or each.said]
    assert not slow


@pytest.mark.parametrize("path", PATHS)
def test_lines_made_to_hurt_are_read_in_time(path: str) -> None:
    texts = [each for each in attacks(6_000) if "an end" in each[0]]
    slow = [
        each for each in run(texts, {path: PATHS[path]}) if each.seconds > LIMIT / 4 or each.said
    ]
    assert not slow


@pytest.mark.parametrize(
    ("path", "head", "seed", "size"),
    [
        ("blocks", "# a", " ", 40_000),
        ("lesson", "## a", " ", 40_000),
        ("worksheet", "<!-- status: a", " ", 40_000),
        ("card as html", "", "<![CDATA[>", 400_000),
        ("card as html", "", "<![if>", 400_000),
        ("cards as csv", "", "{{c1::", 900_000),
        ("names", "", "Ann ", 200_000),
        ("document", "", "\n", 100_000),
    ],
)
def test_what_was_read_again_and_again_is_read_once(
    path: str, head: str, seed: str, size: int
) -> None:
    text = f"{head}{seed * (size // len(seed))}\x01x"
    (took,) = run([("made to hurt", text)], {path: PATHS[path]})
    assert took.seconds < LIMIT / 2, took
    assert not took.said


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_thousands_of_strangers_files_and_megabytes_made_to_hurt_are_read_in_time() -> None:
    texts = [*sampled(2000, seed=1), *attacks()]
    assert not [each for each in run(texts, PATHS) if each.seconds > LIMIT]
