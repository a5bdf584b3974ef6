"""Every page and every address of the API, with the role that it needs, and the navigation of all pages."""

from collections.abc import Sequence

from starlette.routing import BaseRoute

from gossamer.ui.access.roles import ANYONE, JUDGE, OPERATOR, READER, Role
from gossamer.ui.api import (
    api_page,
    assess_api,
    console_api,
    hot_api,
    mcp_api,
    passages_api,
    search_api,
    steer_api,
    themes_api,
    words_api,
)
from gossamer.ui.api.navigate import (
    card_api,
    events_api,
    history_api,
    pairing_api,
    previews_api,
    saves_api,
    sites_api,
)
from gossamer.ui.console import schedule_page
from gossamer.ui.console.live import (
    documents_page,
    event_stream,
    explain_page,
    hosts_page,
    live_page,
    metrics_page,
)
from gossamer.ui.console.tasks import change_task, new_task, rules_page, task_orders, task_pages
from gossamer.ui.context import ask_page, hot_page, themes_page, topic_page, words_page
from gossamer.ui.navigate import backlinks_page, history_page, pair_page, plugin_pages, read_page
from gossamer.ui.pages import (
    about_page,
    assess_pages,
    cached_page,
    changes_page,
    check_page,
    click_counter,
    groups_page,
    page_picture,
    search_page,
    submit_page,
    token_login,
)
from gossamer.ui.render_template import NavItem
from gossamer.ui.run_handlers import Handler
from gossamer.ui.workbench import (
    ego_view,
    folder_tree,
    graph_data,
    graph_page,
    page_paths,
    report_pages,
    selections,
)

# Each module has a table of routes, for visitors with at least this role.
ROUTES: tuple[tuple[Role, Sequence[BaseRoute]], ...] = (
    (ANYONE, token_login.ROUTES),
    (ANYONE, about_page.ROUTES),
    # These answer paired browsers alone, each with the token that a person gave it.
    (ANYONE, pairing_api.ROUTES),
    (ANYONE, card_api.ROUTES),
    (ANYONE, previews_api.ROUTES),
    (ANYONE, history_api.ROUTES),
    (ANYONE, saves_api.ROUTES),
    (ANYONE, sites_api.ROUTES),
    (ANYONE, events_api.ROUTES),
    (READER, token_login.LEAVE_ROUTES),
    (READER, search_page.ROUTES),
    (READER, groups_page.ROUTES),
    (READER, cached_page.ROUTES),
    (READER, page_picture.ROUTES),
    (READER, click_counter.ROUTES),
    (READER, changes_page.ROUTES),
    (READER, check_page.ROUTES),
    (READER, hot_page.ROUTES),
    (READER, hot_api.ROUTES),
    (READER, topic_page.ROUTES),
    (READER, words_page.ROUTES),
    (READER, words_api.ROUTES),
    (READER, api_page.ROUTES),
    (READER, search_api.ROUTES),
    (READER, passages_api.ROUTES),
    (READER, mcp_api.ROUTES),
    (READER, ask_page.ROUTES),
    (READER, themes_page.ROUTES),
    (READER, themes_api.ROUTES),
    (READER, pair_page.ROUTES),
    (READER, backlinks_page.ROUTES),
    (READER, history_page.ROUTES),
    (READER, read_page.ROUTES),
    (READER, plugin_pages.ROUTES),
    (JUDGE, search_api.SUBMIT_ROUTES),
    (JUDGE, submit_page.ROUTES),
    (JUDGE, assess_pages.ROUTES),
    (JUDGE, assess_api.ROUTES),
    (OPERATOR, task_pages.ROUTES),
    (OPERATOR, task_orders.ROUTES),
    (OPERATOR, new_task.ROUTES),
    (OPERATOR, change_task.ROUTES),
    (OPERATOR, rules_page.ROUTES),
    (OPERATOR, live_page.ROUTES),
    (OPERATOR, event_stream.ROUTES),
    (OPERATOR, hosts_page.ROUTES),
    (OPERATOR, documents_page.ROUTES),
    (OPERATOR, explain_page.ROUTES),
    (OPERATOR, metrics_page.ROUTES),
    (OPERATOR, schedule_page.ROUTES),
    (OPERATOR, console_api.ROUTES),
    (OPERATOR, steer_api.ROUTES),
    (OPERATOR, graph_page.ROUTES),
    (OPERATOR, graph_data.ROUTES),
    (OPERATOR, selections.ROUTES),
    (OPERATOR, report_pages.ROUTES),
    (OPERATOR, folder_tree.ROUTES),
    (OPERATOR, page_paths.ROUTES),
    (OPERATOR, ego_view.ROUTES),
)
# They parse a whole page, or read many, or the links of the whole web.
COSTLY: tuple[Handler, ...] = (
    cached_page.show_copy,
    cached_page.send_copy,
    search_page.show_related,
    groups_page.show_groups,
    search_api.cluster,
    hot_page.show_hot,
    hot_page.send_hot_feed,
    hot_api.tell_hot,
    topic_page.show_topics,
    topic_page.send_topic_feed,
    words_page.show_words,
    words_page.show_concordance,
    words_api.send_words,
    words_api.send_concordance,
    themes_page.show_links,
    themes_api.send_links,
    graph_data.send_found,
    folder_tree.show_tree,
    folder_tree.show_folder,
    page_paths.show_paths,
    ego_view.show_surroundings,
    backlinks_page.show_backlinks,
    read_page.show_sequence,
)
NAVIGATION = (
    NavItem("/console", "Console", OPERATOR),
    NavItem("/ask", "Ask"),
    NavItem("/themes", "Themes"),
    NavItem("/hot", "Hot"),
    NavItem("/words", "Words"),
    NavItem("/backlinks", "Backlinks"),
    NavItem("/changes", "Changes"),
    NavItem("/check", "Links"),
    NavItem("/assess", "Assess", JUDGE),
    NavItem("/submit", "Submit a page", JUDGE),
    NavItem("/help", "Help"),
)
