import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paige.base.secrets import find_secrets, redact

# Put together here, so that no scanner takes this file for a leak.
ANTHROPIC = "sk-" + "ant-api03-" + "Ab1_" * 6
OPENAI = "sk-" + "proj-" + "Ab1_" * 6
AWS = "AKIA" + "IOSFODNN7ABCDEFG"
GITHUB = "ghp" + "_" + "a1B2" * 9
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + ".dBjftJeZ4CVPmB92K27u"
PRIVATE = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEow\n-----END RSA PRIVATE " + "KEY-----"


@pytest.mark.parametrize(
    ("text", "kind", "secret"),
    [
        (f"key {ANTHROPIC}.", "anthropic key", ANTHROPIC),
        (f"({OPENAI})", "openai key", OPENAI),
        (f"id={AWS}", "aws key id", AWS),
        (f"push with {GITHUB}", "github token", GITHUB),
        ("github" + "_pat_" + "a1B2" * 6, "github token", "github" + "_pat_" + "a1B2" * 6),
        ("glpat" + "-" + "x1Y2" * 5, "gitlab token", "glpat" + "-" + "x1Y2" * 5),
        ("xoxb" + "-123456789012-abc", "slack token", "xoxb" + "-123456789012-abc"),
        ("AIza" + "Sy1_-" * 7, "google key", "AIza" + "Sy1_-" * 7),
        ("sk" + "_live_" + "a1B2" * 5, "stripe key", "sk" + "_live_" + "a1B2" * 5),
        (f"cookie: {JWT};", "json web token", JWT),
        (f"see\n{PRIVATE}\nend", "private key", PRIVATE),
        ("postgresql://me:hunter2@db/x", "password in address", "hunter2"),
        ("Authorization: Bearer abcdef0123456789abcd", "bearer token", "abcdef0123456789abcd"),
        ("password = correct-horse", "assigned secret", "correct-horse"),
        ("DB_PASSWORD=correcthorse", "assigned secret", "correcthorse"),
        ('{"client_secret": "a1b2c3d4e5"}', "assigned secret", "a1b2c3d4e5"),
        ("x-api-key: 0123456789", "assigned secret", "0123456789"),
        ("apiKey='0123456789'", "assigned secret", "0123456789"),
        ("aws_secret_access_key = wJalrXUtnFEMI/K7", "assigned secret", "wJalrXUtnFEMI/K7"),
    ],
)
def test_a_secret_is_found_where_it_stands(text: str, kind: str, secret: str) -> None:
    found = find_secrets(text)
    assert [(each.kind, text[each.start : each.end]) for each in found] == [(kind, secret)]
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "The password is checked by the server.",
        "password: short",
        "password = $PASSWORD_FROM_ENV",
        "password = ${{ secrets.PASSWORD }}",
        "password=<your password here>",
        "api_key: your-api-key-here",
        "PASSWORD=changeme",
        "secret: ********",
        "secret = xxxxxxxxxxxx",
        "api_key = example-key-of-the-docs",
        "the risk-assessment-of-the-whole-project",
        "skill sk-short",
        "AKIA is a prefix; AKIAlowercaseletters0 is none",
        "bearer of good news today",
        "https://example.test:8000/path@v2",
        "https://user@example.test/",
        "eyJhbGci.not-a-token",
        "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
        "commit 3f2a9c0d8e7b6a5f4e3d2c1b0a9f8e7d6c5b4a39",
        "550e8400-e29b-41d4-a716-446655440000",
    ],
)
def test_a_text_that_only_looks_like_a_secret_is_left_alone(text: str) -> None:
    assert find_secrets(text) == []
    assert redact(text) == text


def test_everything_around_a_secret_stays() -> None:
    text = f"a {ANTHROPIC} b password=correcthorse c"
    assert redact(text) == "a [anthropic key] b password=[assigned secret] c"


def test_of_overlapping_secrets_nothing_is_left() -> None:
    text = f"password=abc{AWS[:3]}://me:{ANTHROPIC}@host"
    assert ANTHROPIC[10:] not in redact(text)
    text = f"bearer {JWT}+tail-of-the-bearer-token"
    assert "tail" not in redact(text)
    assert redact("AIza" + "Sy1_-" * 7 + ANTHROPIC) == "[google key][anthropic key]"


def test_an_unfinished_private_key_is_redacted_to_the_end() -> None:
    assert redact(f"log: {PRIVATE[:40]}\nMIIE") == "log: [private key]"


SECRETS = [ANTHROPIC, OPENAI, AWS, GITHUB, JWT, PRIVATE, PRIVATE[:40], "correct-horse"]
AROUND = ["password=", "secret: ", "bearer ", "https://me:", "a-", *"@[]'\" \n:=/"]
PIECES = st.sampled_from([*SECRETS, *AROUND])
TEXTS = st.lists(PIECES | st.text(max_size=5)).map("".join)


@given(text=TEXTS)
@example(text="password=correcthorse")
@example(text=f"password={ANTHROPIC}")
@example(text="https://me:[a]@x:y@z")
def test_redacting_twice_is_redacting_once(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


@given(text=TEXTS)
def test_spans_are_in_order_inside_the_text_and_do_not_overlap(text: str) -> None:
    ends = 0
    for secret in find_secrets(text):
        assert ends <= secret.start < secret.end <= len(text)
        ends = secret.end


@pytest.mark.parametrize(
    "piece", ["a-", "a.", "eyJaaaaaaaa-", "password ", "://a:", "-----BEGIN ", "sk-", "bearer  "]
)
def test_a_long_hostile_text_is_searched_in_linear_time(piece: str) -> None:
    def seconds(size: int) -> float:
        text = piece * (size // len(piece))
        return min(_timed(text) for _ in range(3))

    small, large = seconds(10_000), seconds(80_000)
    # Eight times the text: linear is 8 times the work, quadratic would be 64 times.
    assert large < 24 * small + 0.01


def _timed(text: str) -> float:
    start = time.process_time()
    find_secrets(text)
    return time.process_time() - start
