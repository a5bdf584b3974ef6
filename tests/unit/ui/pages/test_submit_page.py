import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from tests.unit.ui.app_client import Reply, ask

from gossamer.crawl.control import submitted_pages
from gossamer.crawl.control.command_mailbox import Mailbox, Submit, Withdraw
from gossamer.crawl.control.submitted_pages import note_submitted
from gossamer.net.url import page_id
from gossamer.records import Visit
from gossamer.store.batch import Batch
from gossamer.store.click_counts import all_openings
from gossamer.store.lock import Lock
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.security import SecurityMiddleware
from gossamer.web import Web

NEW = "https://new.example/page"
TOKEN = "a long and secret token"  # noqa: S105 - only for these tests


def send(app: SecurityMiddleware, path: str, **form: str) -> Reply:
    return ask(app, path, "POST", {"origin": "http://127.0.0.1:8080"}, urlencode(form).encode())


def key_of(app: SecurityMiddleware, path: str = "/submit") -> str:
    (key,) = re.findall(r'name="form_key" value="([^"]+)"', ask(app, path).text)
    return str(key)


def list_submitted(folder: Path) -> list[str]:
    orders = Mailbox(folder).read_new()
    return [url for order in orders if isinstance(order, Submit) for url in order.urls]


def test_a_page_waits_for_the_next_run(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        taken = send(app, "/submit", url=NEW, form_key=key_of(app))
    assert (taken.status, "waits for the next run" in taken.text) == (200, True)
    assert list_submitted(own) == [NEW]
    with Web(own) as web:
        assert web.task("library").state == "stopped"


def test_a_page_is_given_to_the_running_crawl(own: Path) -> None:
    with PageContext(own) as context, Lock(own):
        app = make_application(context, Guard())
        taken = send(app, "/submit", url=NEW, task="library", form_key=key_of(app))
    assert "given to the running crawl" in taken.text
    assert list_submitted(own) == [NEW]


def read_rows(text: str) -> list[list[str]]:
    """Return the cells of the table of submitted pages."""
    rows = re.findall(r"<tr>\n(.*?)</tr>", text, re.DOTALL)
    return [
        [re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row)] for row in rows
    ]


