"""What Paige is made of is pinned with hashes, and the audit says what it could not ask."""

import pytest

from tools.audit import faults, judged, npm_faults, python_faults

HASH = "--hash=sha256:" + "0a" * 32
INTEGRITY = "sha512-" + "A" * 86 + "=="


def test_every_pin_of_the_repository_has_its_hash() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (f"click==8.5.0 {HASH}", None),
        (f"psycopg[binary]==3.3.1 ; python_version > '3' {HASH}", None),
        (f"click>=8.5.0 {HASH}", "`click>=8.5.0` is not pinned"),
        (f"click {HASH}", "`click` is not pinned"),
        ("click==8.5.0", "`click` has no sha256"),
        ("click==8.5.0 --hash=sha256:0a0a", "`click` has no sha256"),
        (f"git+https://example.invalid/x {HASH}", "is not pinned"),
        ("# a comment", None),
    ],
)
def test_a_pin_that_could_change_unseen_is_named(line: str, fault: str | None) -> None:
    found = list(python_faults("run.txt", line))

    assert [fault in each for each in found if fault] == [True] * (fault is not None)
    assert bool(found) == bool(fault)


@pytest.mark.parametrize(
    ("package", "count"),
    [
        (f'{{"version": "1.0.0", "integrity": "{INTEGRITY}"}}', 0),
        ('{"version": "1.0.0"}', 1),
        (f'{{"integrity": "{INTEGRITY}"}}', 1),
        ('{"version": "1.0.0", "integrity": "sha1-abc"}', 1),
        ('{"link": true}', 0),
    ],
)
def test_a_package_of_npm_without_a_strong_hash_is_named(package: str, count: int) -> None:
    text = f'{{"packages": {{"": {{}}, "node_modules/x": {package}}}}}'

    assert len(list(npm_faults("web", text))) == count


@pytest.mark.parametrize(
    ("code", "output", "passed", "words"),
    [
        (0, "No known vulnerabilities found", True, "nothing known"),
        (1, "x 1.0 could not be audited", True, "cannot be reached"),
        (1, "npm error audit endpoint returned an error", True, "cannot be reached"),
        (1, "y 2.0 CVE-2026-1 and x 1.0 could not be audited", False, "CVE-2026-1"),
        (1, "it broke", False, "it broke"),
        (1, "starlette 0.1 GHSA-1234 fix 0.2", False, "GHSA-1234"),
    ],
)
def test_an_audit_tells_a_fault_from_a_list_that_is_away(
    code: int, output: str, passed: bool, words: str
) -> None:
    fine, said = judged("run.txt", code, output)

    assert fine is passed
    assert words in said
