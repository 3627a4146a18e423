from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from paige.base.errors import BadInput
from paige.base.settings import SETTINGS, Settings, provider_of, read_settings, unknown_variables


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home" / ".config" / "ai").mkdir(parents=True)
    return tmp_path / "home"


@pytest.fixture
def cwd(tmp_path: Path) -> Path:
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def test_each_source_is_stronger_than_the_one_below_it(home: Path, cwd: Path) -> None:
    environ = {"HOME": str(home)}
    seen = [read_settings(environ, cwd).port]
    (home / ".config" / "ai" / "paige.toml").write_text("port = 4001\n")
    seen.append(read_settings(environ, cwd).port)
    (cwd / "paige.toml").write_text("port = 4002\n")
    seen.append(read_settings(environ, cwd).port)
    (cwd / ".env").write_text("PORT=4003\n")
    seen.append(read_settings(environ, cwd).port)
    seen.append(read_settings({**environ, "PORT": "4004"}, cwd).port)
    assert seen == [3000, 4001, 4002, 4003, 4004]


def test_a_stronger_source_leaves_the_other_settings_alone(home: Path, cwd: Path) -> None:
    (home / ".config" / "ai" / "paige.toml").write_text('log_format = "json"\nport = 1\n')
    (cwd / "paige.toml").write_text('host = "0.0.0.0"\nport = 2\n')
    settings = read_settings({"HOME": str(home), "PORT": "3"}, cwd)
    assert (settings.log_format, settings.host, settings.port) == ("json", "0.0.0.0", 3)


@pytest.mark.parametrize(
    ("variable", "bad", "says"),
    [
        ("PORT", "http", "`http` is not a port"),
        ("PORT", "65536", "`65536` is not a port"),
        ("PORT", "-1", "`-1` is not a port"),
        ("PORT", "9" * 5000, "is not a port"),
        ("PAIGE_TRACE_HOOKS", "maybe", "`maybe` is neither on nor off"),
        ("PAIGE_PROVIDER", "openia", "`openia` is not one of `anthropic`"),
        ("PAIGE_FALLBACK", "remote", "`remote` is not one of `none`, `local`"),
        ("PAIGE_LOG_FORMAT", "xml", "`xml` is not one of `text`, `json`"),
        ("AGENT_ROLE", "boss", "`boss` is not one of `conductor`"),
        ("CHROMADB_URL", "localhost:8000", "`localhost:8000` is not an address"),
        ("PAIGE_BASE_URL", "ftp://x", "`ftp://x` is not an address"),
        ("PAIGE_BASE_URL", "https://", "`https://` is not an address"),
    ],
)
def test_a_bad_value_names_the_place_it_was_given(
    home: Path, cwd: Path, variable: str, bad: str, says: str
) -> None:
    environ = {"HOME": str(home)}
    with pytest.raises(BadInput) as in_environment:
        read_settings({**environ, variable: bad}, cwd)
    assert in_environment.value.message.startswith(f"the variable `{variable}`: ")
    assert says in in_environment.value.message

    (cwd / ".env").write_text(f"# ours\n{variable}={bad}\n")
    with pytest.raises(BadInput) as in_dotenv:
        read_settings(environ, cwd)
    assert in_dotenv.value.message.startswith(f"{cwd / '.env'}:2: ")
    (cwd / ".env").unlink()

    key = next(setting.key for setting in SETTINGS if setting.variable == variable)
    (cwd / "paige.toml").write_text(f'\n\n{key} = "{bad}"\n')
    with pytest.raises(BadInput) as in_toml:
        read_settings(environ, cwd)
    assert in_toml.value.message.startswith(f"{cwd / 'paige.toml'}:3: ")
    assert says in in_toml.value.message


@pytest.mark.parametrize(
    "line",
    [
        "port = 3000.5",
        "port = true",
        "port = ['3000']",
        "host = ['a', 'b']",
        "model_haiku = false",
        "trace_hooks = 2026-03-02",
        "[port]\nnumber = 1",
        'data_dir = "a\\u0000b"',
    ],
)
def test_a_value_of_the_wrong_kind_in_toml_names_file_and_line(
    home: Path, cwd: Path, line: str
) -> None:
    (cwd / "paige.toml").write_text(f"# first\n{line}\n")
    with pytest.raises(BadInput) as caught:
        read_settings({"HOME": str(home)}, cwd)
    assert caught.value.message.startswith(f"{cwd / 'paige.toml'}:2: ")


