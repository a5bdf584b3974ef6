from pathlib import Path
from typing import Any

import msgspec
import pytest
from starlette.routing import Route
from tests.unit.ui.app_client import Reply, ask
from tests.unit.ui.conftest import GetPage

from gossamer.search.answers.answer_records import Answers
from gossamer.search.clusters.cluster_records import GroupedAnswers
from gossamer.ui.access.guard import Guard
from gossamer.ui.app import make_application
from gossamer.ui.page_context import PageContext
from gossamer.ui.route_tables import ROUTES
from gossamer.web import Web

JSON = {"content-type": "application/json"}


def read(reply: Reply) -> Any:
    assert reply.headers["content-type"] == "application/json"
    return msgspec.json.decode(reply.body)


def test_the_api_gives_the_same_answers_as_python(get_page: GetPage, library: Path) -> None:
    with Web(library) as web:
        expected = web.search("symphony", page=2, size=3, only={"after": "2021"}, years=True)
    reply = get_page("/api/search?q=symphony&page=2&size=3&after=2021&years=true")
    found = msgspec.json.decode(reply.body, type=Answers)
    assert found.counts == expected.counts
    assert [answer.url for answer in found.answers] == [answer.url for answer in expected.answers]
    assert found.total == expected.total > 3


@pytest.mark.parametrize(
    "address",
    [
        "/api/search?size=x",
        "/api/search?size=1000",
        "/api/search?colour=red",
        "/api/clusters?q=symphony&size=5",
        "/api/page",
        "/api/page?url=%00",
    ],
)
def test_wrong_parameters_are_refused_in_a_sentence(get_page: GetPage, address: str) -> None:
    reply = get_page(address)
    assert reply.status == 400
    assert list(read(reply)) == ["error"]


def test_endless_nesting_in_a_query_is_answered_with_a_note(get_page: GetPage) -> None:
    reply = get_page("/api/search?q=" + "symphony%20(" * 400)
    assert reply.status == 200
    assert any("deep" in note for note in read(reply)["notes"])
    assert get_page("/search?q=" + "symphony%20(" * 400).status == 200


def test_groups_have_the_ranks_of_the_same_answers(get_page: GetPage, library: Path) -> None:
    with Web(library) as web:
        found, expected = web.search_and_group("symphony", only={"after": "2021"})
    grouped = msgspec.json.decode(get_page("/api/clusters?q=symphony&after=2021").body, type=GroupedAnswers)
    assert (grouped.total, grouped.groups, grouped.rest) == (expected.total, expected.groups, expected.rest)
    assert grouped.groups
    assert grouped.grouped == len(found.answers)
    by_rank = {answer.rank: answer for answer in found.answers}
    for group in grouped.groups:
        assert group.count == len(group.ranks) <= grouped.grouped
        assert [one.url for one in group.best] == [by_rank[rank].url for rank in group.ranks[:3]]
        assert group.pages > 0  # at least one page has the label as it is written
    every = {rank for group in grouped.groups for rank in group.ranks} | set(grouped.rest)
    assert every == set(by_rank)


def test_suggestions_pages_and_unknown_addresses(get_page: GetPage, start: str) -> None:
    assert "eisenstadt" in read(get_page("/api/suggest?q=eisens"))["suggestions"]
    known = read(get_page(f"/api/page?url={start}secret"))
    assert (known["title"], known["archive"], known["opened"]) == ("A secret memoir", False, 0)
    assert get_page("/api/page?url=http://unknown.example/").status == 404
    assert read(get_page("/api/nothing")) == {"error": "There is no such page here."}


