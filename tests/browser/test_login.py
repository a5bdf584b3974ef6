"""Log in, meet a page that is not for your role, and log out, in a real browser against the real program."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Site

from gossamer.ui.access.change_users import add_user, change_role, remove_user

pytestmark = pytest.mark.slow


@pytest.fixture
def users(tmp_path: Path) -> Path:
    return tmp_path / "users.toml"


@pytest.fixture
def token(users: Path) -> str:
    return add_user(users, "anna", "reader", datetime.now(UTC))


@pytest.fixture
def address(site: Site, users: Path, token: str) -> Iterator[str]:
    """A server of the library that has a user."""
    command = [sys.executable, "-m", "gossamer.cli.main", "serve", "--json", "--time", "600", "--port", "0"]
    command += ["--users", str(users), "--web", str(site.folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ) as running:
        assert running.stdout is not None
        yield json.loads(running.stdout.readline())["address"]
        running.terminate()


def log_in(page: Any, token: str) -> None:
    page.get_by_label("Your token").fill(token)
    page.get_by_role("button", name="Log in").click()


def test_a_reader_logs_in_meets_a_closed_page_and_logs_out(
    browser: Any, address: str, users: Path, token: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}submit")
    assert page.url == f"{address}enter"
    log_in(page, "wrong")
    assert page.get_by_role("alert").inner_text() == "That is not the token."
    log_in(page, token)
    page.locator(".visitor").wait_for()
    assert page.locator(".visitor bdi").inner_text() == "anna"
    assert page.get_by_role("link", name="Submit a page").count() == 0
    refused = page.goto(f"{address}submit")
    assert (refused.status, "gossamer users role anna judge" in page.inner_text("main")) == (403, True)
    change_role(users, "anna", "judge")
    page.reload()
    page.get_by_label("Address").fill(
        "file:///etc/hosts"
    )  # refused by the page itself, so that the web stays as it is
    page.get_by_role("button", name="Submit").click()
    assert "files of this machine" in page.get_by_role("alert").inner_text()
    (cookie,) = context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"], token in cookie["value"]) == (True, "Lax", False)
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/enter")
    assert context.cookies() == []
    context.add_cookies([cookie])  # a stolen copy
    page.goto(address)
    assert page.url == f"{address}enter"
    context.clear_cookies()
    log_in(page, token)
    page.locator(".visitor").wait_for()
    remove_user(users, "anna")
    page.goto(address)
    assert page.url == f"{address}enter"
    context.close()