def test_toml_may_use_its_own_kinds(home: Path, cwd: Path) -> None:
    (cwd / "paige.toml").write_text(
        "\ufeffport = 0\ntrace_hooks = true\nallowed_hosts = ['a.test', 'b.test']\n",
        encoding="utf-8",
    )
    settings = read_settings({"HOME": str(home)}, cwd)
    assert (settings.port, settings.trace_hooks) == (0, True)
    assert settings.allowed_hosts == ("a.test", "b.test")


@pytest.mark.parametrize("text", ["port = \n", "port = " + "9" * 5000, "port = 1\nport = 2\n"])
def test_a_file_that_is_not_toml_is_named(home: Path, cwd: Path, text: str) -> None:
    (cwd / "paige.toml").write_text(text)
    with pytest.raises(BadInput, match="is not TOML") as caught:
        read_settings({"HOME": str(home)}, cwd)
    assert str(cwd / "paige.toml") in caught.value.message


def test_a_file_that_is_not_utf8_is_named(home: Path, cwd: Path) -> None:
    (cwd / "paige.toml").write_bytes(b"host = '\xff'\n")
    with pytest.raises(BadInput, match=r"paige\.toml` cannot be read"):
        read_settings({"HOME": str(home)}, cwd)


def test_an_unknown_key_in_toml_is_named_with_its_line_and_a_suggestion(
    home: Path, cwd: Path
) -> None:
    (cwd / "paige.toml").write_text("port = 1\n\nprovder = 'local'\n")
    with pytest.raises(BadInput) as caught:
        read_settings({"HOME": str(home)}, cwd)
    assert caught.value.message == f"{cwd / 'paige.toml'}:3: there is no setting `provder`"
    assert caught.value.hint == "Did you mean `provider`?"


def test_an_unknown_key_in_the_shared_toml_is_named_too(home: Path, cwd: Path) -> None:
    shared = home / ".config" / "ai" / "paige.toml"
    shared.write_text("zzz = 1\n")
    with pytest.raises(BadInput) as caught:
        read_settings({"HOME": str(home)}, cwd)
    assert caught.value.message == f"{shared}:1: there is no setting `zzz`"
    assert "settings.md" in (caught.value.hint or "")


def test_an_unknown_paige_variable_in_dotenv_is_named_with_its_line_and_a_suggestion(
    home: Path, cwd: Path
) -> None:
    (cwd / ".env").write_text("OTHER_PROGRAM=1\nPAIGE_PROVDER=local\n")
    with pytest.raises(BadInput) as caught:
        read_settings({"HOME": str(home)}, cwd)
    assert caught.value.message == f"{cwd / '.env'}:2: there is no setting `PAIGE_PROVDER`"
    assert caught.value.hint == "Did you mean `PAIGE_PROVIDER`?"


def test_an_unknown_paige_variable_of_the_environment_is_told_but_no_error(
    home: Path, cwd: Path
) -> None:
    environ = {"HOME": str(home), "PAIGE_PROVDER": "local", "PAIGE_HOST": "::1"}
    assert read_settings(environ, cwd).host == "::1"
    assert unknown_variables(environ) == ["PAIGE_PROVDER"]


def test_an_empty_value_counts_as_not_set_everywhere(home: Path, cwd: Path) -> None:
    (home / ".config" / "ai" / "paige.toml").write_text("log_format = 'json'\n")
    (cwd / "paige.toml").write_text("data_dir = ''\nprovider = ' '\nlog_format = ''\n")
    (cwd / ".env").write_text("PORT=\nPAIGE_WORKSPACE=\n")
    settings = read_settings({"HOME": str(home), "PROJECT_DIR": "", "DATA_DIR": " "}, cwd)
    assert settings.data_dir == home / ".paige"
    assert (settings.provider, settings.log_format, settings.port) == ("", "json", 3000)
    assert settings.project_dir is None
    assert settings.workspace == home / ".paige" / "workspace"


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("data_dir", "DATA_DIR"),
        ("memory_path", "AI_MEMORY_PATH"),
        ("teaching_dir", "PAIGE_TEACHING_DIR"),
        ("workspace", "DATA_DIR"),
    ],
)
def test_without_a_home_the_error_names_the_variable_to_set(
    cwd: Path, name: str, variable: str
) -> None:
    settings = read_settings({}, cwd)
    with pytest.raises(BadInput) as caught:
        getattr(settings, name)
    assert f"`{variable}`" in caught.value.message
    assert f"`{variable}`" in (caught.value.hint or "")


