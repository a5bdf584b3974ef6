"""The storeys of the house: which room may import which, and by which front modules. A test enforces them."""

# From the ground up. A room may import from rooms of lower storeys and from itself.
STOREYS = [
    {
        "errors",
        "records",
        "field_rule",
        "former_names",
        "atomic_file",
        "file_limit",
        "full_disk",
        "plugins",
        "printable_text",
    },
    {"option_errors"},
    {"config"},
    {"task_file"},
    {"net", "text", "graph", "freshness", "fields"},
    {"frontier", "order", "plots"},
    {"fetch", "store", "documents"},
    {"navigate", "search", "crawl"},
    {"cluster"},
    {"assess", "watch", "mirror", "link_check"},
    {"topic_training", "context"},
    {"run_tasks"},
    {"web"},
    {"broker", "reports"},
    {"mcp"},
    {"ui"},
    {"cli"},
]
STOREY = {room: height for height, rooms in enumerate(STOREYS) for room in rooms}
# The lab stands beside the house: it may use these, and only what stands above the crawl may use it.
LAB_MAY_USE = {"net", "text", "records", "errors", "file_limit", "lab"}
MAY_USE_LAB = {"topic_training", "cli", "ui", "lab"}
# Within a storey, rooms that the design lets see each other.
NEIGHBOURS = {
    ("errors", "records"),
    ("records", "errors"),
    ("file_limit", "errors"),
    ("plugins", "errors"),
    ("graph", "net"),
    ("fields", "net"),
    ("text", "net"),
}

# The storeys inside a room, from the ground up: sub-packages, and the modules beside them.
# Imports may only lead to lower storeys, or stay in the same sub-package or among the modules of one storey.
INNER_STOREYS: dict[str, list[set[str]]] = {
    "net": [
        {
            "css_references",
            "eight_bytes",
            "dates",
            "media_type_tables",
            "secret_headers",
            "url",
            "warc_record_end",
        },
        {"media_type", "encoding"},
        {"fingerprint", "robots", "sitemap", "html"},
        {"main_text"},
    ],
    "text": [{"language", "topics"}, {"hot"}],
    "fetch": [
        {"socket_shortage"},
        {
            *("address_guard", "body_budget", "fetcher", "proxy", "dns", "user_agent_header"),
            *("credential_file", "netrc_file"),
        },
        {"http", "credentials", "post_message", "schemes"},
        {"fake_fetcher", "robots_cache", "scheme_fetcher"},
    ],
    "documents": [
        {"document_content"},
        {"formats"},
        {"zipped"},
        {"plugin_readers", "render_html"},
        {"find_reader"},
        {"worker"},
        {"read_document", "readable_pages"},
    ],
    "graph": [
        {"graph", "edges", "link_selection", "node_names", "adjacency", "number_ids", "host_sites"},
        {"files", "structure", "ranking", "groups", "templates", "layout"},
        {"export"},
    ],
    "order": [{"order_expression", "plain_orders"}, {"terms"}, {"learning"}, {"link_guide"}],
    "store": [
        {
            *("batch", "folder_access", "lock", "click_counts", "reading_attempts"),
            *("record_rows", "collection_title", "wait_for_store", "share_of_work", "packed_bytes"),
        },
        {"sqlite", "archive"},
        {"shared_archive"},
        {"derived_versions"},
        {"postgres"},
        {"opening"},
        {"model_folder"},
        {"links", "export", "verify", "copy"},
    ],
    "search": [
        {"engine", "field_weights"},
        {"terms", "links"},
        {"index"},
        {"query"},
        {"ranking"},
        {"answers"},
        {"clusters"},
    ],
    "crawl": [
        {
            "events",
            "describe_cause",
            "rule_names",
            "task_counts",
            "seen_keys",
            "host_shards",
            "common_turns",
            "shared_turns",
            "read_page",
            "page_requisites",
        },
        {"task"},
        {"visit"},
        {"control"},
        {"status"},
        {"loop"},
        {"from_archive", "run"},
        {"recrawl", "pipe"},
        {"explain", "steer"},
    ],
    "mirror": [
        {"file_names", "mirror_state", "start_page", "keep_working"},
        {"name_registry", "mirror_folder", "rewrite_links"},
        {"recent_pages"},
        {"write_mirror"},
        {"select_pages"},
    ],
    "link_check": [
        {"problem", "check_options", "id_columns"},
        {"facts", "baseline", "reports"},
        {"target_outcomes", "read_links", "judge_pages", "last_result", "ask_own_hosts"},
        {"judge_links", "site_tasks", "checked_site"},
        {"ask_targets", "judge_site"},
        {"check_site"},
        {"files"},
    ],
    "assess": [{"records", "judgements"}, {"sample"}, {"judge", "results", "orders"}],
    "watch": [
        {"difference"},
        {"change_log", "watch_list"},
        {"judge_visits", "read_versions", "schedule_looks"},
        {"check_pages", "report"},
    ],
    "lab": [
        {"server", "options", "seeded_random", "page_plan"},
        {"writing", "behaviour", "recordings", "documents"},
        {"layout"},
        {"world"},
    ],
    "broker": [
        {"web_source"},
        {"local_source", "server_client", "check_answers", "merge_answers"},
        {"remote_source"},
        {"broker"},
        {"ask_webs"},
    ],
    "context": [{"write_feed"}, {"hot", "topic_news", "words", "passages", "themes"}],
    "reports": [
        {"analysis"},
        {"visit_reasons", "word_frequencies", "crawl_tables", "graph"},
        {"study_tables", "freshness_tables", "language_tables", "url_tree"},
        {"report_file"},
        {"report_kinds"},
        {"make_report"},
    ],
    "ui": [
        {"access"},
        {
            "answer_errors",
            "check_access",
            "page_context",
            "forms",
            "render_template",
            "security",
            "spooled_answer",
            "run_handlers",
        },
        {"pages", "connections"},
        {"console", "workbench", "context"},
        {"api"},
        {"route_tables"},
        {"app", "run_server"},
    ],
    "cli": [
        {"output", "task_options"},
        {"check_extra", "input_files", "typed_url"},
        {"fields"},
        {"crawl", "cluster", "graph", "language", "topics", "search", "assess", "lab", "transfer", "web"},
        {"demo", "watch", "mirror", "check", "users", "context"},
        {"main"},
    ],
}
# A front may lead to rooms above its own storey, as long as it does so when it is asked and not when it is loaded.
LATE_FRONTS = {"gossamer.net.html", "gossamer.lab", "gossamer.search.index"}

# Each of these packages is imported in one file.
HEAVY = {
    "ada_url",
    "aiodns",
    "brotli",
    "fastwarc",
    "isal",
    "jinja2",
    "lxml",
    "markdown_it",
    "matplotlib",
    "numpy",
    "obstore",
    "PIL",
    "pyarrow",
    "psycopg",
    "publicsuffixlist",
    "pycurl",
    "pypdfium2",
    "resiliparse",
    "selectolax",
    "striprtf",
    "tantivy",
    "trafilatura",
    "turbohtml",
    "uvicorn",
    "wordfreq",
}
# numpy is the common tongue of arrays and Arrow that of tables, not parts that could be exchanged. libcurl speaks HTTP in one
# file, and FTP in another.
SEVERAL_FILES = {"numpy", "pyarrow", "pycurl"}
