"""Answer the requests of scripts: the scripts themselves, the pages that they fill in, pictures, and what noise asks for."""

import json
import math
import re
from collections.abc import Callable

import msgspec

from gossamer.lab.behaviour.page_changes import Timetable
from gossamer.lab.layout.page_facts import Register
from gossamer.lab.layout.page_urls import Addresses, ResolvedUrl
from gossamer.lab.scripts.make_shell import draw_picture, split_page
from gossamer.lab.scripts.page_scripts import PAGE_SCRIPTS
from gossamer.lab.scripts.probe_script import PROBE_SCRIPT_NAME, make_probe_script
from gossamer.lab.scripts.script_kinds import ScriptKinds
from gossamer.lab.server.answer import Fault, LabAnswer, answer_with_text
from gossamer.lab.world.plan_page import Planner
from gossamer.lab.writing.page_content import PageWriter

_SCRIPT = re.compile(r"/scripts/([a-z]+)\.js")
_PAGE = re.compile(r"/scripts/(page|late)/(0|[1-9]\d{0,11})")
_PICTURE = re.compile(r"/scripts/([0-9a-f]{6})\.svg")
_JAVASCRIPT = (("Content-Type", "text/javascript; charset=utf-8"), ("Cache-Control", "max-age=3600"))
_FILE_BYTES = 1_000


class ScriptFiles:
    """Answers for the paths below /scripts/."""

    def __init__(
        self,
        *,
        writer: Callable[[], PageWriter],
        register: Register,
        planner: Planner,
        addresses: Addresses,
        timetable: Timetable,
        kinds: ScriptKinds,
    ) -> None:
        self._writer = writer
        self._register = register
        self._planner = planner
        self._addresses = addresses
        self._timetable = timetable
        self._options = kinds.options
        self._has_scripts = kinds.are_any

    def answer(self, host: int, path: str, now_s: float) -> LabAnswer | None:
        """Answer a request of a script; None if there is no such file, or no page with scripts."""
        if not self._has_scripts:
            return None
        if found := _PAGE.fullmatch(path):
            return self._answer_page(host, int(found[2]), found[1] == "late", now_s)
        if found := _SCRIPT.fullmatch(path):
            return self._answer_script(host, found[1])
        if found := _PICTURE.fullmatch(path):
            kind = (("Content-Type", "image/svg+xml"),)
            return LabAnswer(200, kind, draw_picture(found[1]).encode(), fresh_until_s=math.inf)
        name, _, query = path.partition("?")
        match name:
            case "/scripts/tick":
                return answer_with_text(200, "tick")
            case "/scripts/popup":
                return answer_with_text(200, "An unwanted window.")
            case "/scripts/file.bin":
                return LabAnswer(200, (("Content-Type", "application/octet-stream"),), bytes(_FILE_BYTES))
            case "/scripts/to" if query and self._options.probes:
                return LabAnswer(302, (("Location", query),))
        return None

    def _answer_script(self, host: int, name: str) -> LabAnswer | None:
        if name == PROBE_SCRIPT_NAME:
            own = self._addresses.build_url(host, "/scripts")
            script = make_probe_script(self._options.probed, own)
        else:
            script = PAGE_SCRIPTS.get(name, "")
        return LabAnswer(200, _JAVASCRIPT, script.encode(), fresh_until_s=math.inf) if script else None

    def _answer_page(self, host: int, number: int, is_late: bool, now_s: float) -> LabAnswer | None:
        """Answer with the content of a page that a script fills in, as it is now."""
        if number >= self._register.pages:
            return None
        facts = self._register.find_page(number)
        here = self._register.find_original(host) == facts.spot.host
        if not here or not facts.scripted or not facts.life.includes(now_s):
            return None
        planned = self._planner.plan_page(ResolvedUrl("page", host, facts.path, number), now_s)
        body = split_page(self._writer().page(planned.plan).html).body
        answer = LabAnswer(
            200,
            (("Content-Type", "application/json"),),
            json.dumps({"body": body}).encode(),
            fresh_until_s=math.floor(now_s) + 1.0 if self._timetable.has_changes else math.inf,
        )
        if is_late:
            return msgspec.structs.replace(answer, fault=Fault(delay_s=self._options.slow_s))
        return answer
