"""What a paired browser learns of a site, and of the versions of a page."""

import json
import time
from pathlib import Path

from tests.unit.ui.app_client import ask
from tests.unit.ui.navigate.paired_app import serve_paired


def test_a_paired_browser_gets_site_and_versions(library: Path, start: str, tmp_path: Path) -> None:
    with serve_paired(library, tmp_path) as (app, headers):
        features = json.loads(ask(app, "/api/navigate/status", headers=headers).text)["features"]
        assert {"site", "versions"} <= set(features)
        site = json.loads(
            ask(app, f"/api/navigate/site?url={start}symphony/3&since=2020", headers=headers).text
        )
        assert (site["site"], site["start"], site["pages"]) == ("127.9.7.1", start, 22)
        assert [one["url"] for one in site["sequence"]] == [f"{start}symphony/{n}" for n in range(1, 15)]
        assert site["changed"][0]["is_new"] is True
        versions = json.loads(ask(app, f"/api/navigate/versions?url={start}haydn", headers=headers).text)
        assert (len(versions["items"]), versions["visits"]) == (1, 1)
        place = json.loads(ask(app, f"/api/navigate/place?url={start}symphony/3", headers=headers).text)
        assert (place["way"][0]["url"], place["way"][-1]["url"]) == (start, f"{start}symphony/3")
        lately = json.loads(ask(app, f"/api/navigate/site?url={start}&since=visit", headers=headers).text)
        assert 29 * 86_400 < time.time() - lately["since_s"] < 31 * 86_400
        for path in (
            "place?url=nothing",
            "site?url=nothing",
            "site?url=http://a.example/&since=soon",
            "versions?url=nothing",
        ):
            refused = ask(app, f"/api/navigate/{path}", headers=headers)
            assert (refused.status, "error" in json.loads(refused.text)) == (400, True)
        assert ask(app, f"/api/navigate/site?url={start}").status == 401
        assert ask(app, f"/api/navigate/versions?url={start}").status == 401
