from pathlib import Path

import pytest

from paige.base import paths
from paige.base.errors import BadInput, NotFound
from paige.base.paths import all_layered, config_dir, home_dir, layers, shipped


def test_the_home_may_come_from_either_variable() -> None:
    assert home_dir({"HOME": "/h", "USERPROFILE": "/u"}, instead="X") == Path("/h")
    assert home_dir({"HOME": "", "USERPROFILE": "/u"}, instead="X") == Path("/u")


def test_no_home_is_an_error_that_names_the_variable() -> None:
    with pytest.raises(BadInput, match="`X`"):
        home_dir({}, instead="X")


def test_configuration_is_below_xdg_or_the_home() -> None:
    assert config_dir({"XDG_CONFIG_HOME": "/x"}, instead="X") == Path("/x/ai")
    assert config_dir({"HOME": "/h"}, instead="X") == Path("/h/.config/ai")
    assert config_dir({"HOME": "/h", "XDG_CONFIG_HOME": "x"}, instead="X") == Path("/h/.config/ai")


def test_layers_are_project_then_shared_then_shipped(tmp_path: Path) -> None:
    project, config = tmp_path / "project", tmp_path / "config"
    assert layers(project, config) == (project / ".ai", config, paths.SHIPPED)
    assert layers(None, config) == (config, paths.SHIPPED)
    assert layers(None, None) == (paths.SHIPPED,)


def test_the_strongest_layer_that_has_a_name_wins(tmp_path: Path) -> None:
    strong, weak = tmp_path / "strong", tmp_path / "weak"
    for path in (strong / "skills" / "b", weak / "skills" / "a", weak / "skills" / "b"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(str(path))
    where = (strong, tmp_path / "missing", weak)
    assert all_layered("skills", where) == {
        "a": weak / "skills" / "a",
        "b": strong / "skills" / "b",
    }
    assert all_layered("agents", where) == {}


def test_a_missing_shipped_file_says_how_to_get_it_back() -> None:
    with pytest.raises(NotFound, match="no-such-thing") as caught:
        shipped("no-such-thing")
    assert "make install" in (caught.value.hint or "")


def test_a_shipped_file_is_inside_the_package(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(paths, "SHIPPED", tmp_path)
    (tmp_path / "table.csv").touch()
    assert shipped("table.csv") == tmp_path / "table.csv"