def test_without_a_home_given_paths_still_work(cwd: Path) -> None:
    environ = {
        "DATA_DIR": "/srv/paige",
        "AI_MEMORY_PATH": "log.jsonl",
        "PAIGE_TEACHING_DIR": "../teaching",
    }
    settings = read_settings(environ, cwd)
    assert settings.data_dir == Path("/srv/paige")
    assert settings.memory_path == cwd / "log.jsonl"
    assert settings.teaching_dir == cwd.parent / "teaching"
    assert settings.workspace == Path("/srv/paige/workspace")


def test_a_tilde_is_the_home_and_without_one_the_variable_is_named(home: Path, cwd: Path) -> None:
    settings = read_settings({"HOME": str(home), "DATA_DIR": "~/here", "PROJECT_DIR": "~"}, cwd)
    assert (settings.data_dir, settings.project_dir) == (home / "here", home)
    with pytest.raises(BadInput, match="DATA_DIR"):
        read_settings({"DATA_DIR": "~/here"}, cwd)


def test_a_relative_home_is_refused(cwd: Path) -> None:
    with pytest.raises(BadInput, match="not an absolute path"):
        _ = read_settings({"HOME": "me", "XDG_CONFIG_HOME": str(cwd)}, cwd).data_dir


def test_a_relative_xdg_config_home_is_ignored(home: Path, cwd: Path) -> None:
    (cwd / "relative" / "ai").mkdir(parents=True)
    (cwd / "relative" / "ai" / "paige.toml").write_text("port = 1\n")
    settings = read_settings({"HOME": str(home), "XDG_CONFIG_HOME": "relative"}, cwd)
    assert settings.port == 3000
    assert settings.memory_path == home / ".config" / "ai" / "memory" / "events.jsonl"


def test_an_absolute_xdg_config_home_holds_the_shared_file_and_the_memory(cwd: Path) -> None:
    (cwd / "ai").mkdir()
    (cwd / "ai" / "paige.toml").write_text("port = 4001\n")
    settings = read_settings({"XDG_CONFIG_HOME": str(cwd)}, cwd)
    assert settings.port == 4001
    assert settings.memory_path == cwd / "ai" / "memory" / "events.jsonl"


def test_secrets_are_never_shown(home: Path, cwd: Path) -> None:
    secrets = [setting.variable for setting in SETTINGS if setting.kind == "secret"]
    given = {name: f"hidden-{name}" for name in secrets}
    addresses = {
        "CHROMADB_URL": "http://me:hidden-chroma@127.0.0.1:1",
        "PAIGE_BASE_URL": "https://me:hidden-base@example.test",
        "PAIGE_EMBEDDER_URL": "https://me:hidden-embedder@example.test",
    }
    settings = read_settings({"HOME": str(home), **given, **addresses}, cwd)
    assert settings.passcode == "hidden-PAIGE_PASSCODE"
    assert len(secrets) == 9
    assert "hidden" not in f"{settings!r} {settings}"


def test_settings_cannot_be_changed(cwd: Path) -> None:
    with pytest.raises(FrozenInstanceError):
        Settings(cwd=cwd).port = 1  # type: ignore[misc]


def test_every_setting_has_a_meaning_and_its_field() -> None:
    names = {field.name.removeprefix("given_") for field in fields(Settings)} - {"environ", "cwd"}
    assert names == {setting.key for setting in SETTINGS}
    assert all(setting.meaning.endswith(".") for setting in SETTINGS)
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)


@pytest.mark.parametrize(
    ("given", "strict", "answers"),
    [
        ({}, False, "local"),
        ({}, True, "anthropic"),
        ({"anthropic_api_key": "a", "openai_api_key": "o"}, False, "anthropic"),
        ({"openai_api_key": "o"}, False, "openai"),
        ({"openai_api_key": "o", "base_url": "http://x"}, False, "openai-compatible"),
        ({"openai_api_key": "o"}, True, "anthropic"),
        ({"provider": "local", "anthropic_api_key": "a"}, True, "local"),
    ],
)
def test_who_answers_follows_the_name_then_the_keys(
    cwd: Path, given: dict[str, str], strict: bool, answers: str
) -> None:
    assert provider_of(Settings(cwd=cwd, **given), strict=strict) == answers  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "local"), [("127.0.0.1", True), ("::1", True), ("localhost", True), ("0.0.0.0", False)]
)
def test_only_loopback_addresses_stay_on_this_machine(cwd: Path, host: str, local: bool) -> None:
    assert Settings(cwd=cwd, host=host).loopback is local
