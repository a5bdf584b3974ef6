"""Run benchmarks, compare their figures with the floors, and report the floors that are missed."""

import importlib
import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from corpora import list_changed

HERE = Path(__file__).parent
MODULES = [
    "startup",
    "urls",
    "reading",
    "fields",
    "extraction",
    "extraction_general",
    "language",
    "language_calibration",
    "language_training",
    "running_text",
    "topics",
    "hot_topics",
    "hot_growth",
    "topic_dictionaries",
    "frequency_lists",
    "themes",
    "orders",
    "focus",
    "assessing",
    "brokers",
    "result_clusters",
    "search_accents",
    "search_base_forms",
    "search_quality",
    "search_names",
    "search_questions",
    "passages",
    "search_refresh",
    "search_speed",
    "serve_load",
    "console_load",
    "console_steering",
    "link_cards",
    "extension_load",
    "hostile_pages",
    "documents",
    "fuzz",
    "clients",
    "archiving",
    "crawling",
    "backup_load",
    "bandwidth",
    "connections",
    "pipe_memory",
    "forget_cost",
    "forecast",
    "derived_costs",
    "mirror",
    "growth",
    "postgres",
    "cluster_crawl",
    "simulate_cluster",
    "dense",
    "discovering",
    "graph_loading",
    "template_links",
    "graphs",
    "freshness",
    "watching",
    "link_check",
    "rendering",
    "proxy_load",
    "proxy_pictures",
    "workbench",
    "link_check_memory",
    "link_check_truth",
]


def judge_figure(value: float, floor: dict[str, Any]) -> str:
    """Return whether a figure holds its floor, and the aim if it does not reach it."""
    if value > floor.get("at_most", float("inf")) or value < floor.get("at_least", float("-inf")):
        return "MISSED"
    if value < floor.get("aim", value) or value > floor.get("aim_at_most", value):
        return f"holds, aim {floor.get('aim') or floor['aim_at_most']:g}"
    return "holds"


def format_bound(floor: dict[str, Any]) -> str:
    """Format a floor with its sign."""
    if "at_most" in floor and "at_least" in floor:
        return f"{floor['at_least']:g} to {floor['at_most']:g}"
    return f"≤ {floor['at_most']:g}" if "at_most" in floor else f"≥ {floor['at_least']:g}"


def main() -> int:
    """Run the named benchmarks, or all of them."""
    floors = tomllib.loads((HERE / "floors.toml").read_text("utf-8"))
    chosen = sys.argv[1:] or MODULES
    for name in list_changed(floors.pop("corpus")):
        print(f"the corpus {name!r} differs from the one that the floors were set with", file=sys.stderr)
    figures: dict[str, float] = {}
    for module in chosen:
        print(f"measuring {module} …", file=sys.stderr)
        figures |= importlib.import_module(module).measure() or {}
    table = Table("figure", "measured", "floor", "verdict")
    missed = 0
    for name, value in figures.items():
        floor = floors.get(name)
        verdict = judge_figure(value, floor) if floor else ""
        missed += verdict == "MISSED"
        table.add_row(name, f"{value:.4g}", format_bound(floor) if floor else "", verdict)
    Console().print(table)
    unmeasured = [name for name in floors if name not in figures and name.split(".")[0] in chosen]
    for name in unmeasured:
        print(f"not measured here: {name}", file=sys.stderr)
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results" / "latest.json").write_text(json.dumps(figures, indent=2), "utf-8")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