def test_submissions_must_be_json(own: Path) -> None:
    body = b'{"url": "https://new.example/"}'
    with PageContext(own) as context:
        app = make_application(context, Guard())
        for headers in ({}, {"content-type": "text/plain"}, {**JSON, "origin": "http://evil.example"}):
            assert ask(app, "/api/submit", "POST", headers, body).status in (400, 403)
        deep = (b'{"else": ' + b"[" * 40_000, b'{"url": ' + b'{"a":' * 15_000, b"[" * 40_000)
        for wrong in (b"", b"[]", b'{"url": 7}', b'{"url": "x", "else": 1}', b"\xff", *deep):
            assert ask(app, "/api/submit", "POST", JSON, wrong).status == 400
        taken = ask(app, "/api/submit", "POST", JSON, body)
    assert (taken.status, read(taken)) == (202, {"url": "https://new.example/", "soon": False})


def test_the_description_has_all_routes(get_page: GetPage) -> None:
    description = read(get_page("/api"))
    assert description["openapi"].startswith("3.1")
    operations = {
        (path, method.upper()) for path, methods in description["paths"].items() for method in methods
    }
    routes = {
        (route.path, *(route.methods - {"HEAD"}))
        for _, table in ROUTES
        for route in table
        if isinstance(route, Route) and route.methods and route.path.startswith("/api/")
    }
    assert operations == routes - {("/api/openapi.json", "GET")}


def test_all_references_in_the_description_exist(get_page: GetPage) -> None:
    description = read(get_page("/api"))

    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            own = [node["$ref"]] if "$ref" in node else []
            return own + [found for value in node.values() for found in references(value)]
        return [found for value in node for found in references(value)] if isinstance(node, list) else []

    found = set(references(description))
    known = {f"#/components/schemas/{name}" for name in description["components"]["schemas"]}
    assert "#/components/schemas/Answers" in found
    assert found <= known


PUBLISHED = (
    "Agreement Answer Answers Backlink Backlinks BegunPairing CardList CardsRequest ChangeRequest "
    "ChangedPage CollectRequest CollectedPairing Collocate Concordance ConcordanceAnswer ConsoleStatus "
    "ContextLine Copy CountHistory CountedDocument CountedDocuments DepthCount Draw Drawn Fingerprint "
    "Forecast Forget ForgetVisits Forgotten ForgottenVisits FrequencyList GroupedAnswers HistoryAnswer "
    "HistoryItem HostList HostStatus HotPage HotReport HotStory Judged KeptVersion KeptVersions "
    "KeptVisits KeywordList KeywordRow LabelledGroup Left LinkCard LinkGroup LinkGroups LinkMarks "
    "LinkName LinkedPage Listed MarksRequest NavigateStatus NewTaskRequest Next Origin PageKnown PagePart "
    "PagePlace PagesRequest PairingRequest Part Passage PassageCopy Passages PlacedPage PluginLine "
    "Precision PreviewAnswer PreviewRequest PreviewResult ReadVisit Refusal RelatedPage RelatedPages "
    "RelatedTerm RulesRequest RulesResult Samples SaveRequest SavedAnswer Shown ShownAnswer Similar "
    "SiteCount SiteOverview Snippet SteeredTask StoryLine StoryStep Stratum Submission Submitted "
    "Suggestions TaskRequest TaskStory TaskSummary TermCount Theme ThemeNeighbour ThemePage Themes Told "
    "TopicScore Trail TrailStep UrlStory UrlVerdict VersionBlock VersionWords VisitUnderWay VisitsRequest "
    "WebStatistics WordListAnswer WordRow"
)


def test_schemas_keep_their_published_names(get_page: GetPage) -> None:
    schemas = read(get_page("/api"))["components"]["schemas"]
    assert sorted(schemas) == PUBLISHED.split()
    assert [schema["title"] for schema in schemas.values()] == list(schemas)


def test_parameters_are_described_with_their_limits(get_page: GetPage) -> None:
    parameters = read(get_page("/api"))["paths"]["/api/search"]["get"]["parameters"]
    (size,) = [one for one in parameters if one["name"] == "size"]
    assert size["schema"] == {"type": "integer", "minimum": 1, "maximum": 100, "default": 10}
    assert all(one["description"] for one in parameters)
