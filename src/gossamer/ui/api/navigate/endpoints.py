"""The addresses that paired browsers ask, as OpenAPI describes them."""

from gossamer.navigate.backlinks import Backlinks
from gossamer.navigate.history.forget_visits import ForgetVisits
from gossamer.navigate.history.history_records import HistoryAnswer
from gossamer.navigate.link_card import LinkCard
from gossamer.navigate.related_pages import RelatedPages
from gossamer.navigate.sites.page_place import PagePlace
from gossamer.navigate.sites.page_versions import KeptVersions
from gossamer.navigate.sites.site_overview import SiteOverview
from gossamer.ui.api.endpoint import JSON_LINES, Endpoint
from gossamer.ui.api.navigate import card_api as navigate
from gossamer.ui.api.navigate import history_api as history
from gossamer.ui.api.navigate import pairing_api as pairing
from gossamer.ui.api.navigate import previews_api as previews
from gossamer.ui.api.navigate import saves_api as saves
from gossamer.ui.api.navigate import sites_api as sites

NAVIGATE_ENDPOINTS = (
    Endpoint(
        "/api/navigate/pairings",
        "Begin to pair a browser.",
        pairing.BegunPairing,
        body=pairing.PairingRequest,
        status=201,
    ),
    Endpoint(
        "/api/navigate/pairings/collect",
        "Collect the token of a browser, once a person agreed.",
        pairing.CollectedPairing,
        body=pairing.CollectRequest,
    ),
    Endpoint(
        "/api/navigate/status", "Say what this server offers to a paired browser.", navigate.NavigateStatus
    ),
    Endpoint(
        "/api/navigate/card",
        "Say what is known of the page behind a link.",
        LinkCard,
        parameters=navigate.CardParameters,
    ),
    Endpoint(
        "/api/navigate/cards", "The same for many links.", navigate.CardList, body=navigate.CardsRequest
    ),
    Endpoint(
        "/api/navigate/marks", "Mark the links of a page.", navigate.LinkMarks, body=navigate.MarksRequest
    ),
    Endpoint(
        "/api/navigate/related",
        "List pages like one.",
        RelatedPages,
        parameters=navigate.CardParameters,
    ),
    Endpoint(
        "/api/navigate/site",
        "Describe the site of a page: its size, what changed on it, its sequences.",
        SiteOverview,
        parameters=sites.SiteParameters,
    ),
    Endpoint(
        "/api/navigate/place",
        "Say where a page stands in its site.",
        PagePlace,
        parameters=navigate.CardParameters,
    ),
    Endpoint(
        "/api/navigate/versions",
        "List the versions of a page, with what differs.",
        KeptVersions,
        parameters=navigate.CardParameters,
    ),
    Endpoint(
        "/api/navigate/events",
        "Send what happens while a person reads, as server-sent events: each has one JSON object, ReadingEvent.",
        None,
        answer_type="text/event-stream",
    ),
    Endpoint(
        "/api/navigate/socket",
        "Send the same over a WebSocket: each text message is one JSON object, ReadingEvent.",
        None,
        status=101,
        answer_type="text/plain",
    ),
    Endpoint(
        "/api/navigate/picture",
        "Send the small picture of a page.",
        None,
        parameters=navigate.CardParameters,
        answer_type="image/webp",
    ),
    Endpoint(
        "/api/navigate/previews",
        "Have the robot read the beginning of a page.",
        previews.PreviewAnswer,
        body=previews.PreviewRequest,
    ),
    Endpoint("/api/navigate/visits", "Keep what was read.", history.KeptVisits, body=history.VisitsRequest),
    Endpoint(
        "/api/navigate/history",
        "Find what was read.",
        HistoryAnswer,
        parameters=history.HistoryParameters,
    ),
    Endpoint(
        "/api/navigate/trail",
        "Say how the reader got to a page.",
        history.Trail,
        parameters=history.TrailParameters,
    ),
    Endpoint(
        "/api/navigate/history/forget",
        "Forget what was read: a page, a site, a day or everything.",
        history.ForgottenVisits,
        body=ForgetVisits,
    ),
    Endpoint("/api/navigate/history/export", "Export what was read.", None, answer_type=JSON_LINES),
    Endpoint(
        "/api/navigate/history/import",
        "Import what was exported.",
        history.KeptVisits,
        body_type=JSON_LINES,
    ),
    Endpoint(
        "/api/navigate/saves",
        "Keep a page as the browser shows it.",
        saves.SavedAnswer,
        body=saves.SaveRequest,
    ),
    Endpoint(
        "/api/navigate/backlinks",
        "List the pages that link to a page.",
        Backlinks,
        parameters=navigate.BacklinkParameters,
    ),
)
