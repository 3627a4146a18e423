"""The two commands of the README, from a clean clone with an empty home; `make soak` times them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.packaging.building import ROOT
from tools.first_hour import measure


@pytest.mark.soak
def test_a_clean_clone_with_an_empty_home_starts_by_itself(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    told = measure(str(ROOT), tmp_path)
    for name, value in told.items():
        record_property(name, value)
    assert float(str(told["second_up_seconds"])) < float(str(told["first_up_seconds"]))
    # The caches of pip and npm are theirs; of Paige there is only its data folder.
    assert set(told["home"]) <= {".paige", ".cache", ".npm", ".config", ".local"}
