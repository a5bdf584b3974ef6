"""Say what holds back the requests of a task now: quiet hours, bandwidth, and the number of connections."""

import time
from pathlib import Path

from gossamer.config import TaskSpec
from gossamer.crawl.status.status_file import read_files
from gossamer.fetch.bandwidth.reception_limits import ReceptionLimits, has_limits
from gossamer.frontier.quiet_hours import QuietHours
from gossamer.frontier.timed_rule import format_time, strip_port
from gossamer.printable_text import clean_text


def explain_manners(spec: TaskSpec, host: str, folder: Path | None) -> list[str]:
    """Return sentences about what holds back the requests of a task to a host at this moment."""
    now_s = time.time()
    lines = [
        *_explain_quiet_hours(spec, host, now_s),
        *_explain_bandwidth(spec),
    ]
    if folder is not None:
        told = [shard.connections_why for shard in read_files(folder) if shard.connections_why]
        lines += [f"The crawl has {clean_text(why, 200)}" for why in dict.fromkeys(told)]
    return lines


def _explain_quiet_hours(spec: TaskSpec, host: str, now_s: float) -> list[str]:
    quiet = QuietHours(spec.politeness.quiet_hours)
    if text := quiet.describe(now_s):
        return [text[0].upper() + text[1:]]
    until_s = max(quiet.find_end(now_s, host), quiet.find_end(now_s, strip_port(host)))
    return (
        [f"Quiet hours of its host: nothing is fetched from it until {format_time(until_s)}"]
        if until_s
        else []
    )


def _explain_bandwidth(spec: TaskSpec) -> list[str]:
    if not has_limits(spec.politeness):
        return []
    limits = ReceptionLimits(spec.politeness).describe()
    return [f"Bandwidth: {limits}"] if limits else []
