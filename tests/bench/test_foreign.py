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


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_thousands_of_strangers_files_and_megabytes_made_to_hurt_are_read_in_time() -> None:
    texts = [*sampled(2000, seed=1), *attacks()]
    assert not [each for each in run(texts, PATHS) if each.seconds > LIMIT]
