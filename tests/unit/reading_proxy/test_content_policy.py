"""A policy lets in one script of ours, and nothing else; where that cannot be done, the page stays as it is."""

import pytest

from gossamer.reading_proxy.addon.content_policy import admit_script


@pytest.mark.parametrize(
    "policy",
    [
        "script-src 'self'",
        "script-src * 'unsafe-inline'; img-src 'none'",
        "script-src https:; frame-src https:",
        "img-src 'none'",
        "upgrade-insecure-requests",
        "script-src 'self' 'unsafe-inline'",
        "",
    ],
)
def test_what_lets_us_in_already_is_not_touched(policy: str) -> None:
    assert admit_script(policy, "https", "N") == policy


@pytest.mark.parametrize(
    ("policy", "admitted"),
    [
        ("script-src 'nonce-abc'", "script-src 'nonce-abc' 'nonce-N'"),
        ("Script-Src  a.example ; IMG-SRC *", "script-src a.example 'nonce-N'; img-src *"),
        (
            "script-src 'self' 'strict-dynamic' 'nonce-a'",
            "script-src 'self' 'strict-dynamic' 'nonce-a' 'nonce-N'",
        ),
        ("script-src 'unsafe-inline' 'sha256-abc'", "script-src 'unsafe-inline' 'sha256-abc' 'nonce-N'"),
        (
            "script-src-elem a.example; script-src 'none'",
            "script-src-elem a.example 'nonce-N'; script-src 'none'",
        ),
        (
            "default-src a.example; frame-src *",
            "default-src a.example; frame-src *; script-src a.example 'nonce-N'",
        ),
        ("script-src a.example, script-src 'self'", "script-src a.example 'nonce-N', script-src 'self'"),
        ("script-src a.example; script-src *", "script-src a.example 'nonce-N'"),
    ],
)
def test_a_nonce_is_added_where_scripts_are_named(policy: str, admitted: str) -> None:
    assert admit_script(policy, "https", "N") == admitted


@pytest.mark.parametrize(
    "policy",
    [
        "default-src 'self'",
        "default-src 'none'",
        "script-src 'none'",
        "script-src",
        "script-src a.example 'unsafe-inline'",
        "script-src 'self' 'strict-dynamic' 'unsafe-inline'",
        "frame-src 'self'; script-src 'self'",
        "child-src 'none'",
        "frame-src http:",
        "sandbox allow-scripts",
        "script-src 'self', frame-src 'none'",
        "DEFAULT-SRC 'SELF'",
    ],
)
def test_a_policy_that_forbids_leaves_the_page_alone(policy: str) -> None:
    assert admit_script(policy, "https", "N") is None