def test_submitted_pages_are_listed_and_can_be_withdrawn(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        assert "Submitted pages" not in ask(app, "/submit").text
        key = key_of(app)
        send(app, "/submit", url=NEW, form_key=key)
        send(app, "/submit", url=f"{NEW}?<b>", form_key=key)
        shown = ask(app, "/submit").text
        assert read_rows(shown) == [
            [f"{NEW}?%3Cb%3E", "library", "waits for a crawl to take it up", "Withdraw"],
            [NEW, "library", "waits for a crawl to take it up", "Withdraw"],
        ]
        assert (
            send(app, "/submit/withdraw", url=NEW, task="library").status == 400
        )  # without the key of the form
        gone = send(app, "/submit/withdraw", url=NEW, task="library", form_key=key)
        assert (gone.status, f"{NEW} was withdrawn." in gone.text) == (200, True)
        assert [row[0] for row in read_rows(gone.text)] == [f"{NEW}?%3Cb%3E"]
        again = send(app, "/submit/withdraw", url=NEW, task="library", form_key=key)
        assert (again.status, "was not submitted" in again.text) == (400, True)
    assert list_submitted(own) == [f"{NEW}?%3Cb%3E"]


def test_the_states_of_submitted_pages_are_shown_in_words(own: Path, start: str) -> None:
    with PageContext(own) as context, Web(own) as web:
        task = web.task("library").number
        notes = note_submitted(task, [f"{start}haydn", f"{start}never"], 5.0)
        web.store.commit(Batch(notes=notes | note_submitted(task, [f"{start}gone"], 6.0, withdrawn=True)))
        visit = Visit(page_id(f"{start}never"), task, 7.0, "failed", cause="dns")
        web.store.commit(Batch(visits=[visit]))
        app = make_application(context, Guard())
        rows = read_rows(ask(app, "/submit").text)
    assert {row[0].removeprefix(start): row[2:] for row in rows} == {
        "gone": ["withdrawn", ""],
        "haydn": ["fetched", ""],
        "never": ["failed: its host has no address", ""],
    }


def test_the_running_crawl_is_told_of_a_withdrawal(own: Path) -> None:
    with Web(own) as web:
        task = web.task("library").number
    with PageContext(own) as context, Lock(own):
        app = make_application(context, Guard())
        key = key_of(app)
        send(app, "/submit", url=NEW, form_key=key)
        told = send(app, "/submit/withdraw", url=NEW, task="library", form_key=key)
    assert "the running crawl was told" in told.text
    assert Mailbox(own, 0).read_new()[-1] == Withdraw(task, (NEW,))


def test_only_the_newest_submitted_pages_are_listed(own: Path) -> None:
    with Web(own) as web:
        for number in range(5):
            web.store.commit(Batch(notes=note_submitted(1, [f"{NEW}{number}"], float(number))))
        newest = submitted_pages.list_submitted(web.store, own, most=2)
    assert [one.url for one in newest] == [f"{NEW}3", f"{NEW}4"]


@pytest.mark.parametrize(
    ("url", "task", "sentence"),
    [
        ("javascript:alert(1)", "", "is not a page that can be fetched"),
        ("", "", "is not a page that can be fetched"),
        ("x" * 5_000, "", "the address is too long"),
        (NEW, "other", "no task"),
        (
            "https://alice:S3cret@new.example/",
            "",
            "…@new.example/&#39; is not a page that can be fetched (user info)",
        ),
    ],
)
def test_wrong_submissions_are_refused_in_a_sentence(own: Path, url: str, task: str, sentence: str) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        refused = send(app, "/submit", url=url, task=task, form_key=key_of(app))
    assert (refused.status, sentence in refused.text) == (400, True)
    assert "S3cret" not in refused.text
    assert list_submitted(own) == []


def test_forms_of_other_sites_are_refused(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        key = key_of(app)
        assert send(app, "/submit", url=NEW).status == 400
        assert send(app, "/submit", url=NEW, form_key=key[::-1]).status == 400
        body = urlencode({"url": NEW, "form_key": key}).encode()
        assert ask(app, "/submit", "POST", {"origin": "http://evil.example"}, body).status == 403
        for length in ("9999999", "9" * 5000, "x", ""):
            assert ask(app, "/submit", "POST", {"content-length": length}, b"").status == 400
    assert list_submitted(own) == []


def test_only_pages_of_the_web_are_counted(own: Path, start: str) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard())
        for url in (f"{start}haydn", f"{start}haydn", "http://unknown.example/", "no address"):
            reply = send(app, "/opened", url=url)
            assert (reply.status, "location" in reply.headers) == (204, False)
        ping = {"ping-to": f"{start}haydn", "content-type": "text/ping"}
        assert ask(app, "/opened", "POST", ping, b"PING").status == 400
        ping["sec-fetch-site"] = "same-origin"
        assert ask(app, "/opened", "POST", ping, b"PING").status == 204
        assert ask(app, "/opened", "POST", {**ping, "origin": "null"}, b"PING").status == 403
        known = ask(app, f"/api/page?url={start}haydn").text
    assert '"opened":3' in known
    with Web(own) as web:
        ((page, openings),) = all_openings(web.store)
        assert (web.store.url(page), openings.times) == (f"{start}haydn", 3)


def test_the_token_logs_in(own: Path) -> None:
    with PageContext(own) as context:
        app = make_application(context, Guard(TOKEN, names=()))
        assert ask(app, "/").status == 303
        assert "form_key" not in ask(app, "/enter").text  # it is shown only after the login
        wrong = send(app, "/enter", token="x")  # noqa: S106
        assert (wrong.status, "That is not the token." in wrong.text) == (403, True)
        entered = send(app, "/enter", token=TOKEN)
        cookie = entered.headers["set-cookie"]
        assert (entered.status, "HttpOnly" in cookie, "SameSite=lax" in cookie) == (303, True, True)
        assert ask(app, "/", headers={"cookie": cookie.partition(";")[0]}).status == 200


def test_without_a_token_the_login_leads_to_the_search_page(own: Path) -> None:
    with PageContext(own) as context:
        entered = ask(make_application(context, Guard()), "/enter")
    assert (entered.status, entered.headers["location"]) == (303, "/")
